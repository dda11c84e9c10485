#include "graphite/aggregation.h"
#include "graphite/functions.h"
#include "graphite/naming.h"
#include "graphite/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Functions that make one line of many.
namespace footfall::graphite {
namespace {

Result<Lines> aggregate_lines(Lines lines, const std::string& by) {
    if (lines.empty()) {
        return Lines{};
    }
    TRY(const Aggregation aggregation, aggregation_named(by));
    const std::string name = fmt::format("{}Series({})", by, paths_of(lines));
    return Lines{aggregated(std::move(lines), aggregation, name, by)};
}

Lines all_lines(Call& call) {
    Lines all;
    for (Value& each : call.values) {
        if (auto* const lines = std::get_if<Lines>(&each)) {
            std::ranges::move(*lines, std::back_inserter(all));
        }
    }
    return all;
}

Result<Lines> sum_series(Call& call) {
    return aggregate_lines(all_lines(call), "sum");
}

Result<Lines> average_series(Call& call) {
    return aggregate_lines(all_lines(call), "average");
}

Result<Lines> min_series(Call& call) {
    return aggregate_lines(all_lines(call), "min");
}

Result<Lines> max_series(Call& call) {
    return aggregate_lines(all_lines(call), "max");
}

Result<Lines> diff_series(Call& call) {
    return aggregate_lines(all_lines(call), "diff");
}

Result<Lines> aggregate(Call& call) {
    return aggregate_lines(std::move(call.lines()), call.text(1));
}

using Groups = std::vector<std::pair<std::string, Lines>>;

/// By key, in the order in which keys are met.
Groups grouped(Lines lines, std::span<const Value> nodes) {
    Groups groups;
    std::map<std::string, std::size_t> places;
    for (Drawn& each : lines) {
        std::string key = key_of(each, nodes);
        const auto [place, is_new] = places.try_emplace(key, groups.size());
        if (is_new) {
            groups.emplace_back(std::move(key), Lines{});
        }
        groups[place->second].second.push_back(std::move(each));
    }
    return groups;
}

/// What is said to be combined by "avg" is so by a function of that name, which says "average".
Result<Lines> group(Lines lines, std::span<const Value> nodes, std::string by) {
    by = by == "avg" ? "average" : by;
    Lines all;
    for (auto& [key, some] : grouped(std::move(lines), nodes)) {
        TRY(Lines one, aggregate_lines(std::move(some), by));
        one.front().name = key;
        all.push_back(std::move(one.front()));
    }
    return all;
}

Result<Lines> group_by_node(Call& call) {
    const std::string by = call.text(2);
    return group(std::move(call.lines()), std::span{call.values}.subspan(1, 1), by);
}

Result<Lines> group_by_nodes(Call& call) {
    const std::string by = call.text(1);
    return group(std::move(call.lines()), std::span{call.values}.subspan(2), by);
}

/// Of a total of 0 no value is a share.
std::optional<double> percent(const std::optional<double>& value, const std::optional<double>& of) {
    return value && of && *of != 0 ? std::optional{*value / *of * 100} : std::nullopt;
}

std::optional<double> value_at(const Values& values, std::size_t at) {
    return at < values.size() ? values[at] : std::nullopt;
}

/// A line of which each value is a share of the total's of that time.
Drawn share_of(Drawn line, Drawn total) {
    Lines both;
    both.push_back(std::move(line));
    both.push_back(std::move(total));
    bring_to_one_step(both);
    Drawn share = std::move(both.front());
    const Values& of = both.back().values;
    share.start = std::min(share.start, both.back().start);
    share.end = std::max(share.end, both.back().end);
    share.values.resize(std::max(share.values.size(), of.size()));
    for (std::size_t at = 0; at < share.values.size(); ++at) {
        share.values[at] = percent(share.values[at], value_at(of, at));
    }
    share.name = share.path = fmt::format("asPercent({},{})", share.name, both.back().name);
    share.tags = {{"name", share.name}};
    return share;
}

Result<Drawn> sum_of(Lines lines) {
    if (lines.size() == 1) {
        return std::move(lines.front());
    }
    TRY(Lines sum, aggregate_lines(std::move(lines), "sum"));
    return std::move(sum.front());
}

/// One where the other is missing: no values.
Drawn without_other(Drawn line, std::string name) {
    line.name = line.path = std::move(name);
    line.tags = {{"name", line.name}};
    std::ranges::fill(line.values, std::nullopt);
    return line;
}

/// Shares of the total of each group.
Result<Lines> shares_by_group(Call& call) {
    if (call.has(1) && !std::holds_alternative<Lines>(call.values[1])) {
        return fail(
            ErrorKind::invalid_input,
            "target: with nodes the total of asPercent is to be None or series"
        );
    }
    const std::span<const Value> nodes = std::span{call.values}.subspan(2);
    const Groups groups = grouped(call.lines(), nodes);
    std::map<std::string, Drawn> totals;
    std::vector<std::string> total_keys;
    for (auto& [key, lines] : call.has(1) ? grouped(call.lines(1), nodes) : groups) {
        TRY(Drawn total, sum_of(lines));
        totals.emplace(key, std::move(total));
        total_keys.push_back(key);
    }
    Lines shares;
    std::map<std::string, bool> met;
    for (const auto& [key, lines] : groups) {
        met[key] = true;
        const auto total = totals.find(key);
        for (const Drawn& each : lines) {
            shares.push_back(
                total != totals.end()
                    ? share_of(each, total->second)
                    : without_other(each, fmt::format("asPercent({},MISSING)", each.name))
            );
        }
    }
    for (const std::string& key : total_keys) {
        if (!met.contains(key)) {
            const Drawn& total = totals.at(key);
            shares.push_back(without_other(total, fmt::format("asPercent(MISSING,{})", total.name))
            );
        }
    }
    return shares;
}

Result<Lines> as_percent(Call& call) {
    if (call.lines().empty()) {
        return Lines{};
    }
    if (call.has(2)) {
        return shares_by_group(call);
    }
    Lines lines = std::move(call.lines());
    Lines totals;
    if (!call.has(1)) {
        TRY(totals, aggregate_lines(lines, "sum"));
    } else if (auto* const given = std::get_if<Lines>(&call.values[1])) {
        totals = std::move(*given);
    } else {
        const Number& number = call.number(1);
        totals.push_back(lines.front());
        totals.front().name = text_of(number);
        std::ranges::fill(totals.front().values, number.value);
    }
    if (totals.size() != 1 && totals.size() != lines.size()) {
        return fail(
            ErrorKind::invalid_input,
            "target: the total of asPercent is to be a number, one series, or as many as there are"
        );
    }
    if (totals.size() > 1) {
        const auto name = [](const Drawn& line) { return line.name; };
        sort_lines(lines, false, name);
        sort_lines(totals, false, name);
    }
    Lines shares;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        shares.push_back(
            share_of(std::move(lines[at]), totals.size() == 1 ? totals.front() : totals[at])
        );
    }
    return shares;
}

}  // namespace

std::vector<Function> combining_functions() {
    const std::vector<Parameter> any_lines{
        {.name = "seriesLists", .wanted = Wanted::lines, .is_required = true, .repeats = true}
    };
    const Parameter lines{.name = first_parameter, .wanted = Wanted::lines, .is_required = true};
    const Parameter node{.name = "nodeNum", .wanted = Wanted::node, .is_required = true};
    const Parameter nodes{
        .name = "nodes", .wanted = Wanted::node, .is_required = true, .repeats = true
    };
    const Parameter func{.name = "func", .wanted = Wanted::aggregation, .is_required = true};
    const Parameter by{.name = "callback", .wanted = Wanted::aggregation, .is_required = true};
    const Parameter by_average{
        .name = "callback", .wanted = Wanted::aggregation, .otherwise = std::string{"average"}
    };
    constexpr std::string_view average = "The means of the values of each time.";
    constexpr std::string_view sum = "The sums of the values of each time.";
    return {
        {"aggregate",
         "Combine",
         "One series of what an aggregation makes of the values of each time.",
         {lines, func},
         aggregate},
        {"asPercent",
         "Combine",
         "Each series as a share of a hundred: of the sum of all, of a number, of other series, "
         "or, "
         "with nodes, of the total of its group.",
         {lines,
          {.name = "total", .wanted = Wanted::lines_or_number},
          {.name = "nodes", .wanted = Wanted::node, .repeats = true}},
         as_percent},
        {"averageSeries", "Combine", average, any_lines, average_series},
        {"avg", "Combine", average, any_lines, average_series},
        {"diffSeries",
         "Combine",
         "The values of the first series less those of all others.",
         any_lines,
         diff_series},
        {"groupByNode",
         "Combine",
         "One series for each part of the names at this place, counted from 0, or each value of "
         "this tag.",
         {lines, node, by_average},
         group_by_node},
        {"groupByNodes",
         "Combine",
         "The same by several parts of the names, or tags.",
         {lines, by, nodes},
         group_by_nodes},
        {"maxSeries", "Combine", "The greatest value of each time.", any_lines, max_series},
        {"minSeries", "Combine", "The least value of each time.", any_lines, min_series},
        {"sum", "Combine", sum, any_lines, sum_series},
        {"sumSeries", "Combine", sum, any_lines, sum_series},
    };
}

}  // namespace footfall::graphite
