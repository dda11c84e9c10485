#include "segments_routes/segment_routes.h"

#include "api/table_answer.h"
#include "events/rfc3339.h"
#include "foundation/json_string.h"
#include "segments_routes/audience_answers.h"
#include "segments_routes/change_json.h"
#include "segments_routes/estimate_json.h"
#include "segments_routes/rule_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segments::routes {
namespace {

using api::answer_error;
using api::Asked;
using http_server::Method;
using http_server::Request;
using http_server::Response;

constexpr std::uint64_t segments_shown = 100;
constexpr std::uint64_t segments_shown_max = 1000;
constexpr std::uint64_t changes_shown = 1000;
/// What every reader of JSON takes for a whole number.
constexpr std::uint64_t changes_after_max = (std::uint64_t{1} << 53) - 1;

std::string segment_json(
    const std::string& name, std::uint64_t people, const AskedPeople::Sizes& sizes
) {
    return fmt::format(
        R"({{"name":{},{},"as_of":"{}"}})",
        json_string(name),
        people_members(estimate_of(people, sizes.one_of)),
        events::format_rfc3339(sizes.as_of)
    );
}

/// The sizes of these, some at a time; a segment that has gone meanwhile has none.
Result<AskedPeople::Sizes> sizes_of(AskedPeople& people, const std::vector<std::string>& names) {
    AskedPeople::Sizes all{.people = {}, .as_of = Instant::max()};
    for (std::size_t first = 0; first < names.size(); first += asked_max) {
        const auto some =
            std::span{names}.subspan(first, std::min(asked_max, names.size() - first));
        TRY(const AskedPeople::Sizes sizes, people.sizes(some));
        all.people.insert(all.people.end(), sizes.people.begin(), sizes.people.end());
        all.as_of = std::min(all.as_of, sizes.as_of);
        all.one_of = std::max(all.one_of, sizes.one_of);
    }
    return all;
}

Response answer_list(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"prefix", "limit", "cursor"})) {
        return *std::move(refused);
    }
    const Asked<std::string> prefix = api::text_parameter(request, "prefix", "");
    const Asked<std::uint64_t> limit =
        api::number_parameter(request, "limit", segments_shown, 1, segments_shown_max);
    const Asked<std::string> cursor = api::text_parameter(request, "cursor", "");
    if (!prefix || !limit || !cursor) {
        return !prefix ? prefix.error() : !limit ? limit.error() : cursor.error();
    }
    if (prefix->size() > name_bytes_max) {
        return api::invalid_input("no name of a segment is as long as prefix", "prefix");
    }
    const auto page = sources.segments->list(*prefix, *cursor, *limit);
    if (!page) {
        return answer_error(page.error());
    }
    std::vector<std::string> names;
    for (const Segment& each : page->rows) {
        names.push_back(each.name);
    }
    const auto sizes = sizes_of(*sources.people, names);
    if (!sizes) {
        return answer_error(sizes.error());
    }
    std::string json = R"({"segments":[)";
    for (std::size_t at = 0; at < names.size(); ++at) {
        if (const auto people = sizes->people[at]) {
            json += json.ends_with('[') ? "" : ",";
            json += segment_json(names[at], *people, *sizes);
        }
    }
    json += R"(],"next":)";
    json += page->cursor.empty() ? "null" : json_string(page->cursor);
    return api::as_asked(
        request,
        api::json_answer(json + "}"),
        {.lists = {{.name = "segments"}},
         .columns = {"name", "people", "exact", "error", "low", "high", "as_of"}}
    );
}

Response answer_segment(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const Asked<std::string> segment = segment_in_path(request);
    if (!segment) {
        return segment.error();
    }
    if (is_audience(sources, request)) {
        return answer_audience_segment(sources, request, *segment);
    }
    const auto sizes = sources.people->sizes({&*segment, 1});
    if (!sizes) {
        return answer_failure(sizes.error());
    }
    const std::optional<std::uint64_t> people = sizes->people.front();
    if (!people) {
        return answer_unknown(*segment);
    }
    const auto read = sources.segments->rule_of(*segment);
    if (!read) {
        return answer_failure(read.error());
    }
    const std::optional<Segments::ShownRule>& rule = *read;
    std::string json = segment_json(*segment, *people, *sizes);
    if (rule) {
        json.pop_back();
        json += "," + rule_fields(*rule) + "}";
    }
    return api::json_answer(std::move(json));
}

Response answer_drop(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {})) {
        return *std::move(refused);
    }
    const Asked<std::string> segment = segment_in_path(request);
    if (!segment) {
        return segment.error();
    }
    if (const auto dropped = sources.segments->drop(*segment); !dropped) {
        return answer_failure(dropped.error());
    }
    return {.status = 204};
}

Response answer_changes(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"after", "network", "limit"})) {
        return *std::move(refused);
    }
    const Asked<std::string> segment = segment_in_path(request);
    const Asked<std::uint64_t> after =
        api::number_parameter(request, "after", 0, 0, changes_after_max);
    const auto network = api::name_parameter(request, "network");
    const Asked<std::uint64_t> limit =
        api::number_parameter(request, "limit", changes_shown, 1, page_max);
    if (!segment || !after) {
        return !segment ? segment.error() : after.error();
    }
    if (!network || !limit) {
        return !network ? network.error() : limit.error();
    }
    const auto page = sources.segments->changes(*segment, *after, network->value_or(""), *limit);
    if (!page) {
        return answer_failure(page.error());
    }
    std::string json = R"({"changes":[)";
    for (const Change& each : page->rows) {
        json += json.ends_with('[') ? "" : ",";
        append_change(each, {}, json);
    }
    return api::as_asked(
        request,
        api::json_answer(json + fmt::format(R"(],"next":{},"more":{}}})", page->after, page->more)),
        {.lists = {{.name = "changes"}},
         .columns = {"number", "change", "identifier", "id_name", "id_value", "time"}}
    );
}

/// A time of the query, or what stands for it where there is none.
Asked<Instant> instant_parameter(const Request& request, std::string_view name, Instant otherwise) {
    const Asked<std::string> text = api::text_parameter(request, name, "");
    if (!text) {
        return std::unexpected(text.error());
    }
    const auto instant = text->empty() ? std::optional{otherwise} : events::parse_rfc3339(*text);
    if (!instant) {
        return std::unexpected(
            api::invalid_input(fmt::format("{} is a time such as 2026-11-22T10:00:00Z", name), name)
        );
    }
    return *instant;
}

Response answer_sizes(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"from", "to"})) {
        return *std::move(refused);
    }
    const Asked<std::string> segment = segment_in_path(request);
    const Asked<Instant> to = instant_parameter(request, "to", sources.clock->now());
    if (!segment || !to) {
        return !segment ? segment.error() : to.error();
    }
    const Asked<Instant> from = instant_parameter(request, "from", *to - std::chrono::days{1});
    if (!from) {
        return from.error();
    }
    if (*from >= *to || *to - *from > SizeHistory::longest) {
        return api::invalid_input(
            fmt::format(
                "from is before to, and at most {} days before", SizeHistory::longest.count()
            ),
            "from"
        );
    }
    const auto sizes = sources.sizes->read(*segment, *from, *to);
    if (!sizes) {
        return answer_failure(sizes.error());
    }
    std::string json = fmt::format(
        R"({{"name":{},"from":"{}","to":"{}","step":{},"sizes":[)",
        json_string(*segment),
        events::format_rfc3339(*from),
        events::format_rfc3339(*to),
        sizes->step.count()
    );
    for (const SizeThen& each : sizes->rows) {
        json += fmt::format(
            R"({}{{"at":"{}","people":{}}})",
            json.ends_with('[') ? "" : ",",
            events::format_rfc3339(each.at),
            each.people
        );
    }
    return api::as_asked(
        request,
        api::json_answer(json + "]}"),
        {.lists = {{.name = "sizes"}}, .columns = {"at", "people"}}
    );
}

}  // namespace

void add_segment_routes(api::FrontDoor& door, const Sources& sources) {
    const auto scope = keys::Scope::people;
    const std::string segments = "/api/v1/segments";
    const std::string one = segments + "/{segment}";
    door.add(scope, Method::get, segments, on(sources.surveys, sources, answer_list));
    door.add_refusing(
        [keeper = door.keeper()](const Request& request) {
            return refuse_strangers(keeper, request);
        },
        Method::get,
        one,
        on(sources.lookups, sources, answer_segment)
    );
    door.acting({.kind = "segment_dropped"})
        .add(scope, Method::del, one, on(sources.surveys, sources, answer_drop));
    door.add(scope, Method::get, one + "/changes", on(sources.surveys, sources, answer_changes));
    door.add(scope, Method::get, one + "/sizes", on(sources.surveys, sources, answer_sizes));
}

}  // namespace footfall::segments::routes
