#include "api/erasure_routes.h"

#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "events/erased.h"
#include "events/event.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using keys::Scope;
using runtime::Task;

constexpr std::uint64_t erasures_shown = 100;
constexpr std::uint64_t erasures_shown_max = 1000;

using ErasureAnswer = std::function<Response(const Request&)>;

Task<> answer_erasure(runtime::BlockingPool* pool, ErasureAnswer answer, Exchange* exchange) {
    auto work = [&] { return answer(exchange->request()); };
    exchange->response() = co_await on_pool(pool, std::move(work));
}

Response erase_actor(erasure::Desk& eraser, const Doorkeeper& keeper, const Request& request) {
    if (auto refused = refuse_unknown_parameter(request, {"dry_run"})) {
        return *std::move(refused);
    }
    const Asked<bool> is_trial = flag_parameter(request, "dry_run");
    Asked<std::string> actor = name_in_path(request, 0, "actor", events::longest_name);
    if (!is_trial || !actor) {
        return !is_trial ? is_trial.error() : actor.error();
    }
    if (events::has_control_character(*actor)) {
        return invalid_input("no actor has a control character in its name", "actor");
    }
    Asked<std::string> author = keeper.author(request);
    if (!author) {
        return author.error();
    }
    if (*is_trial) {
        return json_answer(R"({"dry_run":true,"ids":1})");
    }
    const auto receipt = eraser.erase(
        {.ids = {events::id_of_actor(*std::move(actor))},
         .kind = "actor",
         .author = *std::move(author)}
    );
    return receipt ? erasure_answer(*receipt) : answer_error(receipt.error());
}

std::string receipt_json(const erasure::Desk& eraser, const erasure::Receipt& receipt) {
    std::string open;
    std::string waits;
    for (const erasure::Part part : receipt.open()) {
        open += fmt::format(R"({}"{}")", open.empty() ? "" : ",", name_of(part));
        waits += fmt::format(R"({}"{}":)", waits.empty() ? "" : ",", name_of(part));
        append_json_string(waits, eraser.waits_for(receipt, part));
    }
    return fmt::format(
        R"({{"receipt":"{}","state":"{}","open":[{}],"waits_for":{{{}}},"at":"{}","kind":"{}","ids":{}}})",
        receipt.id,
        open.empty() ? "closed" : "open",
        open,
        waits,
        events::format_rfc3339(receipt.at),
        receipt.kind,
        receipt.ids
    );
}

/// Newest first. It says of nobody who was erased, as a receipt does not.
Response list_erasures(erasure::Desk& eraser, const Request& request) {
    if (auto refused = refuse_unknown_parameter(request, {"cursor", "limit"})) {
        return *std::move(refused);
    }
    const Asked<std::uint64_t> limit =
        number_parameter(request, "limit", erasures_shown, 1, erasures_shown_max);
    const Asked<std::string> cursor = text_parameter(request, "cursor", "");
    if (!limit || !cursor) {
        return limit ? cursor.error() : limit.error();
    }
    const auto receipts = eraser.list(*cursor, *limit);
    if (!receipts) {
        const bool is_asked = receipts.error().kind == ErrorKind::invalid_input;
        return answer_error(receipts.error(), is_asked ? "cursor" : "");
    }
    std::string json = R"({"erasures":[)";
    for (const erasure::Receipt& each : *receipts) {
        json += json.ends_with('[') ? "" : ",";
        json += receipt_json(eraser, each);
    }
    const bool is_full = receipts->size() == *limit;
    json += R"(],"next":)";
    json += is_full ? fmt::format(R"("{}"}})", receipts->back().id) : "null}";
    return json_answer(std::move(json));
}

Response show_erasure(erasure::Desk& eraser, const Request& request) {
    if (auto refused = refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const Asked<std::string> id = text_in_path(request, 0, "receipt");
    if (!id) {
        return id.error();
    }
    const auto found = eraser.find(*id);
    if (!found) {
        return answer_error(found.error());
    }
    const std::optional<erasure::Receipt>& receipt = *found;
    if (!receipt) {
        return http_server::problem(404, "not-found", "there is no such erasure", "receipt");
    }
    return json_answer(receipt_json(eraser, *receipt));
}

}  // namespace

Response erasure_answer(const erasure::Receipt& receipt) {
    return json_answer(fmt::format(R"({{"receipt":"{}"}})", receipt.id), 202);
}

void add_erasure_routes(FrontDoor& door, erasure::Desk& eraser, runtime::BlockingPool& lookups) {
    const auto add = [&](Method method,
                         std::string_view pattern,
                         ErasureAnswer answer,
                         Scope scope = Scope::people) {
        door.add(
            scope,
            method,
            pattern,
            [pool = &lookups, answer = std::move(answer)](Exchange& exchange) {
                return std::optional{answer_erasure(pool, answer, &exchange)};
            }
        );
    };
    add(Method::del,
        "/api/v1/people/{actor}",
        [&eraser, keeper = door.keeper()](const Request& request) {
            return erase_actor(eraser, keeper, request);
        });
    add(Method::get, "/api/v1/erasures/{receipt}", [&eraser](const Request& request) {
        return show_erasure(eraser, request);
    });
    add(
        Method::get,
        "/api/v1/erasures",
        [&eraser](const Request& request) { return list_erasures(eraser, request); },
        Scope::admin
    );
}

}  // namespace footfall::api
