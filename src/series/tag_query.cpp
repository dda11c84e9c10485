#include "series/tag_query.h"

#include "foundation/beginning_of.h"
#include "foundation/utf8.h"
#include "series/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::series {
namespace {

constexpr std::size_t shown_bytes = 100;

std::unexpected<Error> bad_condition(std::string_view text, std::string_view why) {
    return fail(
        ErrorKind::invalid_input,
        fmt::format("the condition {} on tags {}", beginning_of(text, shown_bytes), why)
    );
}

/// The value of a tag of the name; empty: it has none.
std::string_view value_of(std::string_view name, std::string_view tag) {
    std::string_view value;
    each_tag(name, [&](std::string_view each, std::string_view given) {
        value = each == tag ? given : value;
    });
    return value;
}

}  // namespace

Result<TagQuery::Condition> TagQuery::parse_condition(std::string_view text) {
    if (!is_utf8(text)) {
        return fail(ErrorKind::invalid_input, "a condition on tags is no UTF-8");
    }
    const std::size_t end = text.find_first_of(";!=");
    if (end == 0 || end == std::string_view::npos || text[end] == ';') {
        return bad_condition(text, "is none of tag=value, tag!=value, tag=~pattern, tag!=~pattern");
    }
    std::string_view rest = text.substr(end);
    const bool is_negated = rest.starts_with('!');
    rest.remove_prefix(is_negated ? 1 : 0);
    if (!rest.starts_with('=')) {
        return bad_condition(text, "has a ! without a =");
    }
    rest.remove_prefix(1);
    const bool is_pattern = rest.starts_with('~');
    rest.remove_prefix(is_pattern ? 1 : 0);
    if (rest.contains(';')) {
        return bad_condition(text, "has a semicolon, which no value has");
    }
    if (text.size() > name_bytes_max + TagPattern::bytes_max) {
        return bad_condition(text, "is too long");
    }
    Condition condition{
        .tag = std::string{text.substr(0, end)},
        .is = is_negated ? Operator::unequal : Operator::equal,
        .value = std::string{rest}
    };
    if (is_pattern) {
        condition.is = is_negated ? Operator::unlike : Operator::like;
        TRY(condition.pattern, TagPattern::parse(rest));
    }
    return condition;
}

bool TagQuery::Condition::holds_of(std::string_view given) const {
    switch (is) {
        case Operator::equal:
            return given == value;
        case Operator::unequal:
            return given != value;
        case Operator::like:
            return pattern.matches(given);
        case Operator::unlike:
            return !pattern.matches(given);
    }
    return false;
}

Result<TagQuery> TagQuery::parse(std::span<const std::string> conditions) {
    if (conditions.size() > conditions_max) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("there are more than {} conditions on tags", conditions_max)
        );
    }
    TagQuery query;
    for (const std::string& each : conditions) {
        TRY(Condition condition, parse_condition(each));
        query.conditions_.push_back(std::move(condition));
    }
    const bool is_of_empty = std::ranges::all_of(query.conditions_, [](const Condition& each) {
        return each.holds_of({});
    });
    if (!conditions.empty() && is_of_empty) {
        return fail(
            ErrorKind::invalid_input,
            "one condition on tags at least is to be one that no empty value meets"
        );
    }
    return query;
}

bool TagQuery::matches(std::string_view name) const {
    return std::ranges::all_of(conditions_, [&](const Condition& each) {
        return each.holds_of(value_of(name, each.tag));
    });
}

bool TagQuery::asks_for(std::string_view tag) const {
    return std::ranges::any_of(conditions_, [&](const Condition& each) { return each.tag == tag; });
}

const std::string* TagQuery::name() const {
    const auto found = std::ranges::find_if(conditions_, [](const Condition& each) {
        return each.tag == "name" && each.is == Operator::equal;
    });
    return found == conditions_.end() ? nullptr : &found->value;
}

}  // namespace footfall::series
