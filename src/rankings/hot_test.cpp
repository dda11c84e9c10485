#include "rankings/hot.h"

#include "rankings/test_trends.h"
#include "runtime/accounted_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace footfall::rankings {
namespace {

static_assert(runtime::Accounted<HotObjects>);

void see(HotObjects& hot, const std::string& object, Instant now, int times = 1) {
    for (; times > 0; --times) {
        hot.add(hash_of(object), object, now);
    }
}

/// Objects of which number k comes about 1/k as often as the first.
std::vector<std::string> zipf_objects(Random& random, std::size_t count, double objects) {
    std::vector<std::string> drawn;
    drawn.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
        const double rank = std::exp(random.fraction() * std::log(objects));
        drawn.push_back("object " + std::to_string(static_cast<std::uint64_t>(rank)));
    }
    return drawn;
}

TEST(HotObjects, have_exact_counts_while_there_are_few) {
    HotObjects hot;
    see(hot, "b", noon, 7);
    see(hot, "a", noon, 7);
    see(hot, "c", noon, 100);
    const auto top = hot.top(noon);
    ASSERT_EQ(top.size(), 3U);
    EXPECT_EQ(top[0].object, "c");
    EXPECT_EQ(top[0].events, 100U);
    EXPECT_EQ(top[1].object, "a") << "of equal ones by name";
    EXPECT_EQ(top[2].object, "b");
    EXPECT_EQ(top[2].events, 7U);
}

TEST(HotObjects, find_the_largest_among_very_many) {
    Random random{1};
    HotObjects hot{{.kept = 128, .width = 1024}};
    std::map<std::string, std::uint32_t> exact;
    for (const std::string& object : zipf_objects(random, 300'000, 100'000)) {
        see(hot, object, noon);
        ++exact[object];
    }
    std::vector<std::pair<std::uint32_t, std::string>> largest;
    largest.reserve(exact.size());
    for (const auto& [object, count] : exact) {
        largest.emplace_back(count, object);
    }
    std::ranges::sort(largest, std::greater{});
    std::map<std::string, std::uint32_t> found;
    for (const HotObject& each : hot.top(noon)) {
        found[each.object] = each.events;
        EXPECT_LE(each.events, exact[each.object]) << each.object;
    }
    for (std::size_t at = 0; at < 100; ++at) {
        EXPECT_TRUE(found.contains(largest[at].second)) << at;
    }
    for (std::size_t at = 0; at < 20; ++at) {
        const auto& [count, object] = largest[at];
        EXPECT_GT(found[object], count * 0.99) << object;
    }
}

TEST(HotObjects, are_halved_every_ten_seconds) {
    HotObjects hot;
    see(hot, "a", noon, 100);
    EXPECT_EQ(hot.top(noon + 9s)[0].events, 100U);
    EXPECT_EQ(hot.top(noon + 10s)[0].events, 50U);
    EXPECT_EQ(hot.top(noon + 20s)[0].events, 25U);
    see(hot, "a", noon + 20s);
    EXPECT_EQ(hot.top(noon + 20s)[0].events, 26U) << "the count of the sketch was halved, too";
    EXPECT_EQ(hot.top(noon + 1h).size(), 0U);
    see(hot, "b", noon + 1h);
    EXPECT_EQ(hot.top(noon + 1h).size(), 1U);
}

TEST(HotObjects, stand_between_ten_and_twenty_times_their_rate) {
    HotObjects hot;
    for (int second = 0; second < 200; ++second) {
        see(hot, "a", noon + std::chrono::seconds{second}, 50);
    }
    EXPECT_NEAR(hot.top(noon + 199s)[0].events, 1000, 60);
    EXPECT_NEAR(hot.top(noon + 200s)[0].events, 500, 30);
}

TEST(HotObjects, make_room_for_who_is_hot_now) {
    HotObjects hot{{.kept = 4, .width = 1024}};
    for (const char* old : {"a", "b", "c", "d"}) {
        see(hot, old, noon, 100);
    }
    see(hot, "f", noon, 150);
    see(hot, "e", noon + 30s, 90);
    const auto top = hot.top(noon + 30s);
    ASSERT_EQ(top.size(), 4U);
    EXPECT_EQ(top[0].object, "e");
    EXPECT_EQ(top[0].events, 90U);
    EXPECT_EQ(top[1].object, "f");
}

TEST(HotObjects, are_not_halved_by_times_a_little_out_of_order) {
    HotObjects hot;
    see(hot, "a", noon + 10s, 100);
    for (int round = 0; round < 20; ++round) {
        see(hot, "b", noon + 9s);
        see(hot, "b", noon + 11s);
    }
    EXPECT_EQ(hot.top(noon + 10s)[0].events, 100U);
}

TEST(HotObjects, go_on_after_the_clock_was_set_back) {
    HotObjects hot;
    see(hot, "a", noon + std::chrono::days{400}, 100);
    see(hot, "a", noon, 100);
    EXPECT_EQ(hot.top(noon)[0].events, 200U);
    EXPECT_EQ(hot.top(noon + 10s)[0].events, 100U) << "halved again";
}

TEST(HotObjects, are_the_same_in_a_replay) {
    const auto answer = [] {
        Random random{2};
        HotObjects hot{{.kept = 32, .width = 64}};
        Instant now = noon;
        for (const std::string& object : zipf_objects(random, 50'000, 5000)) {
            see(hot, object, now);
            now += 1ms;
        }
        std::string text;
        for (const HotObject& each : hot.top(now)) {
            text += each.object + ":" + std::to_string(each.events) + " ";
        }
        return text;
    };
    const std::string first = answer();
    EXPECT_EQ(first, answer());
    EXPECT_GT(first.size(), 100U);
}

TEST(HotObjects, forget_who_had_to_go) {
    HotObjects hot{{.kept = 4, .width = 16}};
    for (int object = 0; object < 5000; ++object) {
        see(hot, "object " + std::to_string(object), noon + std::chrono::seconds{10 * object}, 5);
    }
    EXPECT_EQ(hot.top(noon + 49'990s)[0].object, "object 4999");
    EXPECT_EQ(hot.bytes(), hot.recount());
    EXPECT_LE(hot.bytes(), 1000U);
}

TEST(HotObjects, take_bounded_bytes_and_say_how_many) {
    HotObjects hot;
    EXPECT_EQ(hot.bytes(), 0U);
    Random random{3};
    for (int round = 0; round < 20'000; ++round) {
        std::string name(1 + random.below(1024), 'x');
        name.replace(0, 1, std::to_string(random.below(300)));
        name.resize(std::min<std::size_t>(name.size(), 1024));
        see(hot, name, noon + std::chrono::milliseconds{round}, 3);
        if (round % 100 == 0) {
            ASSERT_EQ(hot.bytes(), hot.recount()) << round;
        }
        ASSERT_LE(hot.bytes(), 170'000U);
    }
}

}  // namespace
}  // namespace footfall::rankings
