#include "segments_routes/segment_queries.h"

#include "api/answers.h"
#include "api/small_json.h"
#include "events/event.h"
#include "foundation/names.h"
#include "segment_reports/report.h"
#include "segments/combinations.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>
#include <utility>

namespace footfall::segments::routes {
namespace {

using api::Asked;
using api::invalid_input;

/// Why a text can be no name of a segment; absent: it can.
std::optional<std::string> fault_of_name(std::string_view name) {
    if (const Result<void> sound = check_name("name of a segment", name); !sound) {
        return sound.error().message;
    }
    if (events::has_control_character(name)) {
        return "the name of a segment has no control characters";
    }
    return std::nullopt;
}

/// The names of a field; absent: none.
Asked<std::vector<std::string>> read_names(
    const boost::json::object& body, std::string_view field
) {
    const auto* const found = body.if_contains(field);
    if (found == nullptr) {
        return std::vector<std::string>{};
    }
    const auto* const list = found->if_array();
    if (list == nullptr) {
        return std::unexpected(invalid_input(
            fmt::format(R"({} is a list of names of segments: ["spring","loyal"])", field), field
        ));
    }
    std::vector<std::string> names;
    std::set<std::string_view> seen;
    for (const boost::json::value& each : *list) {
        const std::string place = fmt::format("{}[{}]", field, names.size());
        const auto* const text = each.if_string();
        if (text == nullptr) {
            return std::unexpected(
                invalid_input(fmt::format("{} is the name of a segment, a text", place), place)
            );
        }
        const std::string_view name{text->data(), text->size()};
        if (const auto fault = fault_of_name(name)) {
            return std::unexpected(invalid_input(*fault, place));
        }
        if (!seen.insert(name).second) {
            return std::unexpected(
                invalid_input(fmt::format("{} names a segment that stands before it", place), place)
            );
        }
        if (names.size() == asked_max) {
            return std::unexpected(invalid_input(
                fmt::format("{} names more than {} segments", field, asked_max), field
            ));
        }
        names.emplace_back(name);
    }
    return names;
}

/// The names of "segments", one at least.
Asked<std::vector<std::string>> read_compared(const boost::json::object& body) {
    auto names = read_names(body, "segments");
    if (names && names->empty()) {
        return std::unexpected(invalid_input(
            R"(segments names those to compare: {"segments":["spring","loyal"]})", "segments"
        ));
    }
    return names;
}

}  // namespace

Asked<Expression> read_count_query(std::string_view text) {
    const auto body = api::small_json(text, "the body", {"all", "any", "none"});
    if (!body) {
        return std::unexpected(body.error());
    }
    Expression query;
    const std::array lists{
        std::pair{"all", &query.all}, std::pair{"any", &query.any}, std::pair{"none", &query.none}
    };
    for (const auto& [field, list] : lists) {
        auto names = read_names(*body, field);
        if (!names) {
            return std::unexpected(std::move(names).error());
        }
        *list = *std::move(names);
    }
    if (query.all.size() + query.any.size() + query.none.size() > asked_max) {
        return std::unexpected(invalid_input(
            fmt::format("all, any and none name more than {} segments", asked_max), "all"
        ));
    }
    if (query.all.empty() && query.any.empty()) {
        return std::unexpected(invalid_input(
            "all or any names a segment: people are counted of those, and none takes some out",
            "all"
        ));
    }
    return query;
}

Asked<OverlapQuery> read_overlap_query(std::string_view text) {
    const auto body = api::small_json(text, "the body", {"segments", "combinations", "sketch"});
    if (!body) {
        return std::unexpected(body.error());
    }
    auto names = read_compared(*body);
    if (!names) {
        return std::unexpected(std::move(names).error());
    }
    OverlapQuery query{.segments = *std::move(names)};

    struct Flag {
        std::string_view field;
        bool* on;
        std::size_t most;
    };

    for (const Flag& each :
         {Flag{"combinations", &query.combinations, combined_max},
          Flag{"sketch", &query.sketch, sketched_max}}) {
        const auto* const found = body->if_contains(each.field);
        if (found != nullptr && !found->is_bool()) {
            return std::unexpected(
                invalid_input(fmt::format("{} is true or false", each.field), each.field)
            );
        }
        *each.on = found != nullptr && found->get_bool();
        if (*each.on && query.segments.size() > each.most) {
            return std::unexpected(invalid_input(
                fmt::format("{} is answered of {} segments at most", each.field, each.most),
                each.field
            ));
        }
    }
    if (query.sketch && query.combinations) {
        return std::unexpected(invalid_input(
            "combinations are counted, and sketch has pairs estimated: ask for one of them",
            "combinations"
        ));
    }
    return query;
}

Asked<ReportQuery> read_report_query(std::string_view text) {
    const auto body = api::small_json(text, "the body", {"segments", "at"});
    if (!body) {
        return std::unexpected(body.error());
    }
    auto names = read_compared(*body);
    if (!names) {
        return std::unexpected(std::move(names).error());
    }
    const auto* const at = body->if_contains("at");
    const auto* const time = at == nullptr ? nullptr : at->if_string();
    const Result<std::int64_t> minute = segment_reports::minute_of(
        time == nullptr ? std::string_view{} : std::string_view{time->data(), time->size()}
    );
    if (!minute) {
        return std::unexpected(invalid_input(fmt::format("at is {}", minute.error().message), "at")
        );
    }
    return ReportQuery{.segments = *std::move(names), .minute = *minute};
}

}  // namespace footfall::segments::routes
