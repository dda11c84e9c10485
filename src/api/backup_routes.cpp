#include "api/backup_routes.h"

#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "backup/place.h"
#include "backup/route.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Request;
using http_server::Response;

constexpr std::uint64_t kept_backups_max = 1'000'000;

using BackupAnswer = std::function<Response(const Request&)>;

runtime::Task<> answer_backup(
    runtime::BlockingPool* pool, BackupAnswer answer, Exchange* exchange
) {
    auto work = [&] { return answer(exchange->request()); };
    exchange->response() = co_await on_pool(pool, std::move(work));
}

Response begin_backup(backup::Desk& desk, const Request& request) {
    if (auto refused = refuse_unknown_parameter(request, {"full", "keep"})) {
        return *std::move(refused);
    }
    const Asked<bool> full = flag_parameter(request, "full");
    const Asked<std::uint64_t> keep =
        number_parameter(request, "keep", kept_backups_max, 1, kept_backups_max);
    if (!full || !keep) {
        return full ? keep.error() : full.error();
    }
    backup::Wish wish{.full = *full};
    if (*keep < kept_backups_max) {
        wish.keep = *keep;
    }
    const auto since = desk.start(wish);
    return since ? json_answer(
                       fmt::format(R"({{"since":"{}"}})", events::format_rfc3339(*since)), 202
                   )
                 : answer_error(since.error());
}

std::string under_way(const backup::Desk::State& state) {
    return state.since ? fmt::format(
                             R"({{"since":"{}","bytes_done":{},"bytes_total":{}}})",
                             events::format_rfc3339(*state.since),
                             state.step.bytes_done,
                             state.step.bytes_total
                         )
                       : "null";
}

std::string last_of(const backup::Desk::State& state) {
    if (!state.last) {
        return "null";
    }
    const backup::Desk::Ended& last = *state.last;
    const bool made = last.error.empty();
    return fmt::format(
        R"({{"since":"{}","ended":"{}","error":{},"backup":{},"copied_bytes":{},"removed":{}}})",
        events::format_rfc3339(last.since),
        events::format_rfc3339(last.at),
        made ? "null" : json_string(last.error),
        made ? json_of(last.taken.manifest) : "null",
        last.taken.copied_bytes,
        last.taken.removed
    );
}

Response show_backups(const backup::Desk& desk, const Request& request) {
    if (auto refused = refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    // In this order: what has ended is in the list.
    const backup::Desk::State state = desk.state();
    std::string rows;
    std::string moments = "[]";
    std::string unusable;
    if (!desk.place().empty()) {
        const auto listing = desk.list();
        if (!listing && listing.error().kind != ErrorKind::not_found) {
            return answer_error(listing.error());
        }
        for (const backup::Manifest& each :
             listing ? listing->whole : std::vector<backup::Manifest>{}) {
            rows += (rows.empty() ? "" : ",") + json_of(each);
        }
        if (listing) {
            moments = json_of(backup::spans_of(*listing));
        }
        for (const std::string& why : listing ? listing->unusable : std::vector<std::string>{}) {
            unusable += (unusable.empty() ? "" : ",") + json_string(why);
        }
    }
    return json_answer(fmt::format(
        R"({{"directory":{},"under_way":{},"last":{},"backups":[{}],"moments":{},"unusable":[{}]}})",
        desk.place().empty() ? "null" : json_string(desk.place()),
        under_way(state),
        last_of(state),
        rows,
        moments,
        unusable
    ));
}

}  // namespace

void add_backup_routes(FrontDoor& door, backup::Desk& desk, runtime::BlockingPool& lookups) {
    const auto handled = [&](BackupAnswer answer) {
        return [pool = &lookups, answer = std::move(answer)](Exchange& exchange) {
            return std::optional{answer_backup(pool, answer, &exchange)};
        };
    };
    door.acting({.kind = "backup_begun"})
        .add(
            keys::Scope::admin,
            http_server::Method::post,
            "/api/v1/backups",
            handled([&desk](const Request& request) { return begin_backup(desk, request); })
        );
    door.add(
        keys::Scope::admin,
        http_server::Method::get,
        "/api/v1/backups",
        handled([&desk](const Request& request) { return show_backups(desk, request); })
    );
}

}  // namespace footfall::api
