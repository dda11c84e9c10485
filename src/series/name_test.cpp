#include "series/name.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall::series {
namespace {

TEST(Name, is_the_same_in_whatever_order_tags_come) {
    for (const auto& [text, name] : std::vector<std::pair<std::string, std::string>>{
             {"a", "a"},
             {"servers.a-1.cpu:user/%", "servers.a-1.cpu:user/%"},
             {"größe.ü", "größe.ü"},
             {"disk;host=a;dc=b=c", "disk;dc=b=c;host=a"},
             {"disk;dc=b=c;host=a", "disk;dc=b=c;host=a"}
         }) {
        const auto parsed = parse_name(text);
        ASSERT_TRUE(parsed) << text << ": " << parsed.error().message;
        EXPECT_EQ(*parsed, name);
    }
    EXPECT_EQ(split_name("disk;dc=b;host=a").name, "disk");
    EXPECT_EQ(split_name("disk;dc=b;host=a").tags, "dc=b;host=a");
    EXPECT_EQ(split_name("disk").tags, "");
}

TEST(Name, what_is_none_is_refused_with_why) {
    std::string many = "a";
    for (int at = 0; at < 33; ++at) {
        many += ";t" + std::to_string(at) + "=v";
    }
    for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
             {"", "empty"},           {".a", "empty"},
             {"a.", "empty"},         {"a..b", "empty"},
             {";a=b", "empty"},       {"a b", "a space"},
             {"a\tb", "control"},     {std::string{"a\0b", 3}, "control"},
             {"a\x7f", "control"},    {"\xff", "UTF-8"},
             {"a.*", "patterns"},     {"a.{b}", "patterns"},
             {"a;", "tag=value"},     {"a;b", "tag=value"},
             {"a;b=", "tag=value"},   {"a;=b", "tag=value"},
             {"a;b=c;", "tag=value"}, {"a;b=~c", "~"},
             {"a;b!=c", "!"},         {"a;b=c;b=d", "twice"},
             {many, "more than 32"},  {std::string(1025, 'a'), "longer than 1024"}
         }) {
        const auto parsed = parse_name(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(parsed.error().message, testing::HasSubstr(says)) << text;
    }
}

TEST(Name, has_its_tags_one_by_one) {
    using Tags = std::vector<std::pair<std::string_view, std::string_view>>;
    EXPECT_EQ(tags_in(split_name("a.b;c=d=e;f=g").tags), (Tags{{"c", "d=e"}, {"f", "g"}}));
    EXPECT_TRUE(tags_in(split_name("a.b").tags).empty());
}

}  // namespace
}  // namespace footfall::series
