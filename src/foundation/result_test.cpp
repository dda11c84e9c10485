#include "foundation/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace footfall {
namespace {

Result<int> half(int value) {
    if (value % 2 != 0) {
        return fail(ErrorKind::invalid_input, "odd");
    }
    return value / 2;
}

Result<void> check_half(int value) {
    TRY_VOID(half(value));
    return {};
}

Result<std::unique_ptr<int>> quarter(int value) {
    TRY(const int once, half(value));
    TRY(const int twice, half(once));
    return std::make_unique<int>(twice);
}

TEST(Result, try_binds_values_and_hands_errors_on) {
    EXPECT_EQ(**quarter(12), 3);
    const auto failed = quarter(6);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().kind, ErrorKind::invalid_input);
    EXPECT_TRUE(check_half(2));
    EXPECT_FALSE(check_half(3));
}

TEST(Error, context_stands_in_front) {
    const Error error = with_context(
        {.kind = ErrorKind::timed_out, .message = "timed out after 50 ms"}, "load counter a"
    );
    EXPECT_EQ(error.message, "load counter a: timed out after 50 ms");
    EXPECT_EQ(name_of(error.kind), "timed-out");
}

}  // namespace
}  // namespace footfall
