#pragma once

#include "api/store_gate.h"
#include "foundation/clock.h"
#include "foundation/seldom_log.h"
#include "storage/store.h"
#include "timeseries/point_list.h"
#include "timeseries/time_series.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace footfall::timeseries::routes {

/// Why a line was not taken, or its point: Refusal, and these.
enum class LineTrouble : std::uint8_t {
    malformed,
    too_long,
    store,    ///< It took nothing, or lost it.
    dropped,  ///< Datagrams that came faster than they were taken; how many lines, nobody knows.
};

inline constexpr std::size_t line_troubles = 4;

/// "malformed", "too_long", "store", "dropped".
std::string_view name_of(LineTrouble trouble);

/// Beyond it the store is about to slow writes down: who writes much waits here, so that others
/// need not.
inline constexpr double busy_pressure = 0.7;

/// What all ways in of Carbon share: lines become points of the store, and what is wrong with them
/// is counted, with an example in the log every ten seconds. Thread-safe.
class CarbonContext {
public:
    CarbonContext(TimeSeries& series, const Clock& clock, storage::Store& store)
        : series_{&series}, clock_{&clock}, store_{&store}, gate_{store} {}

    CarbonContext(const CarbonContext&) = delete;
    CarbonContext& operator=(const CarbonContext&) = delete;
    ~CarbonContext() = default;

    Instant now() const { return clock_->now(); }

    storage::Store& store() const { return *store_; }

    api::StoreGate& gate() { return gate_; }

    bool is_busy() const { return store_->pressure() > busy_pressure; }

    /// Adds the point of a line, which stands without its end, or counts why it is none.
    void take_line(std::string_view line, Instant now, PointList& points);

    /// Of a line without end, of which more came than a line may have.
    void refuse_too_long(std::string_view beginning);

    /// Points of a sender that are read and not decided yet.
    class Held {
    public:
        explicit Held(CarbonContext& context) : context_{&context} {}

        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;

        ~Held() { hold(0); }

        /// They are so many now.
        void hold(std::size_t points) {
            context_->held_.fetch_add(points - points_, std::memory_order_relaxed);
            points_ = points;
        }

    private:
        CarbonContext* context_;
        std::size_t points_ = 0;
    };

    /// Whether a sender may be read on before what he sent is decided.
    bool may_hold_more() const { return held_.load(std::memory_order_relaxed) < held_max; }

    /// TimeSeries::write(), and what it refused is told.
    Result<Taken> write(const PointList& points);

    /// The store has decided about points that it took.
    void settle(std::uint64_t points, bool are_durable);

    /// Points that are nowhere.
    void lose(std::uint64_t points, std::string_view why);

    /// The system had no room for so many datagrams.
    void drop(std::uint64_t datagrams);

    /// Waits until all that was taken is decided.
    void wait_for_all();

    std::uint64_t refused(LineTrouble why) const {
        return refused_[static_cast<std::size_t>(why)].load(std::memory_order_relaxed);
    }

private:
    /// Of all senders: some 20 MB.
    static constexpr std::size_t held_max = 200'000;

    void count(LineTrouble why, std::uint64_t lines);
    void refuse(LineTrouble why, std::string_view line, std::string_view detail);

    TimeSeries* series_;
    const Clock* clock_;
    storage::Store* store_;
    api::StoreGate gate_;
    std::atomic<storage::CommitPosition> last_ = 0;  ///< That was taken.
    std::atomic<std::size_t> held_ = 0;
    std::array<std::atomic<std::uint64_t>, line_troubles> refused_{};
    SeldomLog troubles_{std::chrono::seconds{10}};
};

}  // namespace footfall::timeseries::routes
