#include "identities/guards_text.h"
#include "identities/normalised.h"
#include "identities/said_facts.h"
#include "identities/test_facts.h"
#include "identities/test_telling.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::identities {
namespace {

TEST(Normalised, is_a_value_in_one_way) {
    struct Case {
        Normalise rule;
        std::string sent;
        std::string known;
    };

    const std::vector<Case> cases{
        {Normalise::none, " Ann@Example.ORG ", " Ann@Example.ORG "},
        {Normalise::lower, " Ann ÄÖ ", " ann ÄÖ "},
        {Normalise::email, " Ann@Example.ORG\t", "ann@example.org"},
        {Normalise::email, "a.n+n@example.org", "a.n+n@example.org"},
        {Normalise::email, "  ", "  "},
        {Normalise::phone, "+49 (30) 901-820/1.2", "+493090182012"},
        {Normalise::phone, "0049 30 901820", "+4930901820"},
        {Normalise::phone, "030 901820", "030901820"},
        {Normalise::phone, "030 901820 ext. 5", "030 901820 ext. 5"},
        {Normalise::phone, "030+901820", "030+901820"},
        {Normalise::phone, "+", "+"},
        {Normalise::phone, "--", "--"}
    };
    for (const Case& each : cases) {
        EXPECT_EQ(normalised(each.rule, each.sent), each.known) << each.sent;
        EXPECT_EQ(normalised(each.rule, each.known), each.known) << "once is enough";
    }
}

TEST(Normalised, ids_that_become_one_are_one) {
    Guards guards;
    guards.identifiers["mail"].normalise = Normalise::email;
    EXPECT_EQ(
        normalised(guards, ids_named({"mail:B", "web:B", "mail:b"})), ids_named({"mail:b", "web:B"})
    );
    events::JudgedEvent judged = event_that_says(link(1, {"mail:B", "web:B", "mail:b"}));
    EXPECT_EQ(
        link_of(judged, &guards).value_or(Fact{.ids = {}}).ids, ids_named({"mail:b", "web:B"})
    );
    EXPECT_EQ(link_of(judged).value_or(Fact{.ids = {}}).ids.size(), 3U);
    judged.event.action = "view";
    judged.event.identifiers = ids_named({"mail:B", "mail:b"});
    EXPECT_FALSE(link_of(judged, &guards)) << "one id is linked with nobody";
}

TEST(GuardsText, comes_back) {
    Guards guards{.profile_ids = 7, .shared_above = 3};
    EXPECT_EQ(text_of(guards), R"({"profile_ids":7,"shared_above":3,"identifiers":[]})");
    EXPECT_EQ(read_guards(text_of(guards)).value(), guards);
    guards.identifiers["\"x\""] = {
        .per_profile = 1,
        .shared_above = 2,
        .never = {"a\"", "b"},
        .keeps = Keeps::latest,
        .normalise = Normalise::phone,
        .ttl = std::chrono::days{400}
    };
    guards.identifiers["y"].normalise = Normalise::lower;
    EXPECT_EQ(read_guards(text_of(guards)).value(), guards);
    Guards with_nothing = guards;
    with_nothing.identifiers["z"];
    EXPECT_EQ(text_of(with_nothing), text_of(guards)) << "one text for what holds";
}

TEST(GuardsText, without_a_ttl_is_read_as_it_was_recorded_before_there_was_one) {
    constexpr std::string_view older =
        R"({"profile_ids":7,"shared_above":3,"identifiers":[{"name":"a","per_profile":1}]})";
    const Guards guards = read_guards(older).value();
    EXPECT_EQ(guards.identifiers.at("a").ttl, std::nullopt);
    EXPECT_EQ(text_of(guards), older) << "so it is the version that it was";
}

TEST(GuardsText, that_is_not_ours_is_refused) {
    for (const std::string_view text :
         {"",
          "[]",
          "{}",
          R"({"profile_ids":7,"shared_above":3})",
          R"({"profile_ids":"7","shared_above":3,"identifiers":[]})",
          R"({"profile_ids":-7,"shared_above":3,"identifiers":[]})",
          R"({"profile_ids":7,"shared_above":3,"identifiers":[],"later":1})",
          R"({"profile_ids":7,"shared_above":3,"identifiers":[1]})",
          R"({"profile_ids":7,"shared_above":3,"identifiers":[{}]})",
          R"({"profile_ids":7,"shared_above":3,"identifiers":[{"name":"a"},{"name":"a"}]})",
          R"({"profile_ids":7,"shared_above":3,"identifiers":[{"name":"a","keeps":"x"}]})",
          R"({"profile_ids":7,"shared_above":3,"identifiers":[{"name":"a","never":[1]}]})",
          R"({"profile_ids":7,"shared_above":3,"identifiers":[{"name":"a","ttl":"30d"}]})",
          R"({"profile_ids":7,"shared_above":3,"identifiers":[{"name":"a","ttl":400000000}]})",
          R"({"profile_ids":7,"shared_above":3,"identifiers":[{"name":"a","later":1}]})"}) {
        const auto guards = read_guards(text);
        ASSERT_FALSE(guards) << text;
        EXPECT_EQ(guards.error().kind, ErrorKind::corrupt);
    }
}

}  // namespace
}  // namespace footfall::identities
