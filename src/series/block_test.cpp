#include "series/block.h"

#include "foundation/crc32c.h"
#include "foundation/fixed_bytes.h"
#include "foundation/random.h"
#include "foundation_testing/repository.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/test_seed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace footfall::series {
namespace {

constexpr std::int64_t some_hour = 1'796'000'400'000;

/// What must come back: a value as its bits, so that each NaN is itself.
using Plain = std::map<std::int64_t, std::uint64_t>;

Plain plain(const std::vector<Point>& points) {
    Plain all;
    for (const Point& point : points) {
        all[point.time] = std::bit_cast<std::uint64_t>(point.value);
    }
    return all;
}

void expect_back(const std::vector<Point>& points) {
    const std::string bytes = encode(points);
    std::vector<Point> back;
    const Result<void> decoded = decode(bytes, back);
    ASSERT_TRUE(decoded) << decoded.error().message;
    ASSERT_EQ(back.size(), points.size());
    EXPECT_EQ(plain(back), plain(points));
}

/// A checksum that is right, so that what is before it has to be sound by itself.
std::string with_checksum(std::string bytes) {
    append_fixed(crc32c(bytes), bytes);
    return bytes;
}

double any_value(Random& random) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    switch (random.below(8)) {
        case 0:
            return static_cast<double>(random.below(1000));
        case 1:
            return static_cast<double>(random.below(100'000)) / 100;
        case 2:
            return std::bit_cast<double>(random());
        case 3:
            return random.below(2) == 0 ? infinity : -infinity;
        case 4:
            return std::bit_cast<double>(0x7ff8'0000'0000'0000 | random.below(1 << 20));
        case 5:
            return random.below(2) == 0 ? 0.0 : -0.0;
        case 6:
            return -static_cast<double>(random.below(std::uint64_t{1} << 60));
        default:
            return random.fraction();
    }
}

/// One of the kinds of a value all the way, or all of them mixed.
std::vector<Point> any_series(Random& random) {
    std::vector<Point> points;
    const std::uint64_t count = random.below(200);
    const bool mixed = random.below(2) == 0;
    const std::int64_t unit = random.below(2) == 0 ? 1000 : 1;
    const std::uint64_t step = std::uint64_t{1} << random.below(40);
    double value = any_value(random);
    auto time = static_cast<std::int64_t>(random() >> 12) - (std::int64_t{1} << 51);
    for (std::uint64_t at = 0; at < count; ++at) {
        points.push_back({.time = time * unit, .value = value});
        time += 1 + static_cast<std::int64_t>(random.below(4) == 0 ? random.below(step) : step);
        value = mixed ? any_value(random) : value + static_cast<double>(random.below(10));
    }
    return points;
}

TEST(Block, what_is_written_comes_back_bit_for_bit) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    for (std::uint64_t round = 0; round < rounds(2000); ++round) {
        expect_back(any_series(random));
        if (HasFatalFailure()) {
            return;
        }
    }
}

TEST(Block, the_ends_of_what_there_is) {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    expect_back({});
    expect_back({{.time = 0, .value = std::nan("")}});
    expect_back({{.time = least, .value = 1}, {.time = most, .value = -1}});
    expect_back({{.time = least, .value = 0x1p53}, {.time = 0, .value = -0x1p53}});
    expect_back(
        {{.time = least, .value = std::numeric_limits<double>::denorm_min()},
         {.time = most - 1, .value = std::numeric_limits<double>::max()},
         {.time = most, .value = std::numeric_limits<double>::lowest()}}
    );
}

TEST(Block, the_last_write_of_a_time_stands) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    for (std::uint64_t round = 0; round < rounds(500); ++round) {
        std::vector<Point> written;
        Plain model;
        for (std::uint64_t at = random.below(300); at > 0; --at) {
            const Point point{
                .time = static_cast<std::int64_t>(random.below(100)), .value = any_value(random)
            };
            written.push_back(point);
            model[point.time] = std::bit_cast<std::uint64_t>(point.value);
        }
        std::vector<Point> once = written;
        settle(once);
        EXPECT_EQ(plain(once), model);
        EXPECT_EQ(once.size(), model.size());
        // Everything once more, as a sender does that got no answer.
        std::vector<Point> twice = once;
        twice.insert(twice.end(), written.begin(), written.end());
        settle(twice);
        EXPECT_EQ(encode(twice), encode(once));
    }
}

TEST(Block, damage_is_an_error) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    for (std::uint64_t round = 0; round < rounds(300); ++round) {
        const std::string bytes = encode(any_series(random));
        std::string damaged = bytes;
        const std::size_t at = random.below(damaged.size());
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
        std::vector<Point> points{{.time = 1, .value = 2}};
        EXPECT_FALSE(decode(damaged, points));
        EXPECT_FALSE(decode(std::string_view{bytes}.substr(0, at), points));
        EXPECT_FALSE(decode(bytes + '\0', points));
        EXPECT_EQ(points.size(), 1);
    }
}

TEST(Block, bytes_of_others_with_a_good_checksum_do_no_harm) {
    Random random{test_seed()};
    SCOPED_TRACE(test_seed());
    std::uint64_t refused = 0;
    const std::uint64_t all = rounds(5000);
    for (std::uint64_t round = 0; round < all; ++round) {
        std::string bytes = encode(any_series(random));
        bytes.resize(bytes.size() - 4);
        for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
            bytes[random.below(bytes.size())] = static_cast<char>(random());
        }
        std::vector<Point> points;
        if (!decode(with_checksum(bytes), points)) {
            ++refused;
            EXPECT_TRUE(points.empty());
            continue;
        }
        // Whatever was let through is a series.
        std::vector<Point> settled = points;
        settle(settled);
        EXPECT_EQ(settled.size(), points.size());
    }
    EXPECT_GT(refused, all / 4);
}

TEST(Block, a_count_that_cannot_be_takes_no_memory) {
    std::vector<Point> points;
    const std::string claims =
        with_checksum("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02\x02");
    EXPECT_FALSE(decode(claims, points));
    EXPECT_LT(points.capacity(), 100);
}

double bytes_a_point(const std::vector<Point>& points) {
    return static_cast<double>(encode(points).size()) / static_cast<double>(points.size());
}

/// An hour of points, 10 s apart.
template <class Next>
std::vector<Point> hour_of(Next next) {
    std::vector<Point> points;
    points.reserve(360);
    for (int at = 0; at < 360; ++at) {
        points.push_back({.time = some_hour + at * 10'000, .value = next(at)});
    }
    return points;
}

/// What a program says of itself: a point of each kind, and what it takes. Printed, since the
/// figure is to be known; bounds are what it took when this was written, and a tenth.
TEST(Block, bytes_a_point) {
    Random random{42};
    double requests = 1e6;
    double memory = 400e6;
    double load = 0.5;
    const std::vector<std::pair<std::string, std::vector<Point>>> kinds{
        {"constant", hour_of([](int) { return 64.0; })},
        {"steady counter", hour_of([&](int at) { return 1e6 + at * 1500.0; })},
        {"counter of requests",
         hour_of([&](int) { return requests += 900 + static_cast<double>(random.below(200)); })},
        {"errors", hour_of([&](int) { return random.below(50) == 0 ? 1.0 : 0.0; })},
        {"bytes of memory", hour_of([&](int) {
             return memory +=
                    random.below(10) == 0 ? 4096.0 * static_cast<double>(random.below(64)) : 0;
         })},
        {"load, two places", hour_of([&](int) {
             load = std::max(0.0, load + (random.fraction() - 0.5) * 0.1);
             return std::round(load * 100) / 100;
         })},
        {"milliseconds", hour_of([&](int) { return static_cast<double>(3 + random.below(4)); })},
    };
    double sum = 0;
    for (const auto& [kind, points] : kinds) {
        const double bytes = bytes_a_point(points);
        std::printf("%-22s %5.2f bytes a point\n", kind.c_str(), bytes);
        expect_back(points);
        sum += bytes;
    }
    const double mean = sum / static_cast<double>(kinds.size());
    std::printf("%-22s %5.2f bytes a point\n", "all", mean);
    RecordProperty("bytes_a_point", std::to_string(mean));
    EXPECT_LE(mean, 2.0);
    const double noise = bytes_a_point(hour_of([&](int) { return random.fraction(); }));
    std::printf("%-22s %5.2f bytes a point\n", "noise", noise);
    EXPECT_LE(noise, 8.5);
}

TEST(Block, is_written_as_its_documentation_says) {
    const std::vector<std::pair<std::string, std::vector<Point>>> examples{
        {"decimals",
         {{.time = some_hour, .value = 1.5},
          {.time = some_hour + 10'000, .value = 1.5},
          {.time = some_hour + 20'000, .value = 2}}},
        {"bits",
         {{.time = some_hour, .value = 1},
          {.time = some_hour + 10'001, .value = std::numeric_limits<double>::infinity()}}}
    };
    std::ifstream file{in_repository("docs/formats/point_block.md")};
    std::stringstream text;
    text << file.rdbuf();
    for (const auto& [name, points] : examples) {
        std::string bytes;
        for (const char byte : encode(points)) {
            bytes +=
                fmt::format("{}{:02x}", bytes.empty() ? "" : " ", static_cast<unsigned char>(byte));
        }
        EXPECT_NE(text.str().find(fmt::format("```{}\n{}\n```", name, bytes)), std::string::npos)
            << bytes;
    }
}

}  // namespace
}  // namespace footfall::series
