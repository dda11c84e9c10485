#include "guard_redis/rate_words.h"

#include "foundation_testing/repository.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace footfall::guard_redis {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t own_log = 0x6b1f0c2d9e8a4735;

/// A command of the protocol in one line, as one would type it; bytes as hex where they are none of
/// ASCII's.
std::string line_of(std::string_view command) {
    std::string line;
    for (std::size_t at = command.find('$'); at != std::string_view::npos;) {
        const std::size_t begin = command.find('\n', at) + 1;
        const std::size_t size = std::stoul(std::string{command.substr(at + 1)});
        line += line.empty() ? "" : " ";
        const std::string_view word = command.substr(begin, size);
        for (const char byte : word) {
            line += word.contains('\0') ? fmt::format("{:02x}", static_cast<std::uint8_t>(byte))
                                        : std::string{byte};
        }
        const std::size_t end = begin + size + 2;
        at = end < command.size() && command[end] == '$' ? end : std::string_view::npos;
    }
    return line;
}

TEST(RateWords, are_as_the_documents_show) {
    const RateWords words{"00000000000004d2", own_log};
    std::array<guard::RateNote, 1> notes{{
        {.of = {.key = 0xff, .limit = {.count = 3, .window = 1min}},
         .time = Instant{1'763'719'200'000'001us},
         .place = {.lane = 12, .offset = 300}},
    }};
    std::string commands;
    EXPECT_EQ(words.append_notes(commands, notes), 5U);
    std::stringstream document;
    document << std::ifstream{in_repository("docs/formats/rates.md")}.rdbuf();
    const std::size_t zadd = commands.find("*4");
    EXPECT_TRUE(document.str().contains("\n" + line_of(commands.substr(zadd)) + "\n"))
        << line_of(commands.substr(zadd));
    const std::size_t trim = commands.find("*4", zadd + 1);
    EXPECT_EQ(
        line_of(commands.substr(trim)),
        "ZREMRANGEBYRANK footfall:rate:00000000000004d2:00000000000000ff:29395320 0 -5"
    );
    EXPECT_EQ(
        line_of(commands.substr(commands.find("*3", trim))),
        "PEXPIRE footfall:rate:00000000000004d2:00000000000000ff:29395320 3720000"
    );
}

TEST(RateWords, tell_places_of_other_logs_apart) {
    const RateWords ours{"d", own_log};
    const RateWords others{"d", own_log + 1};
    const guard::EventPlace place{.lane = 63, .offset = std::numeric_limits<std::uint64_t>::max()};
    EXPECT_EQ(ours.place(ours.member(place)), place);
    guard::EventPlace seen = ours.place(others.member(place)).value_or(guard::EventPlace{});
    EXPECT_NE(seen.log, 0U);
    seen.log = 0;
    EXPECT_EQ(seen, place);
    EXPECT_FALSE(ours.place("short"));
    EXPECT_FALSE(ours.place(""));
}

TEST(RateWords, places_are_in_the_order_of_bytes) {
    const RateWords words{"d", own_log};
    EXPECT_LT(words.member({.lane = 1, .offset = 256}), words.member({.lane = 2, .offset = 1}));
    EXPECT_LT(words.member({.lane = 1, .offset = 255}), words.member({.lane = 1, .offset = 256}));
}

TEST(RateWords, scores_are_times) {
    EXPECT_EQ(time_of_score("1763719200000001"), Instant{1'763'719'200'000'001us});
    EXPECT_EQ(time_of_score("-5"), Instant{-5us});
    EXPECT_EQ(time_of_score("9.0071992547409920e+15"), Instant{9'007'199'254'740'992us});
    for (const std::string_view none : {"", "x", "1x", "inf", "nan", "1e300"}) {
        EXPECT_FALSE(time_of_score(none)) << none;
    }
}

}  // namespace
}  // namespace footfall::guard_redis
