#include "guard/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace footfall::guard {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

ListReader lists_of(std::map<std::string, std::string> texts) {
    return [texts = std::move(texts)](const std::string& name) -> Result<std::string> {
        const auto found = texts.find(name);
        if (found == texts.end()) {
            return fail(ErrorKind::not_found, "no file \"" + name + "\"");
        }
        return found->second;
    };
}

std::string rule_fault(std::string_view toml) {
    const auto rules = RuleSet::read(toml, lists_of({{"broken", "# none\n10.0.0.1/8\n"}}));
    EXPECT_TRUE(rules || rules.error().kind == ErrorKind::invalid_input) << toml;
    return rules ? "" : rules.error().message;
}

TEST(RuleFile, names_rules_in_their_order) {
    const auto rules = RuleSet::read(
        "[[rule]]\nname = \"once\"\nkind = \"repeat\"\nwindow = \"2h\"\nactions = [\"view\"]\n"
        "[[rule]]\nname = \"slow\"\nreason = \"rate\"\nmode = \"shadow\"\nkind = \"rate\"\n"
        "door = \"public\"\nper = \"actor\"\nlimit = 5\nwindow = 60\n",
        lists_of({})
    );
    ASSERT_TRUE(rules) << rules.error().message;
    ASSERT_EQ(rules->rules().size(), 2U);
    const Rule& once = rules->rules()[0];
    EXPECT_EQ(once.name, "once");
    EXPECT_EQ(once.reason, "once") << "as the name";
    EXPECT_EQ(once.mode, RuleMode::on);
    EXPECT_EQ(once.door, std::nullopt);
    EXPECT_EQ(once.actions, std::vector<std::string>{"view"});
    EXPECT_EQ(std::get<RepeatRule>(once.kind).window, 2h);
    const Rule& slow = rules->rules()[1];
    EXPECT_EQ(slow.reason, "rate");
    EXPECT_EQ(slow.mode, RuleMode::shadow);
    EXPECT_EQ(slow.door, events::Door::public_door);
    EXPECT_EQ(std::get<RateRule>(slow.kind).per, Field::actor);
    EXPECT_EQ(std::get<RateRule>(slow.kind).limit.count, 5U);
    EXPECT_EQ(std::get<RateRule>(slow.kind).limit.window, 1min);
    EXPECT_EQ(std::get<RateRule>(slow.kind).on_missing, OnMissing::open);
    EXPECT_EQ(rules->repeat_reach(), 2h);
    EXPECT_EQ(rules->rate_reach(), 1min);
}

TEST(RuleFile, that_is_wrong_names_line_rule_and_key) {
    const std::vector<std::pair<std::string, std::string>> faults{
        {"[[rule]\n", "line 1: "},
        {"\xff", "a rule file is UTF-8"},
        {"# \u00e9\n\u03ce = 3\n", "line 2: only lines of remarks may have letters beyond ASCII"},
        {"[[[1]]]\n", "this is no TOML; is a bracket or a quotation mark missing?"},
        {"rule = [\"x\",}\n", "this is no TOML; is a bracket or a quotation mark missing?"},
        {"\nrules = 3\n", "line 2: rules: a rule file has [[rule]], at most 200 times"},
        {"rule = [1]\n", "line 1: a rule is written as [[rule]]"},
        {"[[rule]]\nkind = \"repeat\"\n", "line 1: rule \"\": name: is missing"},
        {"[[rule]]\nname = \"A b\"\n", "line 2: rule \"\": name: takes a word of a-z"},
        {"[[rule]]\nname = \"a\"\n", "line 1: rule \"a\": kind: is missing; it takes one of id_"},
        {"[[rule]]\nname = \"a\"\nkind = \"magic\"\n", "line 3: rule \"a\": kind: takes one of"},
        {"[[rule]]\nname = \"a\"\nkind = \"repeat\"\n", "rule \"a\": window: is missing"},
        {"[[rule]]\nname = \"a\"\nkind = \"repeat\"\nwindow = \"31d\"\n",
         "line 4: rule \"a\": window: takes a text such as \"30s\""},
        {"[[rule]]\nname = \"a\"\nkind = \"repeat\"\nwindow = 1.5\n", "line 4: rule \"a\": window"},
        {"[[rule]]\nname = \"a\"\nkind = \"repeat\"\nwindow = \"1h\"\nactions = [\"sale\"]\n",
         "line 5: rule \"a\": actions: a sale is neither a repeat nor too many; leave it out"},
        {"[[rule]]\nname = \"a\"\nkind = \"repeat\"\nwindow = \"1h\"\nactions = []\n",
         "actions: takes one or more texts"},
        {"[[rule]]\nname = \"a\"\nkind = \"repeat\"\nwindow = \"1h\"\nlimit = 3\n",
         "line 5: rule \"a\": limit: there is no such key; there are actions, door, kind, mode"},
        {"[[rule]]\nname = \"a\"\nkind = \"rate\"\nper = \"actor\"\nlimit = 0\n",
         "limit: takes a number from 1 to 10000"},
        {"[[rule]]\nname = \"a\"\nkind = \"rate\"\nper = \"actor\"\nlimit = 1\nwindow = \"0s\"\n",
         "line 6: rule \"a\": window: is missing; it takes a time above 0"},
        {"[[rule]]\nname = \"a\"\nkind = \"missing\"\nfields = [\"colour\"]\n",
         "line 4: rule \"a\": fields: there is no field \"colour\"; there are actor"},
        {"[[rule]]\nname = \"a\"\nkind = \"networks\"\nnetworks = [\"10.0.0.1/8\"]\n",
         "line 4: rule \"a\": networks: line 1: \"10.0.0.1/8\" has bits behind its prefix"},
        {"[[rule]]\nname = \"a\"\nkind = \"networks\"\nlists = [\"broken\"]\n",
         "line 4: rule \"a\": lists: broken: line 2: \"10.0.0.1/8\" has bits"},
        {"[[rule]]\nname = \"a\"\nkind = \"not_human\"\nlists = [\"gone\"]\n",
         "line 4: rule \"a\": lists: no file \"gone\""},
        {"[[rule]]\nname = \"a\"\nkind = \"condition\"\nwhen = 'amount >'\n",
         "line 4: rule \"a\": when: when:2: unexpected symbol"},
        {"[[rule]]\nname = \"a\"\nkind = \"internal\"\n", "rule \"a\": networks: is missing"},
        {"[[rule]]\nname = \"a\"\nkind = \"owner\"\n", "rule \"a\": fields: is missing"},
        {"[[rule]]\nname = \"a\"\nkind = \"id_conflict\"\nmode = \"maybe\"\n",
         "line 4: rule \"a\": mode: takes one of on, off, shadow"},
        {"[[rule]]\nname = \"a\"\nkind = \"id_conflict\"\n[[rule]]\nname = \"a\"\nkind = "
         "\"id_conflict\"\n",
         "line 4: there are two rules \"a\""},
    };
    for (const auto& [toml, fault] : faults) {
        EXPECT_THAT(rule_fault(toml), HasSubstr(fault)) << toml;
    }
}

TEST(RuleFile, has_a_digest_of_itself_and_of_its_lists) {
    constexpr std::string_view toml =
        "[[rule]]\nname = \"a\"\nkind = \"networks\"\nlists = [\"list\"]\n";
    const auto digest = [](std::string_view text, const std::string& list) {
        const auto rules = RuleSet::read(text, lists_of({{"list", list}}));
        return rules ? rules->digest() : rules.error().message;
    };
    const std::string first = digest(toml, "10.0.0.0/8");
    EXPECT_EQ(first.size(), 32U);
    EXPECT_EQ(first, digest(toml, "10.0.0.0/8"));
    EXPECT_NE(first, digest(toml, "10.0.0.0/9"));
    EXPECT_NE(first, digest(std::string{toml} + "# changed\n", "10.0.0.0/8"));
}

TEST(RuleFile, without_rules_objects_to_nothing) {
    const auto rules = RuleSet::read("", lists_of({}));
    ASSERT_TRUE(rules);
    EXPECT_TRUE(rules->rules().empty());
    EXPECT_EQ(rules->repeat_reach(), 0s);
}

TEST(RuleFile, lists_are_files_beside_it) {
    const ListReader lists = lists_in(testing::TempDir());
    EXPECT_THAT(lists("no such list").error().message, HasSubstr("is no file of at most 64 MiB"));
    EXPECT_THAT(lists(".").error().message, HasSubstr("is no file of at most 64 MiB"));
}

}  // namespace
}  // namespace footfall::guard
