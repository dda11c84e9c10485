#include "segment_rules/rule_json.h"

#include "foundation/parse_number.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace footfall::segment_rules {
namespace {

namespace json = boost::json;

using Read = std::expected<Rule, RuleFault>;

constexpr std::string_view kinds =
    R"(a rule is one of {"event":{..}}, {"datum":{..}}, {"segment":NAME}, {"all":[..]}, {"any":[..]}, {"not":{..}})";

std::unexpected<RuleFault> wrong(std::string field, std::string detail) {
    return std::unexpected(RuleFault{.field = std::move(field), .detail = std::move(detail)});
}

/// The object that a field is, with none but these parts.
std::expected<const json::object*, RuleFault> object_of(
    const json::value& value,
    const std::string& field,
    std::initializer_list<std::string_view> known
) {
    const json::object* const object = value.if_object();
    if (object == nullptr) {
        return wrong(field, "it has to be an object");
    }
    for (const auto& [key, part] : *object) {
        if (std::ranges::find(known, std::string_view{key}) == known.end()) {
            return wrong(
                fmt::format("{}.{}", field, std::string_view{key}),
                fmt::format("there is no such part; there are {}", fmt::join(known, ", "))
            );
        }
    }
    return object;
}

/// A text within bounds; empty where it is not given and need not be.
std::expected<std::string, RuleFault> text_of(
    const json::object& object,
    std::string_view name,
    const std::string& field,
    std::size_t bytes_max,
    bool needed = false
) {
    const json::value* const value = object.if_contains(name);
    const std::string path = fmt::format("{}.{}", field, name);
    if (value == nullptr) {
        return needed ? std::expected<std::string, RuleFault>{wrong(path, "it has to be given")}
                      : std::string{};
    }
    const json::string* const text = value->if_string();
    if (text == nullptr || text->empty() || text->size() > bytes_max ||
        events::has_control_character(*text)) {
        return wrong(
            path, fmt::format("it has to be a text of 1 to {} bytes on one line", bytes_max)
        );
    }
    return std::string{*text};
}

/// Reads into `to`, or answers what is wrong.
template <class Value>
std::optional<RuleFault> take(Value& to, std::expected<Value, RuleFault> read) {
    if (!read) {
        return std::move(read).error();
    }
    to = *std::move(read);
    return std::nullopt;
}

std::expected<std::uint32_t, RuleFault> times_of(
    const json::object& object, const std::string& field
) {
    const json::value* const value = object.if_contains("times");
    if (value == nullptr) {
        return 1U;
    }
    const std::int64_t* const number = value->if_int64();
    if (number == nullptr || *number < 1 || *number > times_max) {
        return wrong(
            field + ".times", fmt::format("it has to be a whole number from 1 to {}", times_max)
        );
    }
    return static_cast<std::uint32_t>(*number);
}

std::expected<std::chrono::seconds, RuleFault> within_of(
    const json::object& object, const std::string& field
) {
    const json::value* const value = object.if_contains("within");
    const json::string* const text = value == nullptr ? nullptr : value->if_string();
    const auto read = text == nullptr ? std::nullopt : parse_duration(std::string_view{*text});
    if (!read || *read < std::chrono::seconds{1} || *read > within_max) {
        return wrong(
            field + ".within",
            R"(it has to be a time from "1s" to "366d", as "90s", "15m", "2h" or "30d")"
        );
    }
    return *read;
}

Read event_of(const json::value& value, const std::string& field) {
    const auto object = object_of(
        value, field, {"action", "object", "ad", "reseller", "publisher", "times", "within"}
    );
    if (!object) {
        return std::unexpected(object.error());
    }
    EventTerm term;

    const struct {
        std::string_view name;
        std::string* to;
        std::size_t bytes_max;
        bool needed;
    } texts[] = {
        {"action", &term.action, events::longest_action, true},
        {"object", &term.object, events::longest_name, false},
        {"ad", &term.ad, events::longest_id, false},
        {"reseller", &term.reseller, events::longest_id, false},
        {"publisher", &term.publisher, events::longest_id, false}
    };

    for (const auto& each : texts) {
        if (auto fault =
                take(*each.to, text_of(**object, each.name, field, each.bytes_max, each.needed))) {
            return std::unexpected(*std::move(fault));
        }
    }
    if (auto fault = take(term.times, times_of(**object, field))) {
        return std::unexpected(*std::move(fault));
    }
    if (auto fault = take(term.within, within_of(**object, field))) {
        return std::unexpected(*std::move(fault));
    }
    return Rule{std::move(term)};
}

/// One of the bounds of a number.
std::expected<std::optional<std::int64_t>, RuleFault> bound_of(
    const json::object& object, std::string_view name, const std::string& field
) {
    const json::value* const value = object.if_contains(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (const std::int64_t* const number = value->if_int64()) {
        return *number;
    }
    return wrong(fmt::format("{}.{}", field, name), "it has to be a whole number");
}

Read datum_of(const json::value& value, const std::string& field) {
    const auto object = object_of(value, field, {"name", "is", "at_least", "at_most"});
    if (!object) {
        return std::unexpected(object.error());
    }
    DatumTerm term;
    if (auto fault = take(term.name, text_of(**object, "name", field, events::longest_id, true))) {
        return std::unexpected(*std::move(fault));
    }
    if (auto fault = take(term.at_least, bound_of(**object, "at_least", field))) {
        return std::unexpected(*std::move(fault));
    }
    if (auto fault = take(term.at_most, bound_of(**object, "at_most", field))) {
        return std::unexpected(*std::move(fault));
    }
    const json::value* const is = (*object)->if_contains("is");
    if ((is == nullptr) == (!term.at_least && !term.at_most)) {
        return wrong(field, R"(it has to have either "is" or one of "at_least" and "at_most")");
    }
    if (term.at_least && term.at_most && *term.at_least > *term.at_most) {
        return wrong(field + ".at_most", "it is below at_least, so nobody is within");
    }
    if (is != nullptr) {
        if (!is->is_string() && !is->is_int64() && !is->is_bool()) {
            return wrong(field + ".is", "it has to be a text, a whole number, true or false");
        }
        term.is = json::serialize(*is);
        if (term.is.size() > events::longest_name) {
            return wrong(field + ".is", fmt::format("at most {} bytes", events::longest_name));
        }
    }
    return Rule{std::move(term)};
}

/// Reads rules within rules; counts terms.
class Reading {
public:
    Read rule(const json::value& value, const std::string& field, std::size_t depth) {
        const json::object* const object = value.if_object();
        if (object == nullptr || object->size() != 1) {
            return wrong(field, std::string{kinds});
        }
        const std::string_view kind = object->begin()->key();
        const json::value& part = object->begin()->value();
        const std::string path = fmt::format("{}.{}", field, kind);
        if (kind == "all" || kind == "any" || kind == "not") {
            return depth == depth_max
                       ? Read{wrong(path, fmt::format("at most {} in each other", depth_max))}
                       : group(kind, part, path, depth + 1);
        }
        if (++terms_ > terms_max) {
            return wrong(path, fmt::format("a rule has at most {} terms", terms_max));
        }
        if (kind == "event") {
            return event_of(part, path);
        }
        if (kind == "datum") {
            return datum_of(part, path);
        }
        if (kind == "segment") {
            SegmentTerm term;
            if (auto fault =
                    take(term.name, text_of(*object, kind, field, events::longest_name, true))) {
                return std::unexpected(*std::move(fault));
            }
            return Rule{std::move(term)};
        }
        return wrong(path, std::string{kinds});
    }

private:
    Read group(
        std::string_view kind, const json::value& value, const std::string& field, std::size_t depth
    ) {
        Group group{.kind = Group::Kind::none, .parts = {}};
        if (kind == "not") {
            auto part = rule(value, field, depth);
            if (!part) {
                return part;
            }
            group.parts.push_back(*std::move(part));
            return Rule{std::move(group)};
        }
        group.kind = kind == "all" ? Group::Kind::all : Group::Kind::any;
        const json::array* const parts = value.if_array();
        if (parts == nullptr || parts->empty()) {
            return wrong(field, "it has to be a list of rules, at least one");
        }
        for (std::size_t at = 0; at < parts->size(); ++at) {
            auto part = rule((*parts)[at], fmt::format("{}[{}]", field, at), depth);
            if (!part) {
                return part;
            }
            group.parts.push_back(*std::move(part));
        }
        return Rule{std::move(group)};
    }

    std::size_t terms_ = 0;
};

json::value json_of_event(const EventTerm& term) {
    json::object event{{"action", term.action}};
    const std::pair<std::string_view, const std::string*> texts[] = {
        {"object", &term.object},
        {"ad", &term.ad},
        {"reseller", &term.reseller},
        {"publisher", &term.publisher}
    };
    for (const auto& [name, text] : texts) {
        if (!text->empty()) {
            event[name] = *text;
        }
    }
    if (term.times != 1) {
        event["times"] = std::int64_t{term.times};
    }
    constexpr std::int64_t day = 86'400;
    const std::int64_t seconds = term.within.count();
    event["within"] =
        seconds % day == 0 ? fmt::format("{}d", seconds / day) : fmt::format("{}s", seconds);
    return json::object{{"event", std::move(event)}};
}

json::value json_of_datum(const DatumTerm& term) {
    json::object datum{{"name", term.name}};
    if (!term.is.empty()) {
        datum["is"] = json::parse(term.is);
    }
    if (term.at_least) {
        datum["at_least"] = *term.at_least;
    }
    if (term.at_most) {
        datum["at_most"] = *term.at_most;
    }
    return json::object{{"datum", std::move(datum)}};
}

json::value json_of_group(const Group& group) {
    if (group.kind == Group::Kind::none) {
        return json::object{{"not", json_of(group.parts.front())}};
    }
    json::array parts;
    for (const Rule& part : group.parts) {
        parts.push_back(json_of(part));
    }
    return json::object{{group.kind == Group::Kind::all ? "all" : "any", std::move(parts)}};
}

}  // namespace

std::expected<Rule, RuleFault> read_rule(const json::value& value, const std::string& field) {
    auto rule = Reading{}.rule(value, field, 0);
    if (rule && !is_grounded(*rule)) {
        return wrong(
            field,
            R"(it holds for people of whom nothing is known; put "not" beside what they do, in "all")"
        );
    }
    return rule;
}

json::value json_of(const Rule& rule) {
    if (const auto* const event = std::get_if<EventTerm>(&rule.is)) {
        return json_of_event(*event);
    }
    if (const auto* const datum = std::get_if<DatumTerm>(&rule.is)) {
        return json_of_datum(*datum);
    }
    if (const auto* const segment = std::get_if<SegmentTerm>(&rule.is)) {
        return json::object{{"segment", segment->name}};
    }
    return json_of_group(std::get<Group>(rule.is));
}

}  // namespace footfall::segment_rules
