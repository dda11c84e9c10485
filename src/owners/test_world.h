#pragma once

#include "foundation/clock.h"
#include "intake/lane_judge.h"
#include "owners/owned_lanes.h"
#include "storage/store.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::owners {

using namespace std::chrono_literals;
using Next = journal::LaneReader::Next;

inline constexpr Instant start{1'790'000'000s};
inline constexpr journal::LogId test_log = 42;

/// Counts records by taking them.
class Counting final : public journal::LaneReader {
public:
    Result<std::vector<std::uint64_t>> assigned(std::span<const std::uint32_t> lanes) override {
        std::vector<std::uint64_t> offsets;
        for (const std::uint32_t lane : lanes) {
            offsets.push_back(next(lane));
        }
        return offsets;
    }

    void revoked(std::span<const std::uint32_t> /*lanes*/, bool /*lost*/) override {}

    Result<void> consume(std::uint32_t lane, const journal::Records& records) override {
        ends[lane] = records.next();
        return {};
    }

    std::uint64_t next(std::uint32_t lane) override { return ends[lane].load(); }

    Result<Next> settle() override { return std::exchange(next_, Next::as_before); }

    /// Its writes were lost: it is read again from here.
    void lose(std::uint32_t lane, std::uint64_t from) {
        ends[lane] = from;
        next_ = Next::anew;
    }

    intake::FollowedEnds ends{};

private:
    Next next_ = Next::as_before;
};

/// A process that counts, on a store that it shares.
struct Process {
    explicit Process(storage::Store& store, const Clock& clock, const std::string& address)
        : lanes{
              counting,
              {.store = &store,
               .clock = &clock,
               .log = test_log,
               .ends = &counting.ends,
               .caught_up = [this] { return caught_up; },
               .stored_until = [this](std::uint32_t) { return stored; }}
          } {
        lanes.announce(address);
    }

    Counting counting;
    bool caught_up = true;
    Instant stored = start;
    OwnedLanes lanes;
};

}  // namespace footfall::owners
