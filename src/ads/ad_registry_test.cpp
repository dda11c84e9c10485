#include "ads/ad_registry.h"

#include "ads/ad_schema.h"
#include "runtime/watch.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace footfall::ads {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const storage::Table* tables[] = {&registered_ad_table, &ad_change_table};

AdTerms terms_at(events::Micros price) {
    return {
        .targets = {"https://shop.example/a", "https://shop.example/b"},
        .price = price,
        .currency = "EUR",
        .publisher = "paper"
    };
}

class AdRegistryTest : public testing::Test {
protected:
    std::unique_ptr<AdRegistry> open() { return *AdRegistry::open(store_, clock_); }

    static AdRegistry::Change put(AdRegistry& ads, const char* ad, events::Micros price) {
        auto change = ads.put(ad, terms_at(price), "key");
        EXPECT_TRUE(change) << change.error().message;
        return change.value_or(AdRegistry::Change{});
    }

    static events::Micros price_of(const AdRegistry& ads, std::string_view ad) {
        const AdRegistry::Ad found = ads.find(ad);
        return found ? found->terms.price : -1;
    }

    static std::vector<std::string> names(const std::vector<AdRegistry::Ad>& ads) {
        std::vector<std::string> listed;
        listed.reserve(ads.size());
        for (const AdRegistry::Ad& each : ads) {
            listed.push_back(each->ad);
        }
        return listed;
    }

    /// "ad author price" of all that was changed on the clock's day.
    std::vector<std::string> changes() {
        const auto day = std::chrono::floor<std::chrono::days>(clock_.now()).time_since_epoch();
        const auto rows = storage::read_all(
            store_, {.table = &ad_change_table, .partition = {std::int64_t{day.count()}}}
        );
        std::vector<std::string> listed;
        for (std::size_t row = 0; rows && row < rows->size(); ++row) {
            listed.push_back(fmt::format("{} {}", rows->at(row, 2).text(), rows->at(row, 7).text())
            );
        }
        return listed;
    }

    ManualClock clock_{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore disk_{tables, clock_};
    storage::FaultyStore store_{disk_, 1};
};

TEST_F(AdRegistryTest, keeps_ads_as_they_were_registered_and_who_changed_them_when) {
    const auto ads = open();
    EXPECT_EQ(ads->find("a"), nullptr);
    const auto made = put(*ads, "a", 100);
    EXPECT_TRUE(made.is_new && made.was_written);
    EXPECT_EQ(made.ad->changed_at, clock_.now());
    clock_.advance(1s);
    ASSERT_TRUE(ads->put("a", terms_at(200), "other key"));
    const auto again = open();
    const AdRegistry::Ad ad = again->find("a");
    ASSERT_NE(ad, nullptr);
    EXPECT_EQ(ad->terms, terms_at(200));
    EXPECT_EQ(ad->author, "other key");
    EXPECT_EQ(ad->changed_at, clock_.now());
    EXPECT_THAT(changes(), ElementsAre("a key", "a other key"));
}

TEST_F(AdRegistryTest, what_is_so_already_is_no_change) {
    const auto ads = open();
    put(*ads, "a", 100);
    const auto again = put(*ads, "a", 100);
    EXPECT_FALSE(again.is_new || again.was_written);
    const auto other = put(*ads, "a", 101);
    EXPECT_TRUE(!other.is_new && other.was_written);
    EXPECT_THAT(changes(), ElementsAre("a key", "a key"));
}

TEST_F(AdRegistryTest, what_others_change_is_seen_when_changes_are_read) {
    const auto one = open();
    const auto other = open();
    put(*one, "a", 100);
    EXPECT_EQ(other->find("a"), nullptr);
    ASSERT_TRUE(other->read_changes());
    EXPECT_EQ(price_of(*other, "a"), 100);
    clock_.advance(48h);  // it could not read for so long
    put(*one, "a", 200);
    clock_.advance(26h);
    put(*one, "b", 300);
    ASSERT_TRUE(other->read_changes());
    EXPECT_EQ(price_of(*other, "a"), 200);
    EXPECT_EQ(price_of(*other, "b"), 300);
}

TEST_F(AdRegistryTest, clocks_may_differ_and_the_later_change_stands) {
    const auto one = open();
    const auto other = open();
    clock_.advance(24h - 30s);
    ASSERT_TRUE(other->read_changes());
    clock_.advance(59s);  // past midnight, where the next change comes from
    put(*one, "a", 100);
    clock_.advance(-59s);
    ASSERT_TRUE(other->read_changes());
    EXPECT_EQ(price_of(*other, "a"), 100);
    put(*other, "a", 200);  // known to be later, by a clock that is behind
    ASSERT_TRUE(one->read_changes());
    EXPECT_EQ(price_of(*one, "a"), 200);
    ASSERT_TRUE(other->read_changes());
    EXPECT_EQ(price_of(*other, "a"), 200);
    clock_.advance(-59s);
    put(*one, "b", 300);  // by a clock that is behind what was read already
    clock_.advance(59s);
    ASSERT_TRUE(other->read_changes());
    EXPECT_EQ(price_of(*other, "b"), 300);
}

TEST_F(AdRegistryTest, a_failed_store_changes_nothing_and_is_caught_up_with) {
    const auto one = open();
    const auto other = open();
    store_.set_options({.refuse_submit = 1});
    EXPECT_FALSE(one->put("a", terms_at(100), "key"));
    EXPECT_EQ(one->find("a"), nullptr);
    store_.set_options({});
    put(*one, "a", 100);
    store_.set_options({.fail_read = 1});
    EXPECT_FALSE(other->read_changes());
    clock_.advance(10min);
    store_.set_options({});
    ASSERT_TRUE(other->read_changes());
    EXPECT_EQ(price_of(*other, "a"), 100);
}

TEST_F(AdRegistryTest, lists_by_name) {
    const auto ads = open();
    for (const char* ad : {"b/2", "a", "b/1", "c", "b/3"}) {
        put(*ads, ad, 1);
    }
    EXPECT_THAT(names(ads->list("", "", 2)), ElementsAre("a", "b/1"));
    EXPECT_THAT(names(ads->list("", "b/1", 9)), ElementsAre("b/2", "b/3", "c"));
    EXPECT_THAT(names(ads->list("b/", "", 9)), ElementsAre("b/1", "b/2", "b/3"));
    EXPECT_THAT(names(ads->list("b/", "b/2", 9)), ElementsAre("b/3"));
    EXPECT_THAT(names(ads->list("b/", "c", 9)), IsEmpty());
    EXPECT_THAT(names(ads->list("d", "", 9)), IsEmpty());
}

TEST_F(AdRegistryTest, takes_so_many_ads_and_no_more) {
    const auto ads = open();
    for (std::size_t ad = 0; ad < AdRegistry::ads_max; ++ad) {
        ASSERT_TRUE(ads->put(std::to_string(ad), terms_at(1), "key"));
    }
    const auto beyond = ads->put("one more", terms_at(1), "key");
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.error().kind, ErrorKind::conflict);
    EXPECT_TRUE(ads->put("7", terms_at(2), "key")) << "one that is there can be changed";
    EXPECT_EQ(ads->size(), AdRegistry::ads_max);
}

TEST_F(AdRegistryTest, takes_so_many_bytes_and_no_more) {
    const auto ads = open();
    AdTerms large = terms_at(1);
    large.targets.assign(targets_max, "https://shop.example/" + std::string(2'000, 'a'));
    std::size_t taken = 0;
    while (ads->put(std::to_string(taken), large, "key")) {
        ++taken;
        ASSERT_LT(taken, 2'000U);
    }
    EXPECT_GT(taken, 1'000U);
    large.price = 2;
    EXPECT_TRUE(ads->put("0", large, "key"));
}

TEST_F(AdRegistryTest, the_watch_sees_what_others_change) {
    const auto one = open();
    const auto other = open();
    const runtime::Watch watch{{.what = "ads", .period = 1ms}, [&] {
                                   return other->read_changes();
                               }};
    put(*one, "a", 100);
    const auto patience_ends = std::chrono::steady_clock::now() + 20s;
    while (!other->find("a") && std::chrono::steady_clock::now() < patience_ends) {
        std::this_thread::yield();
    }
    EXPECT_EQ(price_of(*other, "a"), 100);
}

}  // namespace
}  // namespace footfall::ads
