#include "identities/moved_profiles.h"

#include "identities/fact_rows.h"
#include "identities/schema.h"
#include "identities/settling.h"
#include "identities/sid.h"
#include "identities/test_facts.h"
#include "identities/test_rows.h"
#include "identities/timed_notes.h"
#include "storage/memory_store.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

class MovedProfilesTest : public testing::Test {
protected:
    Settling settling(bool shared) {
        return Settling{store_, {.secret = rows_secret, .clock = &clock_, .shared = shared}};
    }

    void say(const Settling& settling, const Fact& fact) {
        storage::Batch batch;
        add_rows({.writer = "writer", .fact = fact}, batch);
        ASSERT_TRUE(storage::write_durably(store_, batch));
        ASSERT_TRUE(settling.settle(fact.ids, "writer"));
    }

    /// All that was noted.
    std::set<std::string> noted() {
        std::set<std::string> sids;
        for_each_row(store_, profile_moved_table, [&](const storage::Rows& rows, std::size_t row) {
            for (const std::string& each : read_moved_note(rows.at(row, 3).text())) {
                sids.insert(each);
            }
        });
        return sids;
    }

    static std::set<std::string> sids_of(const std::vector<std::string>& ids) {
        std::set<std::string> sids;
        for (const std::string& each : ids) {
            sids.insert(sid_of(rows_secret, id_of(each)));
        }
        return sids;
    }

    ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore store_{all_tables, clock_};
};

TEST_F(MovedProfilesTest, nothing_is_noted_before_somebody_follows) {
    const Settling one = settling(/*shared=*/false);
    say(one, link(1, {"web:a", "mail:b"}));
    EXPECT_TRUE(noted().empty());
    MovedProfiles::Names told;
    ASSERT_TRUE(one.moved().follow([&](const MovedProfiles::Names& sids, Instant since) {
        told = sids;
        EXPECT_EQ(since, clock_.now());
    }));
    say(one, link(2, {"web:a", "app:c"}));
    EXPECT_EQ(noted(), sids_of({"mail:b"}));
    EXPECT_EQ(told, noted());
    one.moved().stop_telling();
    told.clear();
    say(one, link(3, {"web:x", "app:y"}));
    EXPECT_TRUE(told.empty());
    EXPECT_EQ(noted(), sids_of({"mail:b", "app:y"})) << "notes go on";
}

TEST_F(MovedProfilesTest, it_is_noted_after_the_next_start_too) {
    {
        const Settling one = settling(/*shared=*/false);
        ASSERT_TRUE(one.moved().follow({}));
    }
    say(settling(/*shared=*/false), link(1, {"web:a", "mail:b"}));
    EXPECT_EQ(noted(), sids_of({"mail:b"}));
}

TEST_F(MovedProfilesTest, beside_others_all_is_noted) {
    const Settling one = settling(/*shared=*/true);
    say(one, link(1, {"web:a", "mail:b"}));
    EXPECT_EQ(noted(), sids_of({"mail:b"}));
}

TEST_F(MovedProfilesTest, profiles_that_stay_are_not_noted_and_those_that_part_are) {
    const Settling one = settling(/*shared=*/false);
    say(one, link(1, {"web:a", "mail:b"}));
    ASSERT_TRUE(one.moved().follow({}));
    say(one, link(1, {"web:a", "mail:b"}, "another source"));
    EXPECT_TRUE(noted().empty());
    say(one, datum(2, "web:a", "consent", "\"denied\""));
    EXPECT_EQ(noted(), sids_of({"mail:b"}));
    say(one, datum(2, "web:a", "consent", "\"denied\""));
    EXPECT_EQ(noted(), sids_of({"mail:b"}));
    say(one, parting(3, {"web:a"}, {"mail:b"}));
    EXPECT_EQ(noted(), sids_of({"web:a", "mail:b"}));
}

TEST_F(MovedProfilesTest, notes_are_read_in_their_order_a_bucket_at_a_time) {
    const Instant begin = at_second(1'790'000'000);
    storage::Batch batch;
    for (int number = 0; number < 30; ++number) {
        add_timed_note(
            profile_moved_table, begin + std::chrono::seconds{number}, number, "x", batch
        );
    }
    ASSERT_TRUE(storage::write_durably(store_, batch));
    const auto first = read_timed_notes(
        store_,
        profile_moved_table,
        begin + std::chrono::seconds{2},
        begin + std::chrono::hours{1},
        5
    );
    ASSERT_EQ(first->notes.size(), 5);
    EXPECT_EQ(first->notes.front().token, 2);
    const auto rest = read_timed_notes(
        store_,
        profile_moved_table,
        begin + std::chrono::seconds{2},
        begin + std::chrono::hours{1},
        5,
        first->continuation
    );
    ASSERT_EQ(rest->notes.size(), 3) << "the bucket ends with the tenth second";
    EXPECT_TRUE(rest->continuation.empty());
}

}  // namespace
}  // namespace footfall::identities
