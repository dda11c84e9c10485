#include "foundation/names.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall {
namespace {

TEST(Names, are_1_to_1024_bytes_of_utf8) {
    EXPECT_TRUE(check_name("object name", "a"));
    EXPECT_TRUE(check_name("object name", "käse / \x01 ?"));
    EXPECT_TRUE(check_name("object name", std::string(1024, 'a')));
    EXPECT_TRUE(check_name("object name", std::string(1, '\0')));
    for (const std::string& wrong : {std::string{}, std::string(1025, 'a'), std::string{"\xff"}}) {
        const Result<void> checked = check_name("object name", wrong);
        ASSERT_FALSE(checked) << wrong;
        EXPECT_EQ(checked.error().kind, ErrorKind::invalid_input);
        EXPECT_TRUE(checked.error().message.starts_with("the object name ")) << wrong;
    }
}

}  // namespace
}  // namespace footfall
