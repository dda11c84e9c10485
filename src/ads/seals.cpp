#include "ads/seals.h"

#include "ads/schema.h"
#include "projecting/writer.h"
#include "runtime/lanes.h"
#include "storage/blocking.h"

#include <algorithm>
#include <chrono>
#include <ranges>

namespace footfall::ads {
namespace {

/// Writers of this log by their names.
std::map<std::string, std::uint32_t, std::less<>> lanes_of(std::uint64_t log) {
    std::map<std::string, std::uint32_t, std::less<>> lanes;
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        lanes.emplace(projecting::writer_of(log, lane), lane);
    }
    return lanes;
}

}  // namespace

Result<Seals> Seals::read(storage::Store& store, std::uint64_t log) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store, {.table = &ledger_seal_table, .partition = {std::string{the_ledger}}}
        ));
    const auto lanes = lanes_of(log);
    Seals seals;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        SealedMonth& month = seals.months_[month_of(static_cast<Day>(rows.at(row, 1).number()))];
        const std::string_view writer = rows.at(row, 2).text();
        if (writer.empty()) {
            month.rows_written = true;
            continue;
        }
        const Instant at{std::chrono::microseconds{rows.at(row, 3).number()}};
        if (month.lanes.empty() || at < month.sealed_at) {
            month.sealed_at = at;
            month.author = rows.at(row, 4).text();
            month.reason = rows.at(row, 5).text();
        }
        if (const auto lane = lanes.find(writer); lane != lanes.end()) {
            month.lanes[lane->second] = static_cast<std::uint64_t>(rows.at(row, 6).number());
        } else {
            ++month.lanes_elsewhere;
        }
    }
    return seals;
}

bool Seals::is_passed(const SealedMonth& month) {
    return month.rows_written || month.lanes.size() == runtime::lane_count;
}

std::optional<Month> Seals::sealed(std::optional<Instant> before) const {
    for (const auto& [month, seal] : std::views::reverse(months_)) {
        if (is_passed(seal) && (!before || seal.sealed_at < *before)) {
            return month;
        }
    }
    return std::nullopt;
}

bool Seals::is_sealing() const {
    return std::ranges::any_of(months_, [](const auto& each) { return !each.second.rows_written; });
}

std::optional<Month> Seals::written() const {
    for (const auto& [month, seal] : std::views::reverse(months_)) {
        if (seal.rows_written) {
            return month;
        }
    }
    return std::nullopt;
}

/// A month whose rows are written may have been sealed with a later one, and this lane may have its
/// own seal yet before it: that says nothing of the records before the later one. But where the
/// lanes of a log before this one have passed it, all of this log is behind it.
LaneSeals Seals::of_lane(std::uint32_t lane) const {
    LaneSeals seals;
    for (const auto& [month, seal] : months_) {
        if (const auto passed = seal.lanes.find(lane); passed != seal.lanes.end()) {
            seals.add(passed->second, month);
        } else if (seal.rows_written && seal.lanes_elsewhere >= runtime::lane_count) {
            seals.add_from_the_start(month);
        }
    }
    return seals;
}

void SealProgress::note(const Seals& seals) {
    if (const auto written = seals.written()) {
        note_written(*written);
    }
    if (!seals.months().empty()) {
        note_passed(seals.months().rbegin()->first);
    }
}

void SealProgress::raise(std::atomic<Month>& to, Month month) {
    for (Month now = to.load(); now < month && !to.compare_exchange_weak(now, month);) {
    }
}

std::vector<storage::Value> rows_written_row(Month month, Instant at) {
    return {
        std::string{the_ledger},
        std::int64_t{first_day(month)},
        std::string{},
        std::int64_t{at.time_since_epoch().count()},
        std::string{},
        std::string{},
        std::int64_t{0}
    };
}

}  // namespace footfall::ads
