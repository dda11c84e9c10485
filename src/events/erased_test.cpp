#include "events/erased.h"

#include "events/action.h"
#include "events/event_json_write.h"
#include "events/event_keys.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>

namespace footfall::events {
namespace {

constexpr SipKey erased_secret{7, 8};

IsErased one_of(std::set<Identifier> ids) {
    return [ids = std::move(ids)](const Identifier& id, Instant /*recorded*/) {
        return ids.contains(id);
    };
}

JudgedEvent planted() {
    JudgedEvent judged;
    judged.event = {
        .id = "planted-1",
        .action = "view",
        .object = "post-1",
        .actor = "planted",
        .address = "192.0.2.7",
        .agent = "planted agent",
        .referrer = "https://planted.example/",
        .identifiers = {{"www", "id", "planted"}, {"crm", "id", "other"}},
        .attributes = R"({"note":"planted"})"
    };
    judged.verdict.refusal =
        Objection{.reason = "repeat", .rule = "repeat", .evidence = {{"a", "planted"}}};
    return judged;
}

std::string stored(const JudgedEvent& judged) {
    std::string bytes;
    append_judged(judged, bytes);
    return bytes;
}

TEST(Erased, no_word_of_an_actor_is_left_and_all_that_is_counted) {
    JudgedEvent judged = planted();
    const EventKeys before = keys_of(judged, erased_secret);
    ASSERT_TRUE(erase_from(
        judged, one_of({id_of_actor("planted"), {"www", "id", "planted"}}), erased_secret
    ));
    EXPECT_FALSE(stored(judged).contains("planted"));
    const EventKeys after = keys_of(judged, erased_secret);
    EXPECT_EQ(after.person, before.person);
    EXPECT_EQ(after.id, before.id);
    EXPECT_EQ(after.identity, before.identity);
    EXPECT_EQ(after.repeat, before.repeat);
    EXPECT_EQ(after.lane, before.lane);
    EXPECT_EQ(judged.verdict.refusal.value_or(Objection{}).reason, "repeat");
    EXPECT_EQ(judged.event.identifiers, (std::vector<Identifier>{{"crm", "id", "other"}}));
    std::string json;
    append_event_json(judged.event, json, ArrivalTime::written);
    EXPECT_FALSE(json.contains("actor")) << json;
    EXPECT_FALSE(erase_from(judged, one_of({id_of_actor("planted")}), erased_secret)) << "once";
}

TEST(Erased, who_is_not_known_by_name_is_counted_as_the_same_person) {
    JudgedEvent judged = planted();
    judged.event.actor.clear();
    const auto before = person_of(judged.event, erased_secret);
    ASSERT_TRUE(erase_from(judged, one_of({{"www", "id", "planted"}}), erased_secret));
    EXPECT_EQ(person_of(judged.event, erased_secret), before);
    EXPECT_EQ(judged.event.address, "");
}

TEST(Erased, an_actor_who_stays_is_named_still) {
    JudgedEvent judged = planted();
    judged.event.actor = "u2";
    ASSERT_TRUE(erase_from(judged, one_of({{"www", "id", "planted"}}), erased_secret));
    EXPECT_EQ(judged.event.actor, "u2");
    EXPECT_FALSE(stored(judged).contains("planted"));
}

TEST(Erased, an_event_of_others_is_as_it_was) {
    JudgedEvent judged = planted();
    EXPECT_FALSE(erase_from(judged, one_of({{"www", "id", "plante"}}), erased_secret));
    EXPECT_EQ(judged, planted());
}

TEST(Erased, a_match_keeps_what_was_said_of_others) {
    JudgedEvent judged;
    judged.event = {
        .action = std::string{identify_action},
        .object = "www/id/planted",
        .identifiers = {{"www", "id", "planted"}, {"zoo", "id", "z"}},
        .attributes = R"({"source":"crm","data":{"city":"Oslo"},"of":1})"
    };
    JudgedEvent of_gone = judged;
    of_gone.event.attributes = R"({"source":"crm","data":{"city":"planted"},"of":0})";
    const IsErased is_erased = one_of({{"www", "id", "planted"}});
    ASSERT_TRUE(erase_from(judged, is_erased, erased_secret));
    EXPECT_EQ(judged.event.attributes, R"({"source":"crm","data":{"city":"Oslo"},"of":0})");
    EXPECT_FALSE(stored(judged).contains("planted"));
    ASSERT_TRUE(erase_from(of_gone, is_erased, erased_secret));
    EXPECT_EQ(of_gone.event.attributes, R"({"source":"crm"})");
    EXPECT_FALSE(stored(of_gone).contains("planted"));
}

TEST(Erased, a_decision_becomes_a_mark) {
    const IdentityDecided decided{
        .ids = {{"a", "b", "c"}}, .others = {{"www", "id", "planted"}}, .source = 7
    };
    Control control = decided;
    EXPECT_FALSE(erase_from(control, one_of({{"x", "b", "c"}})));
    ASSERT_TRUE(erase_from(control, one_of({{"www", "id", "planted"}})));
    ASSERT_TRUE(std::holds_alternative<ReadsMark>(control));
    EXPECT_EQ(source_of(control), 7);
}

TEST(Erased, only_its_own_texts_stand_for_hashes) {
    EXPECT_EQ(hash_in_place(text_in_place_of(0xffee)), 0xffee);
    for (const char* const each :
         {"",
          "u1",
          "\x01",
          "\x01"
          "000000000000ffe",
          "\x01"
          "000000000000ffez",
          "0000000000000ffee"}) {
        EXPECT_EQ(hash_in_place(each), std::nullopt) << each;
    }
}

}  // namespace
}  // namespace footfall::events
