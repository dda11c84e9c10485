#include "identities/test_regions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

using namespace std::chrono_literals;

/// Its facts come once all that was here is looked through, by the feed and by reading all.
TEST_F(TwoRegions, erase_what_comes_late_of_whom_one_erased) {
    for (const bool is_followed_before : {false, true}) {
        Region a{"ams", 7, clock_};
        Region b{"fra", 8, clock_};
        if (is_followed_before) {
            while (a.follow()) {
            }
        }
        b.say(1, link(1, {"app:gone", "mail:there"}));
        b.say(1, link(2, {"mail:there", "mail:too"}));
        b.flush();
        a.erase({id_of("app:gone")});
        replicate(b, a, 1, random_);
        while (a.follow()) {
        }
        const std::vector<Id> ids{id_of("app:gone"), id_of("mail:there"), id_of("mail:too")};
        const auto index = read_index(a.store(), ids);
        ASSERT_TRUE(index);
        EXPECT_FALSE(index->contains(ids[0])) << is_followed_before;
        EXPECT_EQ(index->at(ids[1]).sid, index->at(ids[2]).sid);
        for (const storage::Table* const each : {&identity_fact_table, &sid_anchor_table}) {
            for (const auto& [key, row] : rows_of(a.store(), *each)) {
                EXPECT_EQ(std::ranges::count(row, storage::Value{std::string{"gone"}}), 0)
                    << each->name;
            }
        }
    }
}

/// The region that said it takes it out of its rows, which comes here behind all else.
TEST_F(TwoRegions, leave_out_whom_one_erased_while_rows_still_name_them) {
    const std::vector<Id> ids{id_of("app:gone"), id_of("mail:there"), id_of("mail:too")};
    b_.say(1, link(1, {"app:gone", "mail:there"}));
    b_.flush();
    replicate(b_, a_, 1, random_);
    const TableRows late = rows_of(a_.store(), identity_fact_table);
    a_.erase({ids[0]});
    follow_all();
    b_.say(1, link(2, {"mail:there", "mail:too"}));
    b_.flush();
    replicate(b_, a_, 1, random_);
    storage::Batch batch;
    for (const auto& [key, values] : late) {
        batch.upsert(identity_fact_table, storage::views_of(values));
    }
    ASSERT_TRUE(storage::write_durably(a_.store(), batch));
    follow_all();
    const auto index = read_index(a_.store(), ids);
    ASSERT_TRUE(index);
    EXPECT_FALSE(index->contains(ids[0]));
    EXPECT_EQ(index->at(ids[1]).sid, index->at(ids[2]).sid);
}

/// What is left of a fact without them comes by replication, too, and behind the feed.
TEST_F(TwoRegions, wait_for_what_is_left_without_whom_one_erased) {
    const std::vector<Id> ids{id_of("app:gone"), id_of("mail:there")};
    follow_all();
    b_.say(1, link(1, {"app:gone", "mail:there"}));
    b_.flush();
    a_.erase({ids[0]});
    replicate(b_, a_, 1, random_, std::array{&identity_feed_table, &identity_feed_end_table});
    EXPECT_FALSE(a_.follow());
    EXPECT_EQ(a_.lanes_behind(), 1U);
    b_.erase({ids[0]});
    replicate(b_, a_, 1, random_);
    EXPECT_TRUE(a_.follow());
    EXPECT_EQ(a_.lanes_behind(), 0U);
    const auto index = read_index(a_.store(), ids);
    ASSERT_TRUE(index);
    EXPECT_FALSE(index->contains(ids[0]));
    EXPECT_TRUE(index->contains(ids[1]));
}

/// Nothing is left of a parting that has one side.
TEST_F(TwoRegions, wait_once_and_not_for_ever_for_what_an_erasure_left_nothing_of) {
    follow_all();
    b_.say(1, parting(1, {"mail:gone"}, {"app:there"}));
    b_.say(1, link(2, {"app:there", "mail:too"}));
    b_.say(1, link(3, {"app:there", "mail:gone"}));
    b_.flush();
    a_.erase({id_of("mail:gone")});
    b_.erase({id_of("mail:gone")});
    replicate(b_, a_, 1, random_);
    follow_all();
    EXPECT_EQ(a_.lanes_behind(), 1U);
    clock_.advance(5min);
    follow_all();
    EXPECT_EQ(a_.lanes_behind(), 0U);
    expect_rows_follow(a_.store(), {link(2, {"app:there", "mail:too"}), link(3, {"app:there"})});
}

}  // namespace
}  // namespace footfall::identities
