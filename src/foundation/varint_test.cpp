#include "foundation/varint.h"

#include <gtest/gtest.h>

#include <limits>

namespace footfall {
namespace {

TEST(Varint, gives_back_what_it_was_given) {
    std::string bytes;
    std::uint64_t number = 1;
    std::vector<std::uint64_t> numbers{0, std::numeric_limits<std::uint64_t>::max()};
    for (unsigned shift = 0; shift < 64; ++shift) {
        numbers.push_back(std::uint64_t{1} << shift);
        numbers.push_back((std::uint64_t{1} << shift) - 1);
    }
    for (const std::uint64_t each : numbers) {
        append_varint(each, bytes);
    }
    std::string_view left{bytes};
    for (const std::uint64_t each : numbers) {
        ASSERT_TRUE(take_varint(left, number));
        EXPECT_EQ(number, each);
    }
    EXPECT_TRUE(left.empty());
}

TEST(Varint, takes_as_many_bytes_as_it_needs) {
    std::string bytes;
    append_varint(127, bytes);
    EXPECT_EQ(bytes.size(), 1U);
    append_varint(128, bytes);
    EXPECT_EQ(bytes, "\x7f\x80\x01");
}

TEST(Varint, refuses_what_is_cut_off_or_too_long) {
    std::uint64_t number = 0;
    for (const std::string_view bad :
         {std::string_view{},
          std::string_view{"\x80"},
          std::string_view{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"},
          std::string_view{"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"}}) {
        std::string_view left = bad;
        EXPECT_FALSE(take_varint(left, number));
    }
}

}  // namespace
}  // namespace footfall
