// A row of counts is written behind the rows of classes that follow from them: counts that say of a
// URL in which classes it stands are never stored without these.

#include "reading/day_ranks.h"

#include "projecting/lane_phase.h"
#include "projecting/writer.h"
#include "rankings/size_class.h"
#include "reading/schema.h"
#include "reading/url_readers.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>

namespace footfall::reading {
namespace {

/// Days of which no window is asked any more.
constexpr people::UtcDay days_of_use = 31;

constexpr std::size_t through_column = 1;
constexpr std::size_t counts_column = 2;

}  // namespace

Result<void> DayRanks::begin(std::span<const projecting::LaneStart> lanes) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(lanes.size());
    for (const projecting::LaneStart& each : lanes) {
        keys.push_back({projecting::writer_of(options_.log, each.lane)});
    }
    TRY(const storage::Found found, storage::read_many(*store_, read_count_table, std::move(keys)));
    for (std::size_t at = 0; at < lanes.size(); ++at) {
        Lane stored;
        if (const auto row = found.row_of_key[at]) {
            stored.through =
                static_cast<std::uint64_t>(found.rows.at(*row, through_column).number());
            TRY(stored.counts, DayCounts::decode(found.rows.at(*row, counts_column).text()));
        }
        lanes_.change(lanes[at].lane, [&](Lane& own) {
            stored.drops = own.drops;
            own = std::move(stored);
        });
    }
    return {};
}

void DayRanks::apply(std::uint32_t lane, std::span<const rankings::TrendFact> reads) {
    const Instant now = clock_->now();
    const people::UtcDay first_day = people::utc_day_of(now) - days_of_use;
    lanes_.change(lane, [&](Lane& own) {
        own.counts.forget_before(first_day);
        const std::uint64_t included = own.through;  // a record may tell several
        for (const rankings::TrendFact& each : reads) {
            const people::UtcDay day = people::utc_day_of(each.time);
            if (each.offset < included || day < first_day) {
                continue;
            }
            own.through = each.offset + 1;
            if (!own.first) {
                own.first = each.offset;
                own.since = now;
            }
            const DayCounts::Change change = own.counts.add(each.object_hash, day);
            if (rankings::size_class_of(change.before) == rankings::size_class_of(change.after)) {
                continue;  // mostly
            }
            rows_.add(lane, each.offset, [&](storage::Batch& rows) {
                rankings::append_rank_rows(
                    ranked_reads,
                    {.object = each.object, .lane = lane, .day = day},
                    change.before,
                    change.after,
                    rows
                );
            });
        }
    });
}

Result<void> DayRanks::wait_for_room() {
    constexpr std::size_t rows_bytes_max = 8 << 20;
    return rows_.bytes() < rows_bytes_max ? Result<void>{} : rows_.flush(true);
}

Result<void> DayRanks::flush(bool all) {
    /// Of so many lanes counts are in memory a second time.
    constexpr std::size_t saved_together = 8;
    TRY_VOID(rows_.flush(all));
    const std::lock_guard alone{flushing_};
    for (std::uint32_t lane = 0; lane < lanes_.count;) {
        std::vector<Saved> saved;
        for (; lane < lanes_.count && saved.size() < saved_together; ++lane) {
            if (auto each = save(lane, all)) {
                saved.push_back(*std::move(each));
            }
        }
        if (saved.empty()) {
            break;
        }
        TRY_VOID(rows_.flush(true));
        storage::CommitPosition position = 0;
        for (const Saved& each : saved) {
            TRY(const storage::CommitPosition at, submit(each));
            position = std::max(position, at);
        }
        TRY_VOID(storage::wait_durable(*store_, position));
        for (const Saved& each : saved) {
            lanes_.change(each.lane, [&](Lane& own) {
                if (own.drops == each.drops) {
                    own.first =
                        own.through == each.through ? std::nullopt : std::optional{each.through};
                }
            });
        }
    }
    return {};
}

/// What is due.
std::optional<DayRanks::Saved> DayRanks::save(std::uint32_t lane, bool all) {
    const Instant now = clock_->now();
    return lanes_.change(lane, [&](Lane& own) -> std::optional<Saved> {
        if (!own.first ||
            (!all && !projecting::is_due(lane, own.since, now, options_.state_interval))) {
            return std::nullopt;
        }
        own.since = now;  // of what comes from here on
        return Saved{
            .lane = lane, .drops = own.drops, .through = own.through, .state = own.counts.encode()
        };
    });
}

/// Nothing of a lane that was dropped meanwhile.
Result<storage::CommitPosition> DayRanks::submit(const Saved& saved) {
    const std::lock_guard lock{submitting_};
    if (lanes_.look(saved.lane, [](const Lane& own) { return own.drops; }) != saved.drops) {
        return storage::CommitPosition{0};
    }
    storage::Batch batch;
    batch.upsert(
        read_count_table,
        {projecting::writer_of(options_.log, saved.lane),
         static_cast<std::int64_t>(saved.through),
         saved.state}
    );
    return store_->submit(batch);
}

std::optional<std::uint64_t> DayRanks::unsaved(std::uint32_t lane) {
    const auto row = rows_.unsaved(lane);
    const auto count = lanes_.look(lane, [](const Lane& own) { return own.first; });
    return !row ? count : !count ? row : std::min(*row, *count);
}

void DayRanks::drop_lane(std::uint32_t lane) {
    lanes_.change(lane, [](Lane& own) { own = Lane{.drops = own.drops + 1}; });
    rows_.drop_lane(lane);
    const std::lock_guard until_it_is_submitted{submitting_};
}

std::vector<runtime::AuditedAccount> DayRanks::accounts() {
    return {
        {.of = "reading counts", .audit = [this](std::size_t lane) { return lanes_.audit(lane); }},
        {.of = "reading ranks", .audit = [this](std::size_t lane) { return rows_.audit(lane); }}
    };
}

}  // namespace footfall::reading
