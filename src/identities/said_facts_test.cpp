#include "identities/said_facts.h"

#include "identities/test_facts.h"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

/// An event of the trusted door that is counted.
events::JudgedEvent event_of(const std::string& action, std::vector<Id> ids) {
    events::JudgedEvent judged;
    judged.event = {
        .time = at_second(10),
        .action = action,
        .object = "post-1",
        .identifiers = std::move(ids),
        .attributes = R"({"source":"crm"})"
    };
    judged.arrival = at_second(20);
    return judged;
}

events::JudgedEvent refused(events::JudgedEvent judged, const std::string& reason) {
    judged.verdict.refusal = events::Objection{.reason = reason, .rule = "rule", .evidence = {}};
    return judged;
}

const std::vector<Id> two_ids = ids_named({"web:b", "mail:a"});

TEST(SaidFacts, an_object_is_the_id_in_words) {
    EXPECT_EQ(object_of({"www", "id", "w111"}), "www/id/w111");
}

/// That one is said.
Fact told(const std::optional<Fact>& fact) {
    EXPECT_TRUE(fact);
    return fact.value_or(Fact{.ids = {}});
}

TEST(SaidFacts, a_counted_event_states_a_link_of_its_identifiers) {
    Fact expected{
        .kind = FactKind::link,
        .ids = two_ids,
        .first = at_second(10),
        .last = at_second(10),
        .recorded = at_second(20),
        .source = "view"
    };
    seal(expected);
    EXPECT_EQ(link_of(event_of("view", two_ids)), expected);
    EXPECT_EQ(told(link_of(event_of("view", two_ids))).ids, ids_named({"mail:a", "web:b"}));
}

TEST(SaidFacts, a_repeat_states_the_same_and_other_refusals_nothing) {
    const Fact counted = told(link_of(event_of("view", two_ids)));
    EXPECT_EQ(link_of(refused(event_of("view", two_ids), "repeat")), counted);
    EXPECT_EQ(link_of(refused(event_of("view", two_ids), "repeat_fast")), counted);
    for (const char* reason :
         {"id_conflict", "impossible_time", "not_human", "rate", "owner", "too_old"}) {
        EXPECT_FALSE(link_of(refused(event_of("view", two_ids), reason))) << reason;
        EXPECT_FALSE(link_of(refused(event_of("identify", two_ids), reason))) << reason;
    }
}

TEST(SaidFacts, the_public_door_states_nothing) {
    for (const char* action : {"view", "identify"}) {
        events::JudgedEvent judged = event_of(action, two_ids);
        judged.event.actor = "u1";
        judged.door = events::Door::public_door;
        EXPECT_FALSE(link_of(judged)) << action;
    }
}

TEST(SaidFacts, a_given_actor_is_an_id_of_our_own_network) {
    events::JudgedEvent judged = event_of("click", ids_named({"web:b"}));
    judged.event.actor = "u1";
    const Fact link = told(link_of(judged));
    EXPECT_EQ(link.ids, (std::vector<Id>{{"footfall", "actor", "u1"}, id_of("web:b")}));
    EXPECT_EQ(link.source, "click");
}

TEST(SaidFacts, fewer_than_two_ids_are_a_link_of_an_identify_alone) {
    const std::vector<Id> one = ids_named({"web:b"});
    EXPECT_FALSE(link_of(event_of("view", one)));
    EXPECT_FALSE(link_of(event_of("view", ids_named({"web:b", "web:b"}))));
    const Fact known = told(link_of(event_of("identify", one)));
    EXPECT_EQ(known.ids, one);
    EXPECT_FALSE(link_of(event_of("identify", {})));
    EXPECT_FALSE(link_of(event_of("view", {})));
    events::JudgedEvent seen = event_of("view", {});
    seen.event.actor = "u1";
    EXPECT_FALSE(link_of(seen)) << "an actor without identifiers is no statement";
    seen.event.action = "identify";
    EXPECT_TRUE(link_of(seen));
}

TEST(SaidFacts, of_an_identify_its_attributes_name_the_source) {
    const auto source = [](const std::string& attributes) {
        events::JudgedEvent judged = event_of("identify", two_ids);
        judged.event.attributes = attributes;
        return link_of(judged).value_or(Fact{.ids = {}, .source = "no link"}).source;
    };
    EXPECT_EQ(source(R"({"source":"crm"})"), "crm");
    for (const char* attributes : {"", "{}", "[]", R"({"source":7})", R"({"source":)", "null"}) {
        EXPECT_EQ(source(attributes), "") << attributes;
    }
}

TEST(SaidFacts, ids_that_stand_for_nobody_are_left_out) {
    std::vector<Id> ids = two_ids;
    for (const char* text : {"null", "NULL", "Undefined", "0", "-1", "N/A", "[object Object]"}) {
        const Id nobody{"web", "user", text};
        const auto fault = fault_of(nobody);
        ASSERT_TRUE(fault) << text;
        EXPECT_NE(fault.value_or("").find(text), std::string::npos) << "it names what it is about";
        ids.push_back(nobody);
    }
    EXPECT_EQ(link_of(event_of("view", ids)), link_of(event_of("view", two_ids)));
    EXPECT_FALSE(link_of(event_of("view", {id_of("web:b"), {"mail", "user", "null"}})));
    EXPECT_FALSE(link_of(event_of("identify", {{"mail", "user", "null"}})));
    events::JudgedEvent by_nobody = event_of("view", ids_named({"web:b"}));
    by_nobody.event.actor = "anonymous";
    EXPECT_FALSE(link_of(by_nobody));
    for (const char* text : {"00", "null0", "1", "nobody", ""}) {
        EXPECT_FALSE(fault_of({"web", "user", text})) << text;
    }
}

using events::IdentityKind;

events::IdentityDecided decided(IdentityKind kind) {
    return {
        .kind = kind,
        .ids = ids_named({"web:b", "mail:a"}),
        .others = ids_named({"app:c"}),
        .about = "0123456789abcdef",
        .reason = "two sisters",
        .author = "desk",
        .said = at_second(30),
        .id = "random"
    };
}

TEST(SaidFacts, a_parting_is_a_fact_of_two_sides) {
    Fact expected{
        .kind = FactKind::parting,
        .ids = ids_named({"app:c"}),
        .others = ids_named({"mail:a", "web:b"}),
        .first = at_second(30),
        .last = at_second(30),
        .recorded = at_second(30),
        .source = "random",
        .author = "desk",
        .reason = "two sisters"
    };
    seal(expected);
    EXPECT_EQ(decision_of(decided(IdentityKind::parting)), expected);
}

TEST(SaidFacts, what_is_decided_about_a_fact_names_it) {
    const std::vector<std::pair<IdentityKind, FactKind>> kinds{
        {IdentityKind::accept, FactKind::accept},
        {IdentityKind::reject, FactKind::reject},
        {IdentityKind::revoke, FactKind::revoke}
    };
    for (const auto& [said, kind] : kinds) {
        const Fact fact = told(decision_of(decided(said)));
        EXPECT_EQ(fact.kind, kind);
        EXPECT_EQ(text_of(fact.about.value_or(FactId{})), "30313233343536373839616263646566");
        EXPECT_EQ(ids_of(fact), ids_named({"app:c", "mail:a", "web:b"}));
        EXPECT_EQ(fact.last, at_second(30));
        EXPECT_EQ(fact.author, "desk");
        EXPECT_EQ(fact.reason, "two sisters");
    }
}

TEST(SaidFacts, a_lift_is_about_ids_alone) {
    const Fact fact = told(decision_of(decided(IdentityKind::lift)));
    EXPECT_EQ(fact.kind, FactKind::lift);
    EXPECT_EQ(fact.about, std::nullopt);
    EXPECT_THAT(fact.others, testing::IsEmpty());
    EXPECT_EQ(fact.ids, ids_named({"mail:a", "web:b"}));
    events::IdentityDecided nonsense = decided(IdentityKind::lift);
    nonsense.ids.clear();
    EXPECT_FALSE(decision_of(nonsense));
}

TEST(SaidFacts, said_twice_a_decision_is_two) {
    events::IdentityDecided again = decided(IdentityKind::reject);
    again.id = "random, too";
    EXPECT_NE(told(decision_of(decided(IdentityKind::reject))).id, told(decision_of(again)).id);
}

TEST(SaidFacts, a_decision_about_nothing_is_none) {
    for (const IdentityKind kind :
         {IdentityKind::parting, IdentityKind::accept, IdentityKind::reject, IdentityKind::revoke
         }) {
        events::IdentityDecided nonsense = decided(kind);
        nonsense.ids.clear();
        EXPECT_FALSE(decision_of(nonsense));
        for (const char* about : {"", "0123456789abcde", "0123456789abcdef0"}) {
            nonsense = decided(kind);
            nonsense.about = about;
            EXPECT_EQ(decision_of(nonsense).has_value(), kind == IdentityKind::parting) << about;
        }
    }
    events::IdentityDecided one_sided = decided(IdentityKind::parting);
    one_sided.others.clear();
    EXPECT_FALSE(decision_of(one_sided));
}

TEST(SaidFacts, a_match_tells_data_of_one_of_its_ids_before_the_link) {
    events::JudgedEvent judged;
    judged.event = identify_event(
        ids_named({"crm:7", "web:a"}),
        "crm",
        {.of = 1, .json = R"({"city":"Oslo","age":7,"x":[1]})"}
    );
    judged.event.time = at_second(5);
    judged.arrival = at_second(5);
    const std::vector<Fact> facts = facts_of(judged);
    ASSERT_EQ(facts.size(), 3U) << "what is no value is left out";
    EXPECT_EQ(facts[0], datum(5, "web:a", "city", R"("Oslo")", "crm"));
    EXPECT_EQ(facts[1], datum(5, "web:a", "age", "7", "crm"));
    EXPECT_EQ(facts[2], link(5, {"crm:7", "web:a"}, "crm"));
    judged.event.attributes = R"({"source":"crm","data":{"city":"Oslo"},"of":2})";
    EXPECT_EQ(facts_of(judged).size(), 1U) << "there is no such id";
    judged.event.action = "view";
    EXPECT_EQ(facts_of(judged).size(), 1U) << "other events tell no data";
}

}  // namespace
}  // namespace footfall::identities
