// What rules remember, stored and taken again: it answers as it did.

#include "foundation/random.h"
#include "foundation_testing/repository.h"
#include "guard/key_filter.h"
#include "guard/rate.h"
#include "guard/repeat.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::guard {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t ample = 1 << 20;
constexpr Instant beginning{1'000h};

std::uint64_t key_of(std::uint64_t number) {
    return number * 0x9e3779b97f4a7c15;  // spread as hashes are
}

Instant random_time(Random& random, Instant now) {
    return now - std::chrono::seconds{random.below(random.below(4) == 0 ? 20'000 : 60)};
}

/// Judges in memory with what the store would say where it does not suffice.
class Judge {
public:
    explicit Judge(std::size_t memory_bytes) : judge_{1h, memory_bytes} {}

    NearestCounted judge(std::uint64_t key, Instant time) {
        ++judged_;
        if (auto found = judge_.judge(key, time, {})) {
            return *found;
        }
        ++asked_;
        return judge_.nearest(counted_[key], time);
    }

    void counted(std::uint64_t key, Instant time) {
        judge_.counted(key, time, Instant::max());
        counted_[key].push_back(time);
    }

    /// Ends, and begins with what was stored.
    void restart(std::size_t keys_max, std::size_t filter_bytes, std::size_t memory_bytes) {
        std::string bytes;
        judge_.append_newest(keys_max, filter_bytes, bytes);
        bytes += "rest";
        judge_ = RepeatJudge{1h, memory_bytes};
        std::string_view left{bytes};
        ASSERT_TRUE(judge_.take(left));
        EXPECT_EQ(left, "rest");
        EXPECT_LE(judge_.bytes(), std::max<std::size_t>(memory_bytes, 2048));
    }

    std::uint64_t asked() const { return asked_; }

    std::uint64_t judged() const { return judged_; }

private:
    RepeatJudge judge_;
    std::map<std::uint64_t, std::vector<Instant>> counted_;
    std::uint64_t asked_ = 0;
    std::uint64_t judged_ = 0;
};

TEST(StoredMemory, repeats_are_judged_as_by_who_never_ended) {
    // For few keys; for a third, and the names of all others; for all.
    for (const std::size_t memory : {2UZ << 10, 16UZ << 10, 1UZ << 20}) {
        for (const std::size_t kept : {std::size_t{0}, std::size_t{50}, ample}) {
            Random random{memory + kept};
            Judge never_ends{memory};
            Judge restarts{memory};
            Instant now = beginning;
            for (int event = 0; event < 10'000; ++event) {
                now += std::chrono::milliseconds{random.below(2000)};
                const std::uint64_t key = key_of(random.below(1500));
                const Instant time = random_time(random, now);
                const NearestCounted found = never_ends.judge(key, time);
                ASSERT_EQ(restarts.judge(key, time), found) << "event " << event;
                if (!found.nearest) {
                    never_ends.counted(key, time);
                    restarts.counted(key, time);
                }
                if (random.below(1000) == 0) {
                    ASSERT_NO_FATAL_FAILURE(restarts.restart(kept, kept, memory >> random.below(2))
                    );
                }
            }
        }
    }
}

TEST(StoredMemory, of_repeats_memory_still_spares_the_store) {
    Judge restarts{1 << 20};
    for (std::uint64_t key = 0; key < 10'000; ++key) {
        restarts.counted(key_of(key), beginning + key * 100ms);
    }
    ASSERT_NO_FATAL_FAILURE(restarts.restart(ample, ample, 1 << 20));
    const Instant now = beginning + 1000s;
    for (std::uint64_t key = 0; key < 20'000; ++key) {
        EXPECT_EQ(restarts.judge(key_of(key), now).nearest.has_value(), key < 10'000);
    }
    EXPECT_EQ(restarts.asked(), 0U);
    ASSERT_NO_FATAL_FAILURE(restarts.restart(5'000, ample, 1 << 20));
    for (std::uint64_t key = 0; key < 20'000; ++key) {
        EXPECT_EQ(restarts.judge(key_of(key), now).nearest.has_value(), key < 10'000);
    }
    EXPECT_EQ(restarts.asked(), 20'000U) << "what was left out is known to be missing";
}

TEST(StoredMemory, names_of_forgotten_repeats_are_kept_where_memory_is_short) {
    constexpr std::size_t memory = 16 << 10;
    Judge restarts{memory};
    for (std::uint64_t key = 0; key < 3'000; ++key) {
        restarts.counted(key_of(key), beginning + key * 100ms);
    }
    ASSERT_NO_FATAL_FAILURE(restarts.restart(ample, ample, memory));
    for (std::uint64_t key = 10'000; key < 12'000; ++key) {
        EXPECT_FALSE(restarts.judge(key_of(key), beginning + 300s).nearest);
    }
    EXPECT_LT(restarts.asked(), 200U) << "most keys are known to be new";
    for (std::uint64_t key = 0; key < 3'000; ++key) {
        EXPECT_TRUE(restarts.judge(key_of(key), beginning + 300s).nearest) << key;
    }
}

TEST(StoredMemory, what_is_not_whole_is_not_taken) {
    RepeatJudge judge{1h, 4 << 10};
    RateState rates{{.k0 = 1, .k1 = 2}, 1 << 20};
    for (std::uint64_t key = 0; key < 300; ++key) {
        judge.counted(key_of(key), beginning + key * 1s, Instant::max());
        rates.note(64 * key, {.count = 3, .window = 1min}, beginning, {.lane = 1, .offset = key});
    }
    std::string repeats;
    judge.append_newest(ample, ample, repeats);
    std::string of_rates;
    rates.append_part(0, of_rates);
    for (std::size_t length = 0; length < repeats.size(); ++length) {
        std::string_view part = std::string_view{repeats}.substr(0, length);
        RepeatJudge taker{1h, 4 << 10};
        EXPECT_FALSE(taker.take(part)) << length;
    }
    for (std::size_t length = 0; length < of_rates.size(); ++length) {
        std::string_view part = std::string_view{of_rates}.substr(0, length);
        RateState taker{{.k0 = 1, .k1 = 2}, 1 << 20};
        EXPECT_FALSE(taker.take_part(0, part)) << length;
    }
    Random random{7};
    for (int round = 0; round < 20'000; ++round) {  // other bytes may be taken, or not
        std::string other{random.below(2) == 0 ? repeats : of_rates};
        other[random.below(std::min<std::size_t>(other.size(), 40))] =
            static_cast<char>(random.below(256));
        std::string_view left{other};
        std::ignore = RepeatJudge{1h, 4 << 10}.take(left);
        left = other;
        std::ignore = RateState{{.k0 = 1, .k1 = 2}, 1 << 20}.take_part(0, left);
    }
}

TEST(StoredMemory, rates_are_those_of_who_never_ended) {
    constexpr SipKey secret{.k0 = 1, .k1 = 2};
    constexpr RateLimit limit{.count = 5, .window = 1min};
    for (const std::size_t memory : {std::size_t{256} << 10, std::size_t{4} << 20}) {
        Random random{memory};
        RateState never_ends{secret, memory};
        auto restarts = std::make_unique<RateState>(secret, memory);
        Instant now = beginning;
        for (std::uint64_t event = 0; event < 50'000; ++event) {
            now += std::chrono::milliseconds{random.below(200)};
            const std::uint64_t key = key_of(random.below(100));
            const Instant time = now - std::chrono::seconds{random.below(90)};
            ASSERT_EQ(
                restarts->counted(key, limit, time, {}), never_ends.counted(key, limit, time, {})
            );
            const EventPlace place{.lane = static_cast<std::uint32_t>(event % 64), .offset = event};
            never_ends.note(key, limit, time, place);
            restarts->note(key, limit, time, place);
            if (random.below(5000) == 0) {
                auto next = std::make_unique<RateState>(secret, memory);
                for (std::size_t part = 0; part < RateState::parts; ++part) {
                    std::string bytes;
                    restarts->append_part(part, bytes);
                    std::string_view left{bytes};
                    ASSERT_TRUE(next->take_part(part, left));
                    EXPECT_TRUE(left.empty());
                }
                restarts = std::move(next);
                EXPECT_EQ(restarts->bytes(), restarts->recount());
            }
        }
    }
}

std::string hex(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) {
        text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
    }
    return text;
}

TEST(StoredMemory, has_the_bytes_that_the_document_shows) {
    const std::ifstream file{in_repository("docs/formats/rules_memory.md")};
    std::stringstream text;
    text << file.rdbuf();
    const std::string document = text.str();
    RepeatJudge judge{1h, 4 << 10};
    judge.counted(5, Instant{1s}, Instant::max());
    judge.counted(300, Instant{2s}, Instant::max());
    std::string repeats;
    judge.append_newest(ample, ample, repeats);
    EXPECT_NE(document.find("```repeats\n" + hex(repeats) + "\n"), std::string::npos)
        << hex(repeats);
    RateState state{{.k0 = 1, .k1 = 2}, 1 << 20};
    state.note(64, {.count = 3, .window = 1min}, Instant{2s}, {.lane = 7, .offset = 9});
    std::string rates;
    state.append_part(0, rates);
    EXPECT_NE(document.find("```rates\n" + hex(rates) + "\n"), std::string::npos) << hex(rates);
}

TEST(StoredMemory, rates_stay_within_less_memory) {
    constexpr SipKey secret{.k0 = 1, .k1 = 2};
    RateState ended{secret, 4 << 20};
    for (std::uint64_t key = 0; key < 20'000; ++key) {
        ended.note(key_of(key), {.count = 5, .window = 1min}, beginning, {.offset = key});
    }
    constexpr std::size_t memory = 256 << 10;
    RateState next{secret, memory};
    for (std::size_t part = 0; part < RateState::parts; ++part) {
        std::string bytes;
        ended.append_part(part, bytes);
        std::string_view left{bytes};
        ASSERT_TRUE(next.take_part(part, left));
    }
    EXPECT_LE(next.bytes(), 2 * memory);
    EXPECT_EQ(next.bytes(), next.recount());
}

}  // namespace
}  // namespace footfall::guard
