#include "storage_cassandra/slices.h"

#include "foundation/check.h"

#include <algorithm>
#include <cstddef>

namespace footfall::storage_cassandra {
namespace {

using storage::Table;
using storage::Value;

std::vector<Value> part(std::span<const Value> values, std::size_t from, std::size_t to) {
    const std::span<const Value> taken = values.subspan(from, to - from);
    return {taken.begin(), taken.end()};
}

/// Where the run of columns of one order that begins at `from` ends, at most at `width`.
std::size_t end_of_run(const Table& table, std::size_t from, std::size_t width) {
    std::size_t end = from;
    while (end < width && table.clustering[end].order == table.clustering[from].order) {
        ++end;
    }
    return end;
}

/// Where runs begin that come behind the one that ends at `from`.
std::vector<std::size_t> later_runs(const Table& table, std::size_t from, std::size_t width) {
    std::vector<std::size_t> begins;
    for (std::size_t at = from; at < width; at = end_of_run(table, at, width)) {
        begins.push_back(at);
    }
    return begins;
}

}  // namespace

std::vector<Slice> slices_between(
    const Table& table,
    std::span<const Value> start,
    bool start_included,
    std::span<const Value> end
) {
    CHECK(start.size() <= table.clustering.size(), "a bound is too long", table.name);
    CHECK(end.size() <= table.clustering.size(), "a bound is too long", table.name);
    std::size_t common = 0;
    while (common < std::min(start.size(), end.size()) && start[common] == end[common]) {
        ++common;
    }
    const bool one_starts_the_other = common == std::min(start.size(), end.size());
    if (one_starts_the_other && common == start.size() && !start_included) {
        return {};
    }
    if (!one_starts_the_other) {
        const bool ascending = table.clustering[common].order == storage::Order::ascending;
        if ((start[common] < end[common]) != ascending) {
            return {};
        }
    }
    std::vector<Slice> slices;
    const std::size_t start_run = end_of_run(table, common, start.size());
    const std::size_t end_run = end_of_run(table, common, end.size());
    // Behind `start`, from the rows that share most of it to those that share least.
    const std::vector<std::size_t> behind = later_runs(table, start_run, start.size());
    for (auto run = behind.rbegin(); run != behind.rend(); ++run) {
        const std::size_t run_end = end_of_run(table, *run, start.size());
        slices.push_back(
            {.equal = part(start, 0, *run),
             .lower = part(start, *run, run_end),
             .upper = {},
             .lower_included = start_included && run_end == start.size()}
        );
    }
    slices.push_back(
        {.equal = part(start, 0, common),
         .lower = part(start, common, start_run),
         .upper = part(end, common, end_run),
         .lower_included = start_included && start_run == start.size(),
         .upper_included = end_run == end.size()}
    );
    for (const std::size_t run : later_runs(table, end_run, end.size())) {
        const std::size_t run_end = end_of_run(table, run, end.size());
        slices.push_back(
            {.equal = part(end, 0, run),
             .lower = {},
             .upper = part(end, run, run_end),
             .upper_included = run_end == end.size()}
        );
    }
    return slices;
}

}  // namespace footfall::storage_cassandra
