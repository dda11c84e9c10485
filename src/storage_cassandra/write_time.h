#pragma once

#include "foundation/clock.h"
#include "storage/table.h"

#include <cstdint>
#include <optional>

namespace footfall::storage_cassandra {

/// How far the writes of this deployment's processes may have come in time: one row, and the
/// greatest value ever written to it stands, since it is written at the time it names.
inline const storage::Table write_time_table{
    .name = "write_time",
    .purpose = "No write of this keyspace has a timestamp beyond this one.",
    .partition = {{"name", storage::ColumnType::text}},
    .clustering = {},
    .values = {{"reserved", storage::ColumnType::timestamp}}
};

/// The timestamps of writes. Of two writes to a row Cassandra keeps the one with the later
/// timestamp, whichever came last; so timestamps have to grow with every batch, over restarts and
/// whatever the clock does, or an acknowledged write would lose against one that was there before.
///
/// They follow the clock where it goes forward and count on by one microsecond where it does not,
/// and never pass what has been reserved durably: the next process starts behind that. So what is
/// reserved has to be kept ahead of the clock, also while nothing is written: a first write after
/// it lapsed counts on from the last one, and loses against what others wrote since. (That also
/// keeps out who was stopped for long with a write under way.)
///
/// Rows of shared tables (Table::shared) are nobody's to take over. Were what a process writes to
/// them put behind all that is reserved, it would stand over what another process is told in the
/// seconds after that. So they follow the clock from the start, unless the clock is seen to have
/// gone back: where it is that far behind what is reserved.
///
/// Not thread-safe.
class WriteTime {
public:
    /// How far ahead of the clock is reserved, in microseconds.
    static constexpr std::int64_t window = 10'000'000;
    /// How far ahead of the last timestamp, where that is ahead of the clock: little, since who
    /// comes next starts behind it, and each start would move all further ahead.
    static constexpr std::int64_t step = 100'000;
    /// The clock of a process that starts has gone back if it is that far behind what is reserved.
    static constexpr std::int64_t gone_back = 2 * window;

    /// Of one batch, in microseconds.
    struct Stamps {
        std::int64_t owned;
        std::int64_t shared;

        friend bool operator==(const Stamps&, const Stamps&) = default;
    };

    /// For a process that starts: others have reserved so much, which is durable.
    WriteTime(std::int64_t reserved, Instant now);

    /// The timestamps of the next batch; absent while nothing is reserved.
    std::optional<Stamps> next(Instant now);

    /// What comes next of rows that have an owner is later than this, which is durable.
    void begin_behind(std::int64_t others);

    /// What to reserve to come after what others have reserved.
    static std::int64_t behind(std::int64_t others, Instant now);

    /// What to reserve, if it is time to.
    std::optional<std::int64_t> wanted(Instant now) const;

    /// That much is durable.
    void reserved(std::int64_t through);

private:
    Stamps last_;  ///< `shared` is never later than `owned`.
    std::int64_t reserved_;
};

}  // namespace footfall::storage_cassandra
