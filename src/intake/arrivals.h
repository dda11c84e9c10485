#pragma once

#include "events/event_keys.h"
#include "events/verdict.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "intake/arriving.h"
#include "intake/collector.h"
#include "people/read_door.h"
#include "runtime/lanes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace footfall::intake {

/// Events of one request on their way, sorted by lane, in each lane in the order they came.
/// Computes their keys. Owned by one thread; O(events).
class Arrivals {
public:
    /// `reads`: lets reads in; null: they are as other events.
    Arrivals(Arrived arrived, SipKey secret, const people::ReadDoor* reads)
        : events_(arrived.events.size()) {
        for (std::size_t at = 0; at < events_.size(); ++at) {
            events_[at].judged = {
                .event = std::move(arrived.events[at]),
                .arrival = arrived.arrival,
                .verdict = {},
                .door = arrived.door,
                .machine_sign = arrived.machine_sign
            };
            if (reads != nullptr) {
                reads->take(events_[at].judged);
            }
        }
        sort_by_lane(secret);
    }

    Arrivals(std::vector<events::JudgedEvent> events, SipKey secret) : events_(events.size()) {
        for (std::size_t at = 0; at < events_.size(); ++at) {
            events_[at].judged = std::move(events[at]);
        }
        sort_by_lane(secret);
    }

    Arrivals(const Arrivals&) = delete;
    Arrivals& operator=(const Arrivals&) = delete;
    ~Arrivals() = default;

    std::size_t size() const { return events_.size(); }

    std::span<Arriving* const> all() const { return by_lane_; }

    /// Calls `take` with each lane that has events, and these.
    template <class Take>
    Result<void> for_each_lane(Take take) const {
        for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
            const std::size_t begin = begins_[lane];
            const std::size_t end = begins_[lane + 1];
            if (begin < end) {
                TRY_VOID(take(lane, std::span{by_lane_}.subspan(begin, end - begin)));
            }
        }
        return {};
    }

private:
    void sort_by_lane(SipKey secret) {
        std::array<std::size_t, runtime::lane_count> counts{};
        for (Arriving& each : events_) {
            each.keys = events::keys_of(each.judged, secret);
            ++counts[each.keys.lane];
        }
        by_lane_.resize(events_.size());
        std::exclusive_scan(counts.begin(), counts.end(), begins_.begin(), std::size_t{0});
        begins_.back() = events_.size();
        std::array<std::size_t, runtime::lane_count + 1> next = begins_;
        for (Arriving& each : events_) {
            by_lane_[next[each.keys.lane]++] = &each;
        }
    }

    std::vector<Arriving> events_;
    std::vector<Arriving*> by_lane_;
    std::array<std::size_t, runtime::lane_count + 1> begins_{};  ///< Of each lane in by_lane_.
};

}  // namespace footfall::intake
