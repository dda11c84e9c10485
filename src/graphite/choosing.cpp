#include "graphite/aggregation.h"
#include "graphite/functions.h"
#include "graphite/naming.h"
#include "graphite/rows.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Functions that name lines, sort them, and choose some, by tags too.
namespace footfall::graphite {
namespace {

Result<Lines> alias(Call& call) {
    for (Drawn& line : call.lines()) {
        line.name = call.text(1);
    }
    return std::move(call.lines());
}

Result<Lines> alias_by_node(Call& call) {
    for (Drawn& line : call.lines()) {
        line.name = key_of(line, std::span{call.values}.subspan(1));
    }
    return std::move(call.lines());
}

Lines first_of(Lines lines, double most) {
    lines.resize(std::min(lines.size(), static_cast<std::size_t>(most)));
    return lines;
}

Result<Lines> limit(Call& call) {
    return first_of(std::move(call.lines()), call.number(1).value);
}

/// By what an aggregation makes of all values of each.
Result<Lines> sorted_by(Lines lines, const std::string& by, bool is_falling) {
    TRY(const Aggregation aggregation, aggregation_named(by));
    sort_lines(lines, is_falling, [&](const Drawn& line) {
        return aggregation(line.values).value_or(-std::numeric_limits<double>::infinity());
    });
    return lines;
}

Result<Lines> sort_by(Call& call) {
    return sorted_by(std::move(call.lines()), call.text(1), call.truth(2));
}

Result<Lines> highest(Call& call) {
    TRY(Lines sorted, sorted_by(std::move(call.lines()), call.text(2), true));
    return first_of(std::move(sorted), call.number(1).value);
}

Result<Lines> highest_max(Call& call) {
    TRY(Lines sorted, sorted_by(std::move(call.lines()), "max", true));
    return first_of(std::move(sorted), call.number(1).value);
}

/// Those whose tags meet all conditions. What is made of them is named by the call as it was
/// written.
Result<Lines> series_by_tag(Call& call) {
    std::vector<std::string> conditions;
    conditions.reserve(call.values.size());
    for (const Value& each : call.values) {
        conditions.push_back(std::get<std::string>(each));
    }
    const Question& question = *call.question;
    TRY(Lines lines, question.fetch_tagged(conditions, question.asked()));
    for (Drawn& line : lines) {
        line.path = call.expression->source;
    }
    return lines;
}

/// With numbers of ten digits, so that server9 comes before server10.
std::string natural(const std::string& name) {
    constexpr std::size_t digits = 10;
    std::string key;
    for (std::size_t at = 0; at < name.size();) {
        std::size_t end = at;
        while (end < name.size() && name[end] >= '0' && name[end] <= '9') {
            ++end;
        }
        if (end == at) {
            key += name[at++];
            continue;
        }
        std::size_t first = std::min(name.find_first_not_of('0', at), end - 1);
        key.append(digits - std::min(digits, end - first), '0');
        key.append(name, first, end - first);
        at = end;
    }
    return key;
}

Result<Lines> sort_by_name(Call& call) {
    const bool is_natural = call.truth(1);
    sort_lines(call.lines(), call.truth(2), [&](const Drawn& line) {
        return is_natural ? natural(line.name) : line.name;
    });
    return std::move(call.lines());
}

}  // namespace

std::vector<Function> choosing_functions() {
    const Parameter lines{.name = first_parameter, .wanted = Wanted::lines, .is_required = true};
    const Parameter nodes{
        .name = "nodes", .wanted = Wanted::node, .is_required = true, .repeats = true
    };
    const Parameter count{.name = "n", .wanted = Wanted::count, .is_required = true};
    const Parameter func{
        .name = "func", .wanted = Wanted::aggregation, .otherwise = std::string{"average"}
    };
    const Parameter reverse{.name = "reverse", .wanted = Wanted::truth, .otherwise = false};
    const Parameter natural{.name = "natural", .wanted = Wanted::truth, .otherwise = false};
    const Number one{.value = 1, .text = "1"};
    const Parameter name{.name = "newName", .wanted = Wanted::text, .is_required = true};
    const Parameter conditions{
        .name = "tagExpressions", .wanted = Wanted::text, .is_required = true, .repeats = true
    };
    return {
        {"alias", "Alias", "Names each series as it is told.", {lines, name}, alias, true},
        {"aliasByNode",
         "Alias",
         "Names each series by parts of its name, counted from 0, or by tags, joined by dots.",
         {lines, nodes},
         alias_by_node,
         true},
        {"aliasByTags",
         "Alias",
         "Names each series by tags, or by parts of its name, joined by dots.",
         {lines, nodes},
         alias_by_node,
         true},
        {"highest",
         "Filter Series",
         "The n series of which the aggregation of all values is the highest.",
         {lines, {.name = "n", .wanted = Wanted::count, .otherwise = one}, func},
         highest},
        {"highestMax",
         "Filter Series",
         "The n series whose maximum is the highest.",
         {lines, count},
         highest_max},
        {"limit", "Filter Series", "The first n series.", {lines, count}, limit, true},
        {"seriesByTag",
         "Special",
         "The series whose tags meet all conditions: 'tag=value', 'tag!=value', 'tag=~pattern', "
         "'tag!=~pattern'. The name of a series is its tag name.",
         {conditions},
         series_by_tag,
         true},
        {"sortBy",
         "Sorting",
         "Sorts series by an aggregation of all their values.",
         {lines, func, reverse},
         sort_by},
        {"sortByName",
         "Sorting",
         "Sorts series by their names; naturally: server9 before server10.",
         {lines, natural, reverse},
         sort_by_name,
         true},
    };
}

}  // namespace footfall::graphite
