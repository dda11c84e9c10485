#include "guard/agents.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::guard {
namespace {

std::string found(const AgentList& list, std::string_view agent) {
    return std::string{list.find(agent).value_or("")};
}

std::string list_fault(std::string_view text) {
    const auto list = AgentList::read(text);
    return list ? "" : list.error().message;
}

TEST(Agents, of_a_text_are_found_in_letters_of_either_size) {
    const auto list = AgentList::read("# robots\nbot\n^curl\\/[0-9]\r\n\nspider  \n");
    ASSERT_TRUE(list);
    EXPECT_EQ(list->size(), 3U);
    EXPECT_EQ(found(*list, "Mozilla/5.0 (compatible; Googlebot/2.1)"), "bot");
    EXPECT_EQ(found(*list, "curl/8.5.0"), "^curl\\/[0-9]");
    EXPECT_EQ(found(*list, "a curl/8.5.0"), "");
    EXPECT_EQ(found(*list, "Spider, a Bot"), "bot") << "the first of the list";
    EXPECT_EQ(found(*list, "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0"), "");
    EXPECT_EQ(found(*list, ""), "");
}

TEST(Agents, of_public_lists_are_read_as_these_are_meant) {
    const auto counter = AgentList::read(R"([{"pattern":"Bot","last_changed":"2017-08-08"}])");
    ASSERT_TRUE(counter);
    EXPECT_EQ(found(*counter, "robot"), "Bot");
    const auto crawlers = AgentList::read(
        R"( [{"pattern":"[wW]get","instances":["Wget/1.14"]},{"pattern":"Slurp","instances":[]}])"
    );
    ASSERT_TRUE(crawlers);
    EXPECT_EQ(found(*crawlers, "Wget/1.14"), "[wW]get");
    EXPECT_EQ(found(*crawlers, "slurp"), "");
}

TEST(Agents, that_are_no_expressions_are_named) {
    EXPECT_EQ(
        list_fault("bot\n(spider\n"), "\"(spider\" is no regular expression: missing ): (spider"
    );
    EXPECT_EQ(list_fault("[{\"name\":\"x\"}]"), "element 1 has no \"pattern\"");
    EXPECT_EQ(
        list_fault("[1"), "a list of agents is a JSON array, or text with one expression a line"
    );
    EXPECT_EQ(list_fault("# nothing\n"), "a list of agents has 1 to 20000 expressions, not 0");
}

TEST(Agents, are_answered_the_same_however_often_they_are_asked_for) {
    const auto list = AgentList::read("bot7\n^$");
    ASSERT_TRUE(list);
    for (int round = 0; round < 3; ++round) {
        for (int agent = 0; agent < 20'000; ++agent) {  // more than are remembered
            const std::string name = "a bot" + std::to_string(agent) + " ";
            ASSERT_EQ(found(*list, name), name.starts_with("a bot7") ? "bot7" : "") << name;
        }
    }
}

TEST(Agents, whatever_bytes_an_agent_has_are_looked_at) {
    const auto list = AgentList::read("bot");
    ASSERT_TRUE(list);
    EXPECT_EQ(found(*list, "\xff\xfe bot"), "bot");
    EXPECT_EQ(found(*list, std::string(100'000, 'x')), "");
}

}  // namespace
}  // namespace footfall::guard
