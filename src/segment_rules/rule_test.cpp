#include "segment_rules/rule.h"

#include "foundation/random.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace footfall::segment_rules {
namespace {

Rule segment(const std::string& name) {
    return {SegmentTerm{name}};
}

Rule group(Group::Kind kind, std::vector<Rule> parts) {
    return {Group{.kind = kind, .parts = std::move(parts)}};
}

Rule all(std::vector<Rule> parts) {
    return group(Group::Kind::all, std::move(parts));
}

Rule any(std::vector<Rule> parts) {
    return group(Group::Kind::any, std::move(parts));
}

Rule none(Rule part) {
    return group(Group::Kind::none, {std::move(part)});
}

Person person_in(const std::set<std::string>& names) {
    return {
        .did = [](const EventTerm& term) { return term.action == "did"; },
        .datum = [](const std::string& name) -> std::optional<std::string> {
            return name == "city" ? std::optional<std::string>{R"("Oslo")"} : std::nullopt;
        },
        .is_in = [names](const std::string& name) { return names.contains(name); }
    };
}

TEST(SegmentRule, groups_hold_as_their_words_say) {
    const Rule rule = all({any({segment("a"), segment("b")}), none(segment("c"))});
    EXPECT_TRUE(holds(rule, person_in({"a"})));
    EXPECT_TRUE(holds(rule, person_in({"b", "d"})));
    EXPECT_FALSE(holds(rule, person_in({"b", "c"})));
    EXPECT_FALSE(holds(rule, person_in({"d"})));
}

TEST(SegmentRule, events_and_data_hold_as_somebody_says) {
    EXPECT_TRUE(holds({EventTerm{.action = "did"}}, person_in({})));
    EXPECT_FALSE(holds({EventTerm{.action = "click"}}, person_in({})));
    EXPECT_TRUE(holds({DatumTerm{.name = "city", .is = R"("Oslo")"}}, person_in({})));
    EXPECT_FALSE(holds({DatumTerm{.name = "city", .is = R"("Bergen")"}}, person_in({})));
    EXPECT_FALSE(holds({DatumTerm{.name = "age", .is = R"("Oslo")"}}, person_in({})));
}

TEST(SegmentRule, a_number_is_within_bounds_that_are_included) {
    const DatumTerm term{.name = "age", .at_least = 18, .at_most = 65};
    EXPECT_TRUE(is_met_by(term, "18"));
    EXPECT_TRUE(is_met_by(term, "65"));
    EXPECT_FALSE(is_met_by(term, "17"));
    EXPECT_FALSE(is_met_by(term, "66"));
    EXPECT_FALSE(is_met_by(term, R"("20")"));
    EXPECT_FALSE(is_met_by(term, "20.5"));
    EXPECT_FALSE(is_met_by(term, "true"));
    EXPECT_TRUE(is_met_by({.name = "age", .at_least = -5}, "-5"));
    EXPECT_TRUE(is_met_by({.name = "age", .at_most = -5}, "-6"));
}

TEST(SegmentRule, an_event_is_counted_by_what_the_term_names) {
    const events::Event event{
        .action = "click", .object = "page", .reseller = "r", .ad = "x", .publisher = "p"
    };
    EXPECT_TRUE(is_counted_by({.action = "click"}, event));
    EXPECT_TRUE(is_counted_by({.action = "click", .ad = "x"}, event));
    EXPECT_TRUE(is_counted_by(
        {.action = "click", .object = "page", .ad = "x", .reseller = "r", .publisher = "p"}, event
    ));
    EXPECT_FALSE(is_counted_by({.action = "view"}, event));
    EXPECT_FALSE(is_counted_by({.action = "click", .object = "other"}, event));
    EXPECT_FALSE(is_counted_by({.action = "click", .ad = "y"}, event));
    EXPECT_FALSE(is_counted_by({.action = "click", .reseller = "s"}, event));
    EXPECT_FALSE(is_counted_by({.action = "click", .publisher = "q"}, event));
    // An ad is the object where nothing else is said.
    EXPECT_TRUE(is_counted_by({.action = "click", .ad = "z"}, {.action = "click", .object = "z"}));
}

TEST(SegmentRule, one_that_holds_for_whom_nothing_is_known_is_not_grounded) {
    EXPECT_TRUE(is_grounded(segment("a")));
    EXPECT_TRUE(is_grounded(all({segment("a"), none(segment("b"))})));
    EXPECT_FALSE(is_grounded(none(segment("a"))));
    EXPECT_FALSE(is_grounded(any({segment("a"), none(segment("b"))})));
    EXPECT_FALSE(is_grounded(all({none(segment("a")), none(segment("b"))})));
    EXPECT_FALSE(is_grounded(none(none(segment("a")))));
}

TEST(SegmentRule, what_it_names_is_found_in_all_depths) {
    const EventTerm click{.action = "click"};
    const EventTerm view{.action = "view"};
    const Rule rule = all({any({segment("a"), {click}}), none(all({segment("b"), {view}}))});
    EXPECT_EQ(segments_of(rule), (std::set<std::string>{"a", "b"}));
    EXPECT_EQ(event_terms_of(rule), (std::set{click, view}));
}

TEST(SegmentRule, who_names_others_stands_behind_them) {
    const Rules rules{
        {"a", all({segment("z"), segment("members")})},
        {"m", any({segment("a"), segment("z")})},
        {"z", segment("other members")}
    };
    const Order order = order_of(rules);
    EXPECT_EQ(order.names, (std::vector<std::string>{"z", "a", "m"}));
    EXPECT_TRUE(order.circle.empty());
}

TEST(SegmentRule, a_circle_is_named) {
    EXPECT_EQ(order_of({{"a", segment("a")}}).circle, (std::vector<std::string>{"a", "a"}));
    const Rules rules{
        {"a", segment("b")},
        {"b", all({segment("c"), segment("x")})},
        {"c", any({segment("d"), none(segment("b"))})},
        {"d", segment("x")}
    };
    const Order order = order_of(rules);
    EXPECT_TRUE(order.names.empty());
    EXPECT_EQ(order.circle, (std::vector<std::string>{"b", "c", "b"}));
}

/// Against the definition: each name once, behind all that it names, whenever there is no circle.
TEST(SegmentRule, orders_of_random_rules) {
    Random random{11};
    int circles = 0;
    for (int round = 0; round < 2000; ++round) {
        Rules rules;
        const std::uint64_t count = random.below(8) + 1;
        for (std::uint64_t each = 0; each < count; ++each) {
            std::vector<Rule> parts{segment("members")};
            for (std::uint64_t named = random.below(3); named > 0; --named) {
                parts.push_back(segment(std::to_string(random.below(count))));
            }
            rules.emplace(std::to_string(each), all(std::move(parts)));
        }
        const Order order = order_of(rules);
        if (!order.circle.empty()) {
            ++circles;
            ASSERT_GE(order.circle.size(), 2);
            ASSERT_EQ(order.circle.front(), order.circle.back());
            for (std::size_t at = 0; at + 1 < order.circle.size(); ++at) {
                ASSERT_TRUE(segments_of(rules.at(order.circle[at])).contains(order.circle[at + 1]));
            }
            continue;
        }
        ASSERT_EQ(order.names.size(), rules.size());
        std::set<std::string> before;
        for (const std::string& name : order.names) {
            for (const std::string& named : segments_of(rules.at(name))) {
                ASSERT_TRUE(before.contains(named) || !rules.contains(named));
            }
            ASSERT_TRUE(before.insert(name).second);
        }
    }
    EXPECT_GT(circles, 200);
    EXPECT_LT(circles, 1900);
}

}  // namespace
}  // namespace footfall::segment_rules
