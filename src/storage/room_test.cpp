#include "storage/room.h"

#include <gtest/gtest.h>

namespace footfall::storage {
namespace {

using namespace std::chrono_literals;

TEST(Room, is_waited_for_and_nothing_else_is) {
    int asked = 0;
    const auto full_until = [&](int last, ErrorKind kind) {
        return [&asked, last, kind]() -> Result<void> {
            return ++asked < last ? Result<void>{fail(kind, "full")} : Result<void>{};
        };
    };
    EXPECT_TRUE(write_when_there_is_room(full_until(3, ErrorKind::overloaded)));
    EXPECT_EQ(asked, 3);
    asked = 0;
    EXPECT_FALSE(write_when_there_is_room(full_until(3, ErrorKind::unavailable)));
    EXPECT_EQ(asked, 1);
    asked = 0;
    EXPECT_EQ(
        write_when_there_is_room(full_until(1 << 30, ErrorKind::overloaded), 1ms).error().kind,
        ErrorKind::overloaded
    );
}

}  // namespace
}  // namespace footfall::storage
