#include "cli/paged_list.h"

#include "cli/patient_client.h"
#include "cli/server_options.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <optional>
#include <utility>

namespace footfall::cli {
namespace {

std::unexpected<Error> no_answer_of_ours() {
    return fail(ErrorKind::unavailable, "the server's answer is not the one of a footfall server");
}

}  // namespace

Result<boost::json::object> object_of(const http_server::ClientResponse& response) {
    if (response.status >= 300) {
        return std::unexpected(refusal_of(response));
    }
    boost::json::error_code error;
    boost::json::value document = boost::json::parse(response.body, error);
    if (error || !document.is_object()) {
        return no_answer_of_ours();
    }
    return std::move(document.get_object());
}

Result<void> for_each_listed(
    http_server::ServerUrl server,
    const std::string& target,
    std::string_view list,
    const TakeListed& take
) {
    PatientClient client{std::move(server)};
    std::string cursor;
    for (;;) {
        const std::string page =
            cursor.empty() ? target : target + "&cursor=" + http_server::percent_encode(cursor);
        TRY(const http_server::ClientResponse response,
            client.send(http_server::Method::get, page, {}, {{"Accept", "application/json"}}));
        TRY(const boost::json::object answer, object_of(response));
        const auto* const rows = answer.if_contains(list);
        const auto* const next = answer.if_contains("next");
        if (rows == nullptr || !rows->is_array() || next == nullptr) {
            return no_answer_of_ours();
        }
        for (const boost::json::value& each : rows->get_array()) {
            if (!each.is_object()) {
                return no_answer_of_ours();
            }
            TRY_VOID(take(each.get_object()));
        }
        if (next->is_null()) {
            return {};
        }
        if (!next->is_string() || next->get_string() == cursor) {
            return no_answer_of_ours();
        }
        cursor = next->get_string();
    }
}

}  // namespace footfall::cli
