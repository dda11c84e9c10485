#include "identities/profile_data.h"

#include "identities/test_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::identities {
namespace {

using testing::HasSubstr;

/// A value that a source said once of an id.
Member telling(
    const std::string& id, const std::string& source, std::int64_t second, const std::string& value
) {
    return {
        .id = id_of(id),
        .data =
            {{.datum = {.name = "city", .first = value, .latest = value, .longest = value},
              .source = source,
              .first = at_second(second),
              .last = at_second(second)}}
    };
}

const std::vector<Member>& three() {
    static const std::vector<Member> members{
        telling("crm:1", "crm", 5, R"("Oslo")"),
        telling("shop:2", "shop", 7, R"("Bergen")"),
        telling("web:3", "form", 3, R"("Ås")")
    };
    return members;
}

std::string winner_by(const std::string& rule) {
    const auto rules = read_rules("city=" + rule);
    EXPECT_TRUE(rules) << rules.error().message;
    const std::vector<Winner> all = winners(three(), *rules);
    EXPECT_EQ(all.size(), 1);
    EXPECT_EQ(all.front().others, 2);
    return all.front().value;
}

TEST(ProfileData, the_winner_is_that_of_its_rule) {
    EXPECT_EQ(winners(three(), {}).front().value, R"("Bergen")")
        << "the latest, if nothing is said";
    EXPECT_EQ(winner_by("latest"), R"("Bergen")");
    EXPECT_EQ(winner_by("first"), R"("Ås")");
    EXPECT_EQ(winner_by("longest"), R"("Bergen")");
    EXPECT_EQ(winner_by("sources:form>crm"), R"("Ås")");
    EXPECT_EQ(winner_by("sources:desk>crm"), R"("Oslo")");
    EXPECT_EQ(winner_by("sources:desk"), R"("Bergen")") << "of other sources the latest";
    EXPECT_EQ(winner_by("strictest:Oslo>Bergen>Ås"), R"("Oslo")");
    EXPECT_EQ(winner_by("strictest:Oslo>Bergen"), R"("Ås")") << "what nobody knows is strictest";
}

TEST(ProfileData, the_winner_says_who_said_it_and_when) {
    const Winner winner = winners(three(), *read_rules("city=first")).front();
    EXPECT_EQ(winner.source, "form");
    EXPECT_EQ(winner.of, id_of("web:3"));
    EXPECT_EQ(winner.time, at_second(3));
    EXPECT_EQ(winner.wins, Wins::first);
}

TEST(ProfileData, who_denies_once_has_denied) {
    std::vector<Member> members{
        telling("crm:1", "crm", 9, R"("granted")"), telling("web:3", "form", 3, R"("denied")")
    };
    for (Member& each : members) {
        each.data.front().datum.name = "consent";
    }
    EXPECT_EQ(winners(members, default_rules()).front().value, R"("denied")");
    EXPECT_EQ(winners(members, *read_rules("consent=latest")).front().value, R"("granted")");
}

TEST(ProfileData, values_that_win_alike_are_told_apart_whatever_their_order) {
    std::vector<Member> members{
        telling("crm:1", "b", 5, "1"), telling("crm:2", "a", 5, "2"), telling("crm:3", "a", 5, "2")
    };
    const Winner one = winners(members, {}).front();
    std::ranges::reverse(members);
    const Winner other = winners(members, {}).front();
    EXPECT_EQ(one.value, "2");
    EXPECT_EQ(one.of, id_of("crm:2"));
    EXPECT_EQ(other.of, one.of);
}

TEST(ProfileData, rules_that_cannot_be_read_are_refused_with_what_is_wrong) {
    EXPECT_EQ(*read_rules(""), default_rules());
    for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
             {"city", "NAME=RULE"},
             {"=latest", "NAME=RULE"},
             {"city=newest", "latest, first, longest"},
             {"city=sources", "takes an order"},
             {"city=latest:crm", "take no order"},
             {"city=sources:crm>>shop", "empty part"},
             {"city=first,city=latest", "a rule already"}
         }) {
        const auto rules = read_rules(text);
        ASSERT_FALSE(rules) << text;
        EXPECT_EQ(rules.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(rules.error().message, HasSubstr(what));
    }
}

}  // namespace
}  // namespace footfall::identities
