#include "timeseries_routes/number_text.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace footfall::timeseries::routes {
namespace {

std::string text_of(NumberText& numbers, double value) {
    std::array<char, NumberText::bytes_max> room;
    return {room.data(), numbers.put(value, room.data())};
}

/// What comes before a number is of no effect on what is written of it.
void expect_as_fmt_writes(const std::vector<double>& values) {
    NumberText numbers;
    for (const double value : values) {
        ASSERT_EQ(text_of(numbers, value), fmt::format("{}", value));
    }
}

TEST(NumberText, is_what_fmt_writes) {
    expect_as_fmt_writes({0, -0.0, 1, -1, 10, 100, 0.5, -0.5, 0.05, -0.05, 0.0001, 0.00005, 1e-7});
    expect_as_fmt_writes({1.25, 3, 0.1, 0.25, 120, 1.5, 1.0001, 1.00001, 1.5, 0.0003, 2e-5, 4});
    expect_as_fmt_writes({0.1 + 0.2, 0.3, 1 / 3.0, 0.3, 100 / 3.0, 1e15, 1e16, 1e17, 123456.75});
    expect_as_fmt_writes(
        {999'999'999'999'999,
         999'999'999'999'999.9,
         9'007'199'254'740'992,
         99'999'999'999.9999,
         1e14 + 0.25,
         0x1p53,
         -0x1p53,
         1.5}
    );
    using Limits = std::numeric_limits<double>;
    expect_as_fmt_writes(
        {Limits::max(), Limits::lowest(), Limits::min(), Limits::denorm_min(), Limits::epsilon()}
    );
}

TEST(NumberText, is_what_fmt_writes_of_any_numbers) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    for (std::uint64_t round = 0; round < rounds(2000); ++round) {
        std::vector<double> values;
        const std::uint64_t kinds = random.below(8);
        for (int left = 50; left > 0; --left) {
            const std::uint64_t kind = random.below(kinds + 1);
            const double whole = static_cast<double>(
                static_cast<std::int64_t>(random.below(std::uint64_t{1} << random.below(60)))
            );
            const double value = kind < 6    ? whole / std::pow(10.0, static_cast<double>(kind))
                                 : kind == 6 ? random.fraction()
                                             : std::bit_cast<double>(random());
            values.push_back(std::isfinite(value) ? (random.below(2) == 0 ? value : -value) : 0);
            // And what is the next to it.
            values.push_back(std::nextafter(values.back(), 0.0));
        }
        expect_as_fmt_writes(values);
        if (HasFatalFailure()) {
            return;
        }
    }
}

TEST(TimeText, is_the_number_of_seconds) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    for (std::uint64_t round = 0; round < rounds(200); ++round) {
        TimeText times;
        const auto most = std::uint64_t{1} << random.below(62);
        auto time = static_cast<std::int64_t>(random.below(most));
        time = random.below(4) == 0 ? -time : time;
        const auto step = static_cast<std::int64_t>(random.below(20'000));
        for (int left = 100; left > 0; --left) {
            std::array<char, TimeText::bytes_max> room;
            const std::string text{room.data(), times.put(time, room.data())};
            ASSERT_EQ(text, std::to_string(time));
            time += step;
        }
    }
}

}  // namespace
}  // namespace footfall::timeseries::routes
