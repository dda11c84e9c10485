#include "ads/seals.h"

#include <gtest/gtest.h>

namespace footfall::ads {
namespace {

constexpr Month october = 681;

TEST(SealProgress, is_sealing_from_the_first_lane_until_rows_are_written) {
    SealProgress progress;
    EXPECT_FALSE(progress.is_sealing());
    progress.note_passed(october);
    EXPECT_TRUE(progress.is_sealing());
    progress.note_written(october);
    EXPECT_FALSE(progress.is_sealing());
}

/// As after a start, when the log behind the last checkpoint is read again.
TEST(SealProgress, a_lane_that_passes_a_seal_again_opens_nothing) {
    SealProgress progress;
    progress.note_passed(october);
    progress.note_written(october);
    progress.note_passed(october);
    progress.note_passed(october - 1);
    EXPECT_FALSE(progress.is_sealing());
}

/// Rows are written by what was read before it.
TEST(SealProgress, a_seal_that_comes_while_rows_of_another_are_written_stays) {
    SealProgress progress;
    progress.note_passed(october);
    progress.note_passed(october + 1);
    progress.note_written(october);
    progress.note(Seals{});
    EXPECT_TRUE(progress.is_sealing());
}

}  // namespace
}  // namespace footfall::ads
