#include "segments/noted.h"

#include "identities/test_facts.h"
#include "segments/schema.h"
#include "segments/test_cut_store.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace footfall::segments {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Notes = std::vector<std::string>;

class NotesTest : public testing::Test {
protected:
    void note(const std::string& what, Instant at) {
        storage::Batch batch;
        identities::add_timed_note(segment_noted_table, at, ++token_, what, batch);
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    /// All that is to be looked at by now, some at a time.
    Notes next(NotesFollowed& followed) {
        Notes all;
        for (;;) {
            const auto some = followed.next(now(), 3);
            EXPECT_TRUE(some);
            if (!some || some->empty()) {
                return all;
            }
            all.insert(all.end(), some->begin(), some->end());
        }
    }

    Instant now() const { return clock_.now(); }

    ManualClock clock_{identities::at_second(1'790'000'003)};
    const std::array<const storage::Table*, 1> tables_{&segment_noted_table};
    storage::MemoryStore store_{tables_, clock_};
    std::int64_t token_ = 0;
};

/// What it tells of may be written behind it.
TEST_F(NotesTest, of_others_are_read_at_once_and_thrice_again) {
    NotesFollowed followed{store_, segment_noted_table, /*shared=*/true};
    followed.follow_from(now(), now());
    EXPECT_EQ(next(followed), Notes{});
    clock_.advance(seconds{1});
    note("a", now());
    EXPECT_EQ(next(followed), Notes{"a"});
    clock_.advance(seconds{1});
    EXPECT_EQ(next(followed), Notes{});
    clock_.advance(milliseconds{500});
    EXPECT_EQ(next(followed), Notes{"a"});
    clock_.advance(seconds{1});
    EXPECT_EQ(next(followed), Notes{});
    clock_.advance(seconds{15});
    EXPECT_EQ(next(followed), Notes{"a"});
    clock_.advance(seconds{90});
    EXPECT_EQ(next(followed), Notes{});
    EXPECT_LE(followed.answered_until(now()), now() - notes_settled);
    clock_.advance(seconds{30});
    EXPECT_EQ(next(followed), Notes{"a"});
    clock_.advance(seconds{500});
    EXPECT_EQ(next(followed), Notes{});
}

TEST_F(NotesTest, that_come_late_are_read) {
    NotesFollowed followed{store_, segment_noted_table, /*shared=*/true};
    followed.follow_from(now(), now());
    EXPECT_EQ(next(followed), Notes{});
    clock_.advance(seconds{30});
    note("ten seconds behind", now() - seconds{10});
    EXPECT_EQ(next(followed), Notes{});
    clock_.advance(seconds{6});
    EXPECT_EQ(next(followed), Notes{"ten seconds behind"});
    note("a minute behind", now() - seconds{60});
    EXPECT_EQ(next(followed), Notes{});
    clock_.advance(seconds{61});
    EXPECT_EQ(next(followed), Notes{"a minute behind"});
}

/// Reads of a table grow with its notes, not with their square.
TEST_F(NotesTest, that_are_new_are_not_read_anew_for_each_that_is_handed_out) {
    constexpr std::size_t many = 500;
    CutStore counting{store_, 1, /*by_partition=*/false};
    NotesFollowed followed{counting, segment_noted_table, /*shared=*/true};
    followed.follow_from(now(), now());
    EXPECT_EQ(next(followed), Notes{});
    clock_.advance(seconds{1});
    Notes wanted;
    for (std::size_t number = 0; number < many; ++number) {
        wanted.push_back(std::to_string(number));
        note(wanted.back(), now());
    }
    const std::uint64_t before = counting.ranges_read();
    Notes found;
    for (std::size_t number = 0; number < many; ++number) {
        const auto one = followed.next(now(), 1);
        ASSERT_TRUE(one);
        ASSERT_EQ(one->size(), 1U);
        found.push_back(one->front());
    }
    EXPECT_EQ(found, wanted);
    EXPECT_LE(counting.ranges_read() - before, many / 10);
    EXPECT_EQ(next(followed), Notes{});
}

TEST_F(NotesTest, from_where_somebody_stopped_are_read_in_order_over_buckets) {
    Notes wanted;
    for (int number = 0; number < 50; ++number) {
        note(std::to_string(number), now());
        if (number >= 20) {
            wanted.push_back(std::to_string(number));
        }
        clock_.advance(milliseconds{700});
    }
    NotesFollowed followed{store_, segment_noted_table, /*shared=*/false};
    followed.follow_from(now() - 30 * milliseconds{700}, now());
    EXPECT_TRUE(followed.is_behind());
    EXPECT_EQ(next(followed), wanted);
    EXPECT_FALSE(followed.is_behind());
    note("told in memory", now());
    EXPECT_EQ(next(followed), Notes{});
}

TEST_F(NotesTest, that_are_behind_are_not_taken_for_answered) {
    const Instant begin = now();
    for (int number = 0; number < 50; ++number) {
        note(std::to_string(number), now());
        clock_.advance(seconds{20});
    }
    NotesFollowed followed{store_, segment_noted_table, /*shared=*/false};
    followed.follow_from(begin, now());
    ASSERT_TRUE(followed.next(now(), 10));
    EXPECT_LE(followed.answered_until(now()), begin + seconds{200});
    followed.follow_from(begin, now());
    EXPECT_EQ(next(followed).size(), 50) << "again from an earlier place";
    EXPECT_EQ(followed.answered_until(now()), now() - notes_settled);
}

}  // namespace
}  // namespace footfall::segments
