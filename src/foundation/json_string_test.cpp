#include "foundation/json_string.h"

#include <gtest/gtest.h>

namespace footfall {
namespace {

TEST(JsonString, escapes_what_json_must_not_hold_and_nothing_else) {
    using namespace std::string_view_literals;
    EXPECT_EQ(json_string(""), R"("")");
    EXPECT_EQ(json_string("caf\xc3\xa9 a/b \x7f"), "\"caf\xc3\xa9 a/b \x7f\"");
    EXPECT_EQ(json_string(R"(say "a\b")"), R"("say \"a\\b\"")");
    EXPECT_EQ(json_string("\0\n\x1f"sv), R"("\u0000\u000a\u001f")");
}

TEST(JsonString, is_appended) {
    std::string json = "[";
    append_json_string(json, "a");
    EXPECT_EQ(json, R"(["a")");
}

}  // namespace
}  // namespace footfall
