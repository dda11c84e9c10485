#include "series/tag_query.h"

#include "series/name.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall::series {
namespace {

using Texts = std::vector<std::string>;

TEST(EachTag, begins_with_the_name_and_knows_no_other) {
    std::vector<std::pair<std::string, std::string>> tags;
    const auto see = [&](std::string_view tag, std::string_view value) {
        tags.emplace_back(tag, value);
    };
    each_tag("disk.used;dc=a;host=b=c;name=other", see);
    const std::vector<std::pair<std::string, std::string>> expected{
        {"name", "disk.used"}, {"dc", "a"}, {"host", "b=c"}
    };
    EXPECT_EQ(tags, expected);
    tags.clear();
    each_tag("disk", see);
    EXPECT_EQ(tags.size(), 1);
}

TEST(TagQuery, holds_where_all_conditions_do) {
    struct Case {
        Texts conditions;
        Texts fitting;
    };

    const Texts names{"cpu;dc=a;host=h1", "cpu;dc=b", "cpu.user;dc=a", "disk;host=h1;role=db"};
    const std::vector<Case> cases{
        {{}, names},
        {{"name=cpu"}, {names[0], names[1]}},
        {{"name=~cpu"}, {names[0], names[1], names[2]}},
        {{"name=~^cpu$"}, {names[0], names[1]}},
        {{"name=~cpu|disk", "dc!=a"}, {names[1], names[3]}},
        {{"dc=a"}, {names[0], names[2]}},
        {{"dc!="}, {names[0], names[1], names[2]}},
        {{"host=h1", "dc="}, {names[3]}},
        {{"name=~.", "host!=h1"}, {names[1], names[2]}},
        {{"host=~h[0-9]+"}, {names[0], names[3]}},
        {{"name=~.", "host!=~h.*"}, {names[1], names[2]}},
        {{"host=~1"}, {}},  // from the beginning on
        {{"name=other"}, {}},
        {{"role!=~^$", "host=h1"}, {names[3]}},
        {{"dc=a=b"}, {}},
    };
    for (const auto& [conditions, fitting] : cases) {
        const auto query = TagQuery::parse(conditions);
        ASSERT_TRUE(query) << query.error().message;
        Texts found;
        for (const std::string& name : names) {
            if (query->matches(name)) {
                found.push_back(name);
            }
        }
        EXPECT_EQ(found, fitting) << testing::PrintToString(conditions);
    }
}

TEST(TagQuery, says_what_it_asks_for) {
    const auto query = TagQuery::parse(Texts{"dc!=a", "name=cpu"});
    ASSERT_TRUE(query);
    EXPECT_TRUE(query->asks_for("dc"));
    EXPECT_FALSE(query->asks_for("host"));
    ASSERT_NE(query->name(), nullptr);
    EXPECT_EQ(*query->name(), "cpu");
    EXPECT_EQ(TagQuery::parse(Texts{"name=~cpu"})->name(), nullptr);
}

TEST(TagQuery, that_is_none_is_refused_with_why) {
    for (const auto& [conditions, says] : std::vector<std::pair<Texts, std::string>>{
             {{""}, "is none of tag=value"},
             {{"dc"}, "is none of tag=value"},
             {{"=a"}, "is none of tag=value"},
             {{"!=a"}, "is none of tag=value"},
             {{"a;b=c"}, "is none of tag=value"},
             {{"dc!a"}, "a ! without a ="},
             {{"dc!~a"}, "a ! without a ="},
             {{"dc=a;b"}, "semicolon"},
             {{"dc=\xff"}, "no UTF-8"},
             {{"dc=" + std::string(3000, 'a')}, "too long"},
             {{"dc=~" + std::string(1025, 'a')}, "longer than 1024"},
             {{"dc=~("}, "no regular expression"},
             {{"dc=~(?=a)"}, "no regular expression"},
             {{"dc=~(((a{1,100}){1,100}){1,100})"}, "no regular expression"},
             {{"dc="}, "no empty value"},
             {{"dc!=a"}, "no empty value"},
             {{"dc=~.*"}, "no empty value"},
             {{"dc!=~a", "host!=b"}, "no empty value"},
             {Texts(33, "dc=a"), "more than 32"}
         }) {
        const auto query = TagQuery::parse(conditions);
        ASSERT_FALSE(query) << testing::PrintToString(conditions);
        EXPECT_EQ(query.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(query.error().message, testing::HasSubstr(says));
    }
}

}  // namespace
}  // namespace footfall::series
