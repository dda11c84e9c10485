#include "foundation/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall {
namespace {

TEST(Utf8, accepts_every_length_and_the_edges_of_each) {
    for (const std::string_view good :
         {"",
          "a",
          "\x7f",
          "\xc2\x80",
          "\xdf\xbf",
          "\xe0\xa0\x80",
          "\xed\x9f\xbf",
          "\xee\x80\x80",
          "\xef\xbf\xbf",
          "\xf0\x90\x80\x80",
          "\xf4\x8f\xbf\xbf",
          "gr\xc3\xbcn is a colour, with more text behind it"}) {
        EXPECT_TRUE(is_utf8(good)) << good;
    }
}

TEST(Utf8, refuses_overlong_forms_surrogates_lone_bytes_and_cut_sequences) {
    for (const std::string_view bad :
         {"\x80",
          "\xbf",
          "\xc0\x80",
          "\xc1\xbf",
          "\xe0\x9f\xbf",
          "\xed\xa0\x80",
          "\xf0\x8f\xbf\xbf",
          "\xf4\x90\x80\x80",
          "\xf5\x80\x80\x80",
          "\xff",
          "\xc3",
          "\xe2\x82",
          "\xf0\x9f\x92",
          "12345678\xff",
          "\xe2\x82\x41"}) {
        EXPECT_FALSE(is_utf8(bad));
    }
}

TEST(Utf8, agrees_with_decoding_by_the_definition_for_all_two_byte_strings) {
    for (unsigned first = 0; first < 256; ++first) {
        for (unsigned second = 0; second < 256; ++second) {
            const std::string text{static_cast<char>(first), static_cast<char>(second)};
            const bool both_ascii = first < 0x80 && second < 0x80;
            const bool one_pair = first >= 0xc2 && first <= 0xdf && (second & 0xc0) == 0x80;
            EXPECT_EQ(is_utf8(text), both_ascii || one_pair) << first << " " << second;
        }
    }
}

}  // namespace
}  // namespace footfall
