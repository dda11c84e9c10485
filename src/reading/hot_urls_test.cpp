#include "reading/hot_urls.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace footfall::reading {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr people::UtcDay day_one = 20'000;
constexpr QuarterOfTime morning = day_one * quarters_a_day + 40;

class HotUrlsTest : public testing::Test {
protected:
    void share(const std::string& actor, std::uint64_t number) {
        sharers_.put(actor, {.number = number}, {.reading = people::Reading::shared});
        std::vector<ReaderId> all;
        all.reserve(sharers_.ids_end());
        for (ReaderId id = 0; id < sharers_.ids_end(); ++id) {
            all.push_back(id);
        }
        friends_.clear();
        friends_.assign(all);
    }

    /// Names, or "absent".
    std::vector<std::string> readers(std::uint64_t url, people::UtcDay today = day_one) {
        std::vector<ReaderId> matched;
        const QuarterOfTime now = std::max(now_, today * quarters_a_day);
        if (!urls_.match(0, url, today - 30, now, friends_, matched)) {
            return {"absent"};
        }
        std::vector<std::string> names;
        names.reserve(matched.size());
        for (const ReaderId id : matched) {
            names.push_back(sharers_.actor_of(id));
        }
        std::ranges::sort(names);
        return names;
    }

    void load(std::uint64_t url, const std::vector<UrlRead>& reads) {
        ASSERT_TRUE(urls_.begin(0, url));
        KnownReaders known;
        for (const UrlRead& each : reads) {
            urls_.add(each, known);
        }
        urls_.install(0, url, known, now_);
    }

    /// Of URL 7.
    void note(const UrlRead& read) {
        const ReadOfUrl one{.url = 7, .read = read};
        urls_.note(0, {&one, 1}, now_);
    }

    void expect_audited() {
        const auto audit = urls_.audit(0);
        EXPECT_EQ(audit.booked, audit.counted);
        EXPECT_EQ(urls_.bytes(), audit.booked);
    }

    people::Sharers sharers_{SipKey{1, 1}};
    HotUrls urls_{sharers_, morning - 40 * quarters_a_day};
    FriendSet friends_;
    QuarterOfTime now_ = morning;
};

TEST_F(HotUrlsTest, a_url_is_there_once_it_is_loaded_with_what_came_meanwhile) {
    share("ann", 1);
    share("bob", 2);
    EXPECT_THAT(readers(7), ElementsAre("absent"));
    note({.reader = 1, .quarter = morning});
    ASSERT_TRUE(urls_.begin(0, 7));
    EXPECT_FALSE(urls_.begin(0, 7));
    EXPECT_THAT(readers(7), ElementsAre("absent"));
    note({.reader = 2, .quarter = morning});
    urls_.install(0, 7, {}, now_);
    EXPECT_THAT(readers(7), ElementsAre("bob")) << "what came before it began is for who loads it";
    urls_.forget(0, 7);
    EXPECT_THAT(readers(7), ElementsAre("absent"));
    urls_.install(0, 7, {}, now_);
    EXPECT_THAT(readers(7), ElementsAre("absent")) << "it went meanwhile";
    expect_audited();
}

TEST_F(HotUrlsTest, a_number_that_nobody_has_yet_is_somebodys_later) {
    share("ann", 1);
    load(7, {{.reader = 2, .quarter = morning}});
    note({.reader = 3, .quarter = morning});
    EXPECT_THAT(readers(7), IsEmpty());
    share("bob", 2);
    EXPECT_THAT(readers(7), ElementsAre("bob"));
    share("cid", 3);
    EXPECT_THAT(readers(7), ElementsAre("bob", "cid"));
    expect_audited();
    load(8, {{.reader = 4, .quarter = morning - 9 * quarters_a_day}});
    load(9, {{.reader = 5, .quarter = morning}});
    now_ += 2;
    share("dan", 4);
    EXPECT_THAT(readers(8), ElementsAre("dan")) << "of whatever time, it has just come";
    now_ += 1;
    share("fay", 6);
    EXPECT_THAT(readers(9), IsEmpty());
    share("eve", 5);
    EXPECT_THAT(readers(9), IsEmpty()) << "after half an hour they are gone";
    expect_audited();
}

TEST_F(HotUrlsTest, are_of_use_as_long_as_quarters_can_be_told_apart) {
    EXPECT_TRUE(urls_.covers(morning + 600 * quarters_a_day));
    EXPECT_FALSE(urls_.covers(morning + 700 * quarters_a_day));
}

TEST_F(HotUrlsTest, when_a_day_begins_what_ended_and_who_left_goes) {
    share("ann", 1);
    share("bob", 2);
    share("cid", 3);
    load(
        7,
        {{.reader = 1, .quarter = morning - 30 * quarters_a_day},
         {.reader = 2, .quarter = morning},
         {.reader = 3, .quarter = morning}}
    );
    EXPECT_THAT(readers(7), ElementsAre("ann", "bob", "cid"));
    const std::size_t before = urls_.bytes();
    sharers_.remove("cid");
    EXPECT_THAT(readers(7, day_one + 1), ElementsAre("bob"));
    EXPECT_LT(urls_.bytes(), before);
    EXPECT_THAT(readers(7, day_one + 30), ElementsAre("bob"));
    EXPECT_THAT(readers(7, day_one + 31), IsEmpty());
    expect_audited();
}

TEST_F(HotUrlsTest, what_nobody_asks_for_goes_first_where_memory_is_short) {
    share("ann", 1);
    for (std::uint64_t url = 0; url < 10'000; ++url) {
        load(url, {{.reader = 1, .quarter = morning}});
    }
    expect_audited();
    const std::size_t all = urls_.bytes();
    urls_.keep_within(all);
    EXPECT_EQ(urls_.size(), 10'000);
    urls_.keep_within(all - 1);  // all were new, and are so no more
    for (std::uint64_t url = 0; url < 1'000; ++url) {
        readers(url);
    }
    urls_.keep_within(all / 4);
    EXPECT_LE(urls_.bytes(), all / 4);
    expect_audited();
    std::size_t left = 0;
    for (std::uint64_t url = 0; url < 1'000; ++url) {
        left += readers(url).front() == "ann" ? 1 : 0;
    }
    EXPECT_GT(left, 700);
    urls_.keep_within(0);
    EXPECT_EQ(urls_.size(), 0);
    expect_audited();
}

}  // namespace
}  // namespace footfall::reading
