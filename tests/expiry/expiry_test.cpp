// A day on a clock of its own: counts fall at the right millisecond, and what expired leaves the
// disk.
//
//   FOOTFALL_SEED=7 FOOTFALL_EXPIRY_TOKENS=600000 build/release/tests/expiry/expiry_test

#include "day.h"
#include "test_support/random_seed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

namespace footfall::expiry {
namespace {

using namespace std::chrono_literals;
using test_support::environment_number;

constexpr double mebibyte = 1 << 20;

TEST(Expiry, counts_of_a_day_fall_at_the_right_moment_and_the_disk_is_given_back) {
    const std::uint64_t tokens = environment_number("FOOTFALL_EXPIRY_TOKENS", 45'000);
    Day day{
        {.tokens = tokens, .residents = tokens * 4, .restarts = 5}, test_support::random_seed()
    };
    day.put_residents();
    day.settle();
    const std::uint64_t start = day.bytes_on_disk();

    day.live_through();
    day.check_everything();
    // The longest life, the hour for which the store keeps what expired, and one to spare.
    day.advance(26h);
    day.check_everything();
    day.settle();
    day.check_everything();

    const std::uint64_t end = day.bytes_on_disk();
    fmt::print(
        "{} tokens in a day, {} for ever; {} counts equal, {} of them around an expiry\n"
        "on disk: {:.2f} MiB at the start, {:.2f} at the peak, {:.2f} at the end\n",
        tokens,
        tokens * 4,
        day.checks(),
        day.checks_at_expiries(),
        static_cast<double>(start) / mebibyte,
        static_cast<double>(day.peak_bytes()) / mebibyte,
        static_cast<double>(end) / mebibyte
    );
    EXPECT_GT(day.peak_bytes(), start + tokens) << "the day left no trace: nothing was proved";
    EXPECT_LT(static_cast<double>(end), 1.1 * static_cast<double>(start));
}

}  // namespace
}  // namespace footfall::expiry
