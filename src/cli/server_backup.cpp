#include "cli/server_backup.h"

#include "cli/patient_client.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <chrono>
#include <string_view>
#include <utility>

namespace footfall::cli {
namespace {

namespace json = boost::json;

std::unexpected<Error> strange_answer() {
    return fail(ErrorKind::unavailable, "the server's answer is not the one of a footfall server");
}

Result<json::object> object_of(std::string_view text) {
    json::error_code error;
    json::value document = json::parse(text, error);
    if (error || !document.is_object()) {
        return strange_answer();
    }
    return std::move(document.get_object());
}

const json::object* object_in(const json::object& object, std::string_view name) {
    const json::value* const found = object.if_contains(name);
    return found == nullptr ? nullptr : found->if_object();
}

std::string text_in(const json::object& object, std::string_view name) {
    const json::value* const found = object.if_contains(name);
    return found != nullptr && found->is_string() ? std::string{found->get_string()}
                                                  : std::string{};
}

std::uint64_t number_in(const json::object& object, std::string_view name) {
    const json::value* const found = object.if_contains(name);
    json::error_code error;
    const auto number =
        found == nullptr ? std::uint64_t{0} : found->to_number<std::uint64_t>(error);
    return error ? 0 : number;
}

/// What the server says of the backup that began at `since`; absent: it is under way.
Result<std::optional<ServerBackup>> look(
    PatientClient& client, const std::string& since, const ServerBackupWish& wish
) {
    TRY(const auto response, client.send(http_server::Method::get, "/api/v1/backups", "", {}));
    if (response.status != 200) {
        return std::unexpected(refusal_of(response));
    }
    TRY(const json::object state, object_of(response.body));
    const json::object* const running = object_in(state, "under_way");
    if (running != nullptr && text_in(*running, "since") == since) {
        wish.progress(number_in(*running, "bytes_done"), number_in(*running, "bytes_total"));
        return std::nullopt;
    }
    const json::object* const last = object_in(state, "last");
    if (last == nullptr || text_in(*last, "since") != since) {
        return fail(
            ErrorKind::outcome_unknown,
            "the server does not know of the backup any more: it was started anew meanwhile, or "
            "another backup has followed; `footfall backup list` says which there are"
        );
    }
    const json::object* const made = object_in(*last, "backup");
    if (made == nullptr) {
        return fail(
            ErrorKind::unavailable,
            fmt::format("the server made no backup: {}", text_in(*last, "error"))
        );
    }
    return ServerBackup{
        .json = json::serialize(*last),
        .name = text_in(*made, "name"),
        .directory = text_in(state, "directory"),
        .files = number_in(*made, "files"),
        .bytes = number_in(*made, "bytes"),
        .copied_bytes = number_in(*last, "copied_bytes"),
        .removed = number_in(*last, "removed")
    };
}

}  // namespace

Result<ServerBackup> run_server_backup(const ServerOptions& server, const ServerBackupWish& wish) {
    TRY(http_server::ServerUrl url, server.address());
    std::string target = fmt::format("/api/v1/backups?full={}", wish.full);
    if (wish.keep) {
        target += fmt::format("&keep={}", *wish.keep);
    }
    // Not by the patient one: a server that has begun would refuse the second request.
    http_server::Client once{url};
    TRY(const auto response, once.send(http_server::Method::post, target, "", {}));
    if (response.status != 202) {
        return std::unexpected(refusal_of(response));
    }
    TRY(const json::object begun, object_of(response.body));
    const std::string since = text_in(begun, "since");
    PatientClient client{std::move(url)};
    for (;;) {
        TRY(auto made, look(client, since, wish));
        if (made) {
            return *std::move(made);
        }
        pause_for(std::chrono::seconds{1});
    }
}

}  // namespace footfall::cli
