#pragma once

#include "foundation/clock.h"
#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "oracle.h"
#include "server/program.h"
#include "test_support/api.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace footfall::expiry {

/// How much happens in the day.
struct Extent {
    std::uint64_t tokens;     ///< PUT in the course of the day, each with an expiry.
    std::uint64_t residents;  ///< PUT before it, for ever.
    std::uint64_t restarts;
};

/// The real program in this process on a clock that only moves when told, traffic for it, and the
/// oracle its counts are held against. Counters: "day" (24 h), "hour" (1 h), "default" (no ttl;
/// every PUT names one from a second to a day, residents none). Every mismatch is reported to
/// gtest.
class Day {
public:
    Day(const Extent& extent, std::uint64_t seed);

    /// What the store is to come back to.
    void put_residents();

    /// 24 hours of batches and single PUTs; after each step some counts are held against the
    /// oracle, also in the last millisecond before one of them falls, and in the one it falls.
    void live_through();

    /// Moves the clock; no traffic.
    void advance(std::chrono::hours hours) { clock_.advance(hours); }

    void restart();

    /// Brings the store to rest: what waits in buffers and the log goes into files, and what
    /// expired long enough ago out of them.
    void settle();

    /// All counts, residents too.
    void check_everything();

    /// Bytes of all files of the data directory.
    std::uint64_t bytes_on_disk() const;

    std::uint64_t peak_bytes() const { return peak_bytes_; }

    std::uint64_t checks() const { return checks_; }

    std::uint64_t checks_at_expiries() const { return checks_at_expiries_; }

private:
    struct Counter {
        std::string name;
        std::optional<std::chrono::seconds> ttl;
        std::size_t first_object;  ///< In the oracle.
    };

    void start();
    void step(Instant until);
    void put_batch(const Counter& counter, std::uint64_t lines);
    void put_one(const Counter& counter);
    void check(const Counter& counter, std::size_t object);
    void check_around_an_expiry(const Counter& counter, Instant until);
    std::optional<std::chrono::seconds> draw_ttl(const Counter& counter);

    std::size_t draw_object() { return random_.below(objects_a_counter_); }

    std::uint32_t draw_token();

    const Extent extent_;
    const std::size_t objects_a_counter_;
    const std::vector<Counter> counters_;
    Random random_;
    ManualClock clock_;
    Oracle oracle_;
    const TemporaryDirectory directory_;
    std::unique_ptr<server::Program> program_;
    std::unique_ptr<test_support::Api> api_;
    std::uint64_t peak_bytes_ = 0;
    std::uint64_t checks_ = 0;
    std::uint64_t checks_at_expiries_ = 0;
};

}  // namespace footfall::expiry
