#include "audit_routes/audit_routes.h"

#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/on_pool.h"
#include "api/parameters.h"
#include "api/table_answer.h"
#include "audit_routes/tile_path.h"
#include "foundation/json_string.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace footfall::audit::routes {
namespace {

using api::Asked;
using http_server::Exchange;
using http_server::Method;
using http_server::Request;
using http_server::Response;
using runtime::Task;

constexpr std::uint64_t usual_page = 100;
constexpr std::uint64_t longest_page = 1000;
/// What every reader of JSON can tell from its neighbours; no log grows so far.
constexpr std::uint64_t largest_number = (std::uint64_t{1} << 53) - 1;
constexpr std::string_view lines_type = "application/x-ndjson";
/// Whoever reads tiles has a page of a browser before him, or a program that keeps them.
constexpr std::string_view bytes_type = "application/octet-stream";

using AnswerAudit = Response (*)(Log&, const Request&);

Task<> answer_audit(Log* log, runtime::BlockingPool* pool, AnswerAudit answer, Exchange* exchange) {
    auto look = [&] { return answer(*log, exchange->request()); };
    exchange->response() = co_await api::on_pool(pool, std::move(look), exchange->client_left());
}

/// A number that has to be there.
Asked<std::uint64_t> needed_number(const Request& request, std::string_view name) {
    std::string_view text;
    if (!http_server::query_value(request.query, name, text)) {
        return std::unexpected(api::invalid_input(fmt::format("{} is missing", name), name));
    }
    return api::number_parameter(request, name, 0, 0, largest_number);
}

Response hashes_answer(const Result<std::vector<Hash>>& hashes, std::string_view field) {
    if (!hashes) {
        const bool is_asked = hashes.error().kind == ErrorKind::invalid_input;
        return api::answer_error(hashes.error(), is_asked ? field : std::string_view{});
    }
    std::string json = R"({"hashes":[)";
    for (const Hash& each : *hashes) {
        json += json.ends_with('[') ? "" : ",";
        json += fmt::format("\"{}\"", base64_of(each));
    }
    return api::json_answer(json + "]}");
}

/// What an entry says of persons, beside its line: null where one of them was forgotten.
Result<std::string> said_json(Log& log, const Entry& entry) {
    TRY(const auto opened, log.opened(entry.people));
    std::string json = R"(,"said":[)";
    for (const auto& each : opened) {
        json += json.ends_with('[') ? "" : ",";
        json += each ? fmt::format(
                           R"({{"salt":"{}","payload":{}}})",
                           base64_of(each->salt),
                           json_string(each->payload)
                       )
                     : "null";
    }
    return json + "]}";
}

Response entry_lines(std::span<const Entry> entries) {
    Response response{.content_type = lines_type, .headers = {{"Cache-Control", "no-store"}}};
    for (const Entry& each : entries) {
        const std::string bytes = entry_bytes(each);
        response.body += entry_line(bytes, leaf_hash(bytes)) + "\n";
    }
    return response;
}

Response list_entries(Log& log, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"after", "limit", "opened"})) {
        return *std::move(refusal);
    }
    std::string_view given;
    const bool has_after = http_server::query_value(request.query, "after", given);
    const Asked<std::uint64_t> after = has_after ? needed_number(request, "after") : 0;
    const Asked<std::uint64_t> limit =
        api::number_parameter(request, "limit", usual_page, 1, longest_page);
    const Asked<bool> opened = api::flag_parameter(request, "opened");
    if (!after || !limit || !opened) {
        return !after ? after.error() : !limit ? limit.error() : opened.error();
    }
    const auto entries = log.entries(has_after ? *after + 1 : 0, *limit);
    if (!entries) {
        return api::answer_error(entries.error());
    }
    // Lines leave as they are hashed, byte for byte.
    if (http_server::accepts(request.known.accept, lines_type)) {
        return entry_lines(*entries);
    }
    std::string json = R"({"entries":[)";
    for (const Entry& each : *entries) {
        const std::string bytes = entry_bytes(each);
        std::string line = entry_line(bytes, leaf_hash(bytes));
        if (*opened) {
            const auto said = said_json(log, each);
            if (!said) {
                return api::answer_error(said.error());
            }
            line.pop_back();
            line += *said;
        }
        json += json.ends_with('[') ? "" : ",";
        json += line;
    }
    const bool is_full = entries->size() == *limit;
    json += fmt::format(
        R"(],"next":{}}})", is_full ? fmt::format("{}", entries->back().number) : "null"
    );
    static const api::TableForm table{
        .lists = {{.name = "entries"}},
        .columns = {"entry", "time", "kind", "author", "leaf", "detail"}
    };
    return api::as_asked(request, api::json_answer(std::move(json)), table);
}

Response show_head(Log& log, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    Result<SignedHead> head = log.head();
    return head ? Response{.body = std::move(head->checkpoint)} : api::answer_error(head.error());
}

/// The same where JSON is asked for, with what the note itself does not say: when it was signed.
Response show_newest_head(Log& log, const Request& request) {
    if (!http_server::accepts(request.known.accept, "application/json")) {
        return show_head(log, request);
    }
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    const Result<SignedHead> head = log.head();
    if (!head) {
        return api::answer_error(head.error());
    }
    return {
        .content_type = "application/json",
        .body = fmt::format(
            R"({{"origin":{},"size":{},"root":"{}","signed":"{}","key":{},"checkpoint":{}}})",
            json_string(log.verifier().name()),
            head->head.size,
            base64_of(head->head.root),
            audit_time(head->when),
            json_string(head->vkey),
            json_string(head->checkpoint)
        )
    };
}

Response show_key(Log& log, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refusal);
    }
    return {.body = log.verifier().vkey() + "\n"};
}

Response prove_inclusion(Log& log, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"entry", "size"})) {
        return *std::move(refusal);
    }
    const Asked<std::uint64_t> entry = needed_number(request, "entry");
    const Asked<std::uint64_t> size = needed_number(request, "size");
    if (!entry || !size) {
        return entry ? size.error() : entry.error();
    }
    return hashes_answer(log.inclusion(*entry, *size), *entry < *size ? "size" : "entry");
}

Response prove_consistency(Log& log, const Request& request) {
    if (auto refusal = api::refuse_unknown_parameter(request, {"from", "to"})) {
        return *std::move(refusal);
    }
    const Asked<std::uint64_t> from = needed_number(request, "from");
    const Asked<std::uint64_t> to = needed_number(request, "to");
    if (!from || !to) {
        return from ? to.error() : from.error();
    }
    return hashes_answer(log.consistency(*from, *to), *from <= *to ? "to" : "from");
}

Response show_tile(Log& log, const Request& request) {
    const auto path = read_tile_path(request.placeholders[0]);
    if (!path) {
        return http_server::problem(
            404,
            "not-found",
            "a tile is called LEVEL/NUMBER or entries/NUMBER, its number in groups such as "
            "x001/234, and .p/WIDTH behind it where it is not full",
            "tile"
        );
    }
    Result<std::string> bytes = path->level ? log.tile(*path->level, path->tile, path->width)
                                            : log.bundle(path->tile, path->width);
    return bytes ? Response{.content_type = bytes_type, .body = *std::move(bytes)}
                 : api::answer_error(bytes.error(), "tile");
}

}  // namespace

void add_audit_routes(api::FrontDoor& door, Log& log, runtime::BlockingPool& pool) {
    const auto add = [&](std::string_view rest, AnswerAudit answer) {
        door.add(
            keys::Scope::admin,
            Method::get,
            fmt::format("/api/v1/audit{}", rest),
            [&log, &pool, answer](Exchange& exchange) {
                return std::optional{answer_audit(&log, &pool, answer, &exchange)};
            }
        );
    };
    add("", list_entries);
    add("/head", show_newest_head);
    add("/checkpoint", show_head);
    add("/key", show_key);
    add("/inclusion", prove_inclusion);
    add("/consistency", prove_consistency);
    add("/tile/{tile}", show_tile);
}

void tell(const Log& log, Instant now, metrics::Figures& figures) {
    const SignedHead head = log.known_head();
    figures.set(
        "footfall_audit_head_entries",
        "Entries under the newest head of the audit log that this process knows.",
        static_cast<std::size_t>(head.head.size)
    );
    figures.raise(
        "footfall_audit_entries_total",
        "Entries that this process has put into the audit log.",
        log.recorded()
    );
    const auto age = std::chrono::duration_cast<std::chrono::seconds>(now - head.when).count();
    figures.set(
        "footfall_audit_head_age_seconds",
        "Seconds since that head was signed.",
        static_cast<std::size_t>(std::max<std::int64_t>(age, 0))
    );
    figures.set(
        "footfall_audit_broken",
        "1 while nothing can be recorded since the log is not as it was signed, else 0.",
        log.is_broken() ? 1 : 0
    );
}

}  // namespace footfall::audit::routes
