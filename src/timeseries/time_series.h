#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "runtime/accounted_lanes.h"
#include "runtime/memory_shares.h"
#include "series/cell.h"
#include "series/glob.h"
#include "series/point.h"
#include "series/tag_query.h"
#include "storage/store.h"
#include "storage/subscription.h"
#include "timeseries/catalogue.h"
#include "timeseries/retention.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::timeseries {

/// A point and whose it is: a name as series::parse_name() gives it.
struct NamedPoint {
    std::string name;
    series::Point point;
};

/// The same where the name is somebody else's.
struct PointOf {
    std::string_view name;
    series::Point point;
};

/// Why a point was not taken.
enum class Refusal : std::uint8_t {
    old,       ///< It is of before what is kept.
    early,     ///< It is of more than a day from now.
    no_room,   ///< It is of a series more than there may be.
    same_hash  ///< Its series has the number of another one: give it another name.
};

inline constexpr std::size_t refusals = 4;

/// For figures and people: "old", "early", "no_room", "same_hash".
std::string_view name_of(Refusal refusal);

/// What became of points that were written.
struct Taken {
    storage::CommitPosition position = 0;  ///< When that is durable, so are they.
    std::uint64_t points = 0;
    std::array<std::uint64_t, refusals> refused{};
};

struct TimeSeriesOptions {
    SipKey secret;
    std::int64_t writer = 0;  ///< Of this process alone, in this run: drawn.
    Retention retention = {};
    std::size_t series_max = 1'000'000;
    /// Names take no more of it; null: as much as they want.
    runtime::MemoryShare* memory = nullptr;
};

/// The metrics store: points of series, written blind and merged when they are read. Of two values
/// of a time the one that was written later stands, so late points find their place and repeated
/// ones change nothing. In memory are the names of all series and nothing else.
///
/// Thread-safe. Writing never waits; what reads, blocks. `store` and `clock` must outlive it.
class TimeSeries {
public:
    TimeSeries(storage::Store& store, const Clock& clock, TimeSeriesOptions options);
    TimeSeries(const TimeSeries&) = delete;
    TimeSeries& operator=(const TimeSeries&) = delete;
    ~TimeSeries() = default;

    /// Reads which series there are. Before all else, and again where others write, too. Blocks.
    Result<void> load();

    /// Queues points to be stored; fails as Store::submit() does, and nothing was taken then. Costs
    /// a row for each series and hour among them; and one more for the first in each hour, by which
    /// it is found when it is to be sealed (Sealing).
    Result<Taken> write(std::span<const PointOf> points) { return write(points, Whole::no); }

    Result<Taken> write(std::span<const NamedPoint> points);

    /// The same, but if one of them is refused none is taken, and no series is there for it.
    Result<Taken> write_all(std::span<const PointOf> points) { return write(points, Whole::yes); }

    /// The points of a series from `from` to before `until`, in milliseconds, as long as it keeps
    /// them; none if there is no such series. `invalid_input` if they are more than
    /// points_read_max. Blocks.
    Result<std::vector<series::Point>> read(
        std::string_view name, std::int64_t from, std::int64_t until
    ) const;

    /// The same, in place of what `points` has: who reads many series one after the other has room
    /// for all of them.
    Result<void> read(
        std::string_view name,
        std::int64_t from,
        std::int64_t until,
        std::vector<series::Point>& points
    ) const;

    /// The cells of a series, of one of the coarser of its resolutions(): of the hours that are not
    /// sealed yet they are made of points. A late point shows in the cells of its hour once it is
    /// sealed anew. Blocks.
    Result<std::vector<series::Cell>> read_cells(
        std::string_view name,
        const series::Resolution& resolution,
        std::int64_t from,
        std::int64_t until
    ) const;

    /// One figure of each of these, as points at their times, in place of what `points` has. Takes
    /// a fifth of the time, or two for means. Blocks.
    Result<void> read_figure(
        std::string_view name,
        const series::Resolution& resolution,
        std::int64_t from,
        std::int64_t until,
        series::Figure figure,
        std::vector<series::Point>& points
    ) const;

    /// In which resolutions a series is kept, finest first: the first is of points.
    std::span<const series::Resolution> resolutions(std::string_view name) const {
        return options_.retention.of(name);
    }

    /// The same by its number; none if there is no such series. Copied, as its name may go.
    std::vector<series::Resolution> resolutions_of(SeriesId id) const;

    /// Clocks of senders may go ahead, not more.
    static constexpr std::chrono::milliseconds ahead_max = std::chrono::days{1};

    /// Catalogue::find() of what is known now.
    Result<std::vector<Node>> find(const series::Glob& pattern, std::size_t most) const;

    /// Calls `see` with each name with tags that fits, in order, until it answers false. Costs a
    /// look at each, a microsecond or so, or at those of one name where the query says which;
    /// others that look or write wait for 10,000 of these at most. `cancelled` once `left` is asked
    /// to stop. `see` must not call back.
    Result<void> each_tagged(
        const series::TagQuery& query,
        const std::stop_token& left,
        const std::function<bool(std::string_view)>& see
    ) const;

    /// Calls `see` with each name, in order; `invalid_input` where there are more than `most`, or
    /// they take more than 64 MiB. `see` must not call back.
    Result<void> each_name(std::size_t most, const std::function<void(std::string_view)>& see)
        const;

    /// Catalogue::names_from() of what is known now.
    std::vector<std::string> names_from(
        Catalogue::Tagged tagged, std::string_view from, std::size_t most
    ) const;

    /// Forgets the names of series whose points and cells have all expired. Costs what there are
    /// series.
    void forget_expired();

    /// In words, why there is no room for a series more.
    std::string no_room() const;

    const Retention& retention() const { return options_.retention; }

    std::size_t series() const;
    std::size_t bytes() const;
    runtime::AccountAudit audit(std::size_t lane) const;

    /// Whoever waited for Taken::position says so of its points.
    void count_durable(std::uint64_t points) {
        points_.fetch_add(points, std::memory_order_relaxed);
    }

    /// Points that were durable, as far as somebody waited for it.
    std::uint64_t durable_points() const { return points_.load(std::memory_order_relaxed); }

    std::uint64_t refused(Refusal why) const {
        return refused_[static_cast<std::size_t>(why)].load(std::memory_order_relaxed);
    }

private:
    struct Placed;
    struct New;

    enum class Whole : bool { no, yes };

    Result<Taken> write(std::span<const PointOf> points, Whole whole);
    std::vector<Placed> place(
        std::span<const PointOf> points,
        std::int64_t writing,
        Whole whole,
        storage::Batch& batch,
        std::vector<New>& added,
        Taken& taken
    );
    bool see(
        const PointOf& point,
        Placed& placed,
        std::int32_t this_hour,
        storage::Batch& batch,
        std::vector<New>& added,
        Taken& taken
    );
    void take_back(std::span<const New> added);
    void count_refused(const Taken& taken);
    void add_blocks(
        std::span<const PointOf> points,
        std::vector<Placed> placed,
        std::int64_t writing,
        storage::Batch& batch
    );
    bool has_room(std::string_view name) const;
    std::int64_t number_of(std::string_view name) const;
    std::int64_t next_writing();
    void lose_writes();

    /// Of a question about a series.
    struct Reading {
        std::int64_t series = 0;
        std::int64_t from = 0;   ///< Nothing of before is kept.
        std::int64_t until = 0;  ///< Nothing is of later.
        std::int64_t now = 0;
    };

    Reading reading(
        std::string_view name, std::chrono::seconds kept, std::int64_t from, std::int64_t until
    ) const;

    storage::Store* store_;
    const Clock* clock_;
    const TimeSeriesOptions options_;
    std::atomic<std::int64_t> last_writing_ = 0;
    std::atomic<std::uint64_t> points_ = 0;
    std::array<std::atomic<std::uint64_t>, refusals> refused_{};
    mutable std::shared_mutex mutex_;
    Catalogue catalogue_;  // guarded by mutex_
    /// Those whose rows may not be durable yet, with the position of each; guarded by mutex_.
    std::deque<std::pair<storage::CommitPosition, SeriesId>> fresh_;
    storage::Subscription lost_writes_;  // last: ends before what it uses
};

}  // namespace footfall::timeseries
