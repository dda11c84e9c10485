#include "tokens/names.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::tokens {
namespace {

TEST(Tokens, are_1_to_1024_bytes_of_anything) {
    EXPECT_TRUE(check_token("\xff\xfe"));
    EXPECT_TRUE(check_token(std::string(1024, '\0')));
    EXPECT_FALSE(check_token(""));
    EXPECT_FALSE(check_token(std::string(1025, 'a')));
}

}  // namespace
}  // namespace footfall::tokens
