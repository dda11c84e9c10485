#include "events/event.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace footfall::events {
namespace {

Event plain_event() {
    return {.action = "view", .object = "post-1"};
}

/// The field at fault, or nothing.
std::string fault_in(Event event) {
    const auto fault = tidy_event(event);
    return fault ? fault->field : "";
}

TEST(Event, needs_no_more_than_an_action_and_an_object) {
    EXPECT_EQ(fault_in(plain_event()), "");
    EXPECT_EQ(fault_in({.action = "view"}), "object");
    EXPECT_EQ(fault_in({.object = "a"}), "action");
}

TEST(Event, has_bounds) {
    const auto with = [](std::string Event::* field, std::size_t size) {
        Event event = plain_event();
        event.*field = std::string(size, 'a');
        return fault_in(event);
    };
    EXPECT_EQ(with(&Event::object, longest_name), "");
    EXPECT_EQ(with(&Event::object, longest_name + 1), "object");
    EXPECT_EQ(with(&Event::actor, longest_name + 1), "actor");
    EXPECT_EQ(with(&Event::id, longest_id + 1), "id");
    EXPECT_EQ(with(&Event::action, longest_action + 1), "action");
    EXPECT_EQ(with(&Event::reseller, longest_id + 1), "reseller");
    EXPECT_EQ(with(&Event::attributes, attributes_bytes_max + 1), "attributes");
    Event event = plain_event();
    event.identifiers.assign(identifiers_max, {"www", "id", "1"});
    EXPECT_EQ(fault_in(event), "");
    event.identifiers.emplace_back("www", "id", "1");
    EXPECT_EQ(fault_in(event), "identifiers");
    event.identifiers = {{"www", "", "1"}};
    EXPECT_EQ(fault_in(event), "identifiers");
}

TEST(Event, holds_words_addresses_and_currencies) {
    const auto with = [](std::string Event::* field, std::string text) {
        Event event = plain_event();
        event.*field = std::move(text);
        return fault_in(event);
    };
    EXPECT_EQ(with(&Event::action, "video.play_75-percent"), "");
    EXPECT_EQ(with(&Event::action, "View"), "action");
    EXPECT_EQ(with(&Event::action, "a b"), "action");
    EXPECT_EQ(with(&Event::address, "192.0.2.7"), "");
    EXPECT_EQ(with(&Event::address, "2001:db8::1"), "");
    EXPECT_EQ(with(&Event::address, "192.0.2"), "address");
    EXPECT_EQ(with(&Event::address, "192.0.2.7:80"), "address");
    EXPECT_EQ(with(&Event::address, std::string{"192.0.2.7\0x", 11}), "address");
    EXPECT_EQ(with(&Event::currency, "EUR"), "");
    EXPECT_EQ(with(&Event::currency, "eur"), "currency");
    EXPECT_EQ(with(&Event::object, "a\nb"), "object");
    EXPECT_EQ(with(&Event::object, "caf\xc3\xa9"), "");
}

TEST(Event, cuts_evidence_that_is_too_long_between_two_letters) {
    Event event = plain_event();
    for (std::size_t letter = 0; letter < longest_agent; ++letter) {
        event.agent += "\xe2\x82\xac";
    }
    event.referrer = std::string(longest_referrer + 1, 'x');
    EXPECT_FALSE(tidy_event(event));
    EXPECT_EQ(event.agent.size(), longest_agent / 3 * 3);
    EXPECT_EQ(event.referrer.size(), longest_referrer);
    EXPECT_EQ(cut_text("ab", 2), "ab");
    EXPECT_EQ(cut_text("a\xc3\xa9", 2), "a");
}

}  // namespace
}  // namespace footfall::events
