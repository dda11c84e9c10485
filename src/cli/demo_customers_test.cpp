#include "cli/demo_customers.h"

#include "events/action.h"
#include "events/event_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace footfall::cli {
namespace {

using IdText = std::tuple<std::string, std::string, std::string>;

IdText text_of(const events::Identifier& id) {
    return {id.identifier, id.id_name, id.id_value};
}

const Instant some_noon{std::chrono::hours{(365 * 56 + 14) * 24 + 12}};

TEST(DemoCustomers, have_five_ids_of_their_own) {
    std::set<IdText> ids{text_of(demo_kiosk())};
    for (std::size_t customer = 0; customer < demo_customers; ++customer) {
        for (std::size_t network = 0; network < demo_networks; ++network) {
            EXPECT_TRUE(ids.insert(text_of(demo_id(customer, network))).second);
        }
    }
    EXPECT_EQ(ids.size(), demo_customers * demo_networks + 1);
}

// web/src/identities/demo.ts offers these.
TEST(DemoCustomers, are_those_that_the_dashboard_offers) {
    EXPECT_EQ(text_of(demo_id(3, 0)), IdText("shop", "customer", "C-10003"));
    EXPECT_EQ(text_of(demo_id(demo_mix_up(0).one, 0)), IdText("shop", "customer", "C-11980"));
    EXPECT_EQ(text_of(demo_id(demo_mix_up(0).other, 0)), IdText("shop", "customer", "C-11981"));
    EXPECT_EQ(text_of(demo_kiosk()), IdText("app", "device", "kiosk-lobby"));
}

TEST(DemoCustomers, are_all_said_to_be_somebody_and_seldom_all_of_it) {
    const std::vector<DemoSaid> said = demo_said_before(some_noon);
    std::set<std::string> event_ids;
    std::set<IdText> known;
    for (const DemoSaid& each : said) {
        EXPECT_TRUE(event_ids.insert(each.id).second);
        EXPECT_LT(each.time, some_noon);
        for (const events::Identifier& id : each.match.ids) {
            known.insert(text_of(id));
        }
    }
    std::map<std::size_t, std::size_t> customers_by_ids;
    for (std::size_t customer = 0; customer < demo_customers; ++customer) {
        std::size_t ids = 0;
        for (std::size_t network = 0; network < demo_networks; ++network) {
            ids += known.contains(text_of(demo_id(customer, network))) ? 1 : 0;
        }
        ++customers_by_ids[ids];
    }
    EXPECT_EQ(customers_by_ids.begin()->first, 2);
    for (std::size_t ids = 2; ids <= demo_networks; ++ids) {
        EXPECT_GT(customers_by_ids[ids], demo_customers / 6) << ids;
    }
    EXPECT_EQ(text_of(said.back().match.ids.back()), text_of(demo_id(demo_customers - 1, 4)));
}

TEST(DemoCustomers, share_a_kiosk_that_is_linked_with_more_than_anybodys_device) {
    std::set<IdText> others;
    for (const DemoSaid& each : demo_said_before(some_noon)) {
        if (std::ranges::find(each.match.ids, demo_kiosk()) != each.match.ids.end()) {
            for (const events::Identifier& id : each.match.ids) {
                others.insert(text_of(id));
            }
        }
    }
    EXPECT_EQ(others.size(), demo_kiosk_guests * 4 + 1);
    EXPECT_GT(others.size() - 1, 64) << "as many as an id may be linked with by default";
}

TEST(DemoCustomers, are_each_two_of_those_who_view_pages) {
    std::map<IdText, std::set<std::string>> visitors_by_customer;
    for (const DemoSaid& each : demo_said_before(some_noon)) {
        const events::Identifier& last = each.match.ids.back();
        if (last.identifier == "footfall") {
            EXPECT_EQ(last.id_name, "actor");
            visitors_by_customer[text_of(each.match.ids.front())].insert(last.id_value);
        }
    }
    EXPECT_EQ(visitors_by_customer.size(), demo_visitors / 2);
    for (const auto& [customer, visitors] : visitors_by_customer) {
        EXPECT_EQ(visitors.size(), 2);
    }
}

TEST(DemoCustomers, are_said_in_events_that_can_be_read) {
    std::string lines;
    std::size_t count = 0;
    for (const DemoSaid& each : demo_said_before(some_noon)) {
        lines += each.event();
        ++count;
    }
    auto reader = events::EventReader::open(lines, events::EventForm::ndjson, some_noon);
    ASSERT_TRUE(reader);
    const events::ReadEvents events = reader->next(count);
    EXPECT_TRUE(events.rejected.empty());
    ASSERT_EQ(events.good.size(), count);
    EXPECT_EQ(events.good.front().action, events::identify_action);
    EXPECT_EQ(events.good.front().identifiers.size(), 5);
    EXPECT_EQ(events.good.front().attributes, R"({"source":"kiosk in the lobby"})");
}

TEST(DemoCustomers, of_whom_all_is_known_have_data_that_do_not_agree) {
    std::set<std::string> told;
    for (const DemoSaid& each : demo_said_before(some_noon)) {
        if (each.match.ids.front() == demo_id(3, 0) && !each.match.data.empty()) {
            told.insert(each.match.data);
            EXPECT_NE(each.event().find(R"("data":{)"), std::string::npos);
        }
    }
    const std::set<std::string> expected{
        R"({"name":"Leila Oduya","city":"Oslo","consent":"granted"})",
        R"({"language":"en","consent":"denied"})",
        R"({"name":"L. Oduya","city":"Bergen","born":1953})"
    };
    EXPECT_EQ(told, expected);
}

TEST(DemoMatches, are_of_all_customers_and_sometimes_of_the_kiosk) {
    DemoMatches matches{1};
    std::size_t kiosk = 0;
    std::set<std::string> bodies;
    for (int number = 0; number < 1'000; ++number) {
        const DemoMatch match = matches.next();
        kiosk += std::ranges::find(match.ids, demo_kiosk()) != match.ids.end() ? 1 : 0;
        bodies.insert(match.body());
    }
    EXPECT_GT(kiosk, 40);
    EXPECT_LT(kiosk, 130);
    EXPECT_GT(bodies.size(), 800);
}

TEST(DemoMixUps, are_of_two_customers_each_of_whom_all_is_known) {
    std::set<IdText> known;
    for (const DemoSaid& each : demo_said_before(some_noon)) {
        for (const events::Identifier& id : each.match.ids) {
            known.insert(text_of(id));
        }
    }
    std::set<std::size_t> customers;
    for (std::size_t number = 0; number < demo_mix_ups; ++number) {
        const DemoMixUp mixed_up = demo_mix_up(number);
        for (const std::size_t customer : {mixed_up.one, mixed_up.other}) {
            EXPECT_TRUE(customers.insert(customer).second);
            EXPECT_GE(customer, demo_kiosk_guests);
            ASSERT_LT(customer, demo_customers);
            for (std::size_t network = 0; network < demo_networks; ++network) {
                EXPECT_TRUE(known.contains(text_of(demo_id(customer, network))));
            }
        }
    }
}

}  // namespace
}  // namespace footfall::cli
