#include "cli/demo_people.h"

#include "events/canonical_url.h"
#include "events/event_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const Instant noon{std::chrono::hours{(365 * 56 + 14) * 24 + 12}};

TEST(DemoPeople, have_names_of_their_own_and_friends_who_are_others) {
    std::set<std::string_view> names;
    std::size_t mutual = 0;
    std::size_t listed = 0;
    for (std::size_t number = 0; number < demo_people().size(); ++number) {
        const DemoPerson& person = demo_people()[number];
        EXPECT_TRUE(names.insert(person.name).second) << person.name;
        const std::set<std::size_t> friends{person.friends.begin(), person.friends.end()};
        EXPECT_EQ(friends.size(), person.friends.size());
        EXPECT_FALSE(friends.contains(number));
        EXPECT_GT(friends.size(), 10U);
        for (const std::size_t each : friends) {
            const DemoPerson& other = demo_people()[each];
            mutual += std::ranges::count(other.friends, number) > 0 ? 1 : 0;
            ++listed;
        }
    }
    EXPECT_GT(mutual, listed * 7 / 10) << "most friends list each other";
    EXPECT_LT(mutual, listed * 9 / 10);
}

TEST(DemoPeople, share_for_the_most_part) {
    std::map<std::string_view, std::size_t> by_reading;
    std::size_t for_friends = 0;
    std::size_t on_a_site = 0;
    for (const DemoPerson& each : demo_people()) {
        ++by_reading[each.reading];
        for_friends += each.is_for_friends ? 1 : 0;
        on_a_site += each.site.empty() ? 0 : 1;
    }
    EXPECT_GT(by_reading["shared"], demo_people().size() * 7 / 10);
    EXPECT_GT(by_reading["private"], 5U);
    EXPECT_GT(by_reading["off"], 10U);
    EXPECT_GT(for_friends, 10U);
    EXPECT_GT(on_a_site, 10U);
}

TEST(DemoPeople, of_whom_the_dashboard_offers_these) {
    std::vector<std::string> shown;
    std::vector<std::string_view> ways;
    for (const DemoPerson& each : demo_people()) {
        if (each.is_shown) {
            shown.push_back(each.name);
            ways.push_back(each.reading);
        }
    }
    // web/src/reading/demo.ts has their names.
    EXPECT_THAT(
        shown, testing::ElementsAre("maren-holm", "jonas-nair", "freya-sato", "chiara-oduya")
    );
    EXPECT_THAT(ways, testing::ElementsAre("shared", "shared", "private", "off"));
}

TEST(DemoPeople, say_what_the_server_takes) {
    const DemoPerson& first = demo_people().front();
    EXPECT_EQ(first.consent(), R"({"reading":"shared"})");
    EXPECT_EQ(first.consent(noon), R"({"reading":"private","until":"2026-01-01T12:00:00Z"})");
    EXPECT_THAT(
        first.line(), StartsWith(R"({"reading":"shared","actor":"maren-holm","friends":[")")
    );
    EXPECT_THAT(first.line(), testing::EndsWith("\"]}\n"));
}

TEST(DemoArticles, have_long_addresses_of_their_own) {
    std::set<std::string> urls;
    for (std::uint64_t number = demo_article_at(noon); urls.size() < 3'000; ++number) {
        const std::string url = demo_article(number);
        EXPECT_TRUE(urls.insert(url).second) << url;
        EXPECT_GT(url.size(), 70U);
        EXPECT_THAT(url, HasSubstr("/2026/01/"));
        EXPECT_THAT(events::article_named(url), StartsWith("https://"));
    }
}

TEST(DemoReads, of_an_hour_are_the_same_each_time) {
    const std::int64_t hour = noon.time_since_epoch() / std::chrono::hours{1};
    const auto reads = demo_reads_of(hour);
    EXPECT_GT(reads.size(), 300U);
    EXPECT_LT(reads.size(), 500U);
    std::string lines;
    std::map<std::string, int> by_url;
    for (const DemoRead& each : reads) {
        lines += each.event();
        ++by_url[events::article_named(each.url)];
        EXPECT_GE(each.time.value_or(Instant{}), noon);
        EXPECT_LT(each.time.value_or(Instant{}), noon + std::chrono::hours{1});
    }
    std::string again;
    for (const DemoRead& each : demo_reads_of(hour)) {
        again += each.event();
    }
    EXPECT_EQ(again, lines);
    auto reader = events::EventReader::open(lines, events::EventForm::ndjson, Instant{});
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->next(1'000).good.size(), reads.size());
    int most = 0;
    for (const auto& [url, count] : by_url) {
        most = std::max(most, count);
    }
    EXPECT_GT(most, 15) << "some articles all talk about";
    EXPECT_GT(by_url.size(), 100U);
}

TEST(DemoReads, of_now_come_at_a_rate_above_zero) {
    for (double second = 0; second < 600; second += 0.5) {
        EXPECT_GT(DemoReads::rate_at(second), 0.2);
        EXPECT_LT(DemoReads::rate_at(second), 2);
    }
    DemoReads reads{1};
    for (int number = 0; number < 1'000; ++number) {
        const DemoRead read = reads.next(noon);
        EXPECT_FALSE(read.time);
        EXPECT_TRUE(read.id.empty());
    }
}

}  // namespace
}  // namespace footfall::cli
