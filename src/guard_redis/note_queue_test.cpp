#include "guard_redis/note_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace footfall::guard_redis {
namespace {

std::vector<guard::RateNote> notes_of(std::uint64_t first, std::uint64_t count) {
    std::vector<guard::RateNote> notes(count);
    for (std::uint64_t at = 0; at < count; ++at) {
        notes[at].place.offset = first + at;
    }
    return notes;
}

TEST(NoteQueue, lets_the_oldest_go_when_it_is_full) {
    NoteQueue queue{10};
    EXPECT_EQ(queue.add(notes_of(0, 8)), 0U);
    EXPECT_EQ(queue.add(notes_of(8, 5)), 3U);
    EXPECT_EQ(queue.size(), 10U);
    const std::vector<guard::RateNote> taken = queue.take(4);
    ASSERT_EQ(taken.size(), 4U);
    EXPECT_EQ(taken.front().place.offset, 3U);
    EXPECT_EQ(queue.take(100).back().place.offset, 12U);
    EXPECT_EQ(queue.size(), 0U);
    EXPECT_EQ(queue.add(notes_of(13, 25)), 15U);
    EXPECT_EQ(queue.take(1).front().place.offset, 28U);
}

TEST(NoteQueue, counts_what_was_added_and_what_left) {
    NoteQueue queue{10};
    queue.add(notes_of(0, 12));
    EXPECT_EQ(queue.added(), 12U);
    EXPECT_EQ(queue.left(), 2U);
    queue.take(3);
    EXPECT_EQ(queue.left(), 5U);
}

}  // namespace
}  // namespace footfall::guard_redis
