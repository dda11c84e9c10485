#include "identities/found_facts.h"

#include "identities/fact_rows.h"
#include "identities/networks.h"
#include "identities/profile_rows.h"
#include "identities/schema.h"
#include "identities/test_facts.h"
#include "projecting/writer.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

class FoundFactsTest : public testing::Test {
protected:
    void SetUp() override {
        for (int number = 0; number < people; ++number) {
            const std::string source = number % 2 == 0 ? "bad" : "shop";
            take(link(
                number, {fmt::format("app:a{}", number), fmt::format("mail:m{}", number)}, source
            ));
        }
        for (int guest = 0; guest < guests; ++guest) {
            take(link(100, {"app:kiosk", fmt::format("mail:g{}", guest)}, "bad"));
        }
    }

    /// A fact with its rows, as two lanes were told it, and its ids in the index.
    void take(const Fact& fact) {
        storage::Batch batch;
        for (const std::uint32_t lane : {1U, 2U}) {
            add_rows({.writer = projecting::writer_of(1, lane), .fact = fact}, batch);
        }
        for (const Id& each : ids_of(fact)) {
            add_network(each.identifier, batch);
            add_index_entry(each, {.sid = "some"}, {}, batch);
        }
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    /// How often each link is found, portion by portion.
    std::map<FactId, int> found(const FindingBounds& bounds) {
        std::map<FactId, int> times;
        std::optional<PlaceInIndex> after;
        portions_ = 0;
        do {
            auto some = find_facts(
                store_, [](const Fact& fact) { return fact.source == "bad"; }, after, bounds
            );
            EXPECT_TRUE(some) << some.error().message;
            if (!some || ++portions_ > 10'000) {
                ADD_FAILURE() << "it does not end";
                break;
            }
            for (const FoundFact& each : some->facts) {
                ++times[each.fact.id];
            }
            after = some->next;
        } while (after);
        return times;
    }

    void expect_each_once(const FindingBounds& bounds) {
        const std::map<FactId, int> times = found(bounds);
        EXPECT_EQ(times.size(), static_cast<std::size_t>(people / 2 + guests));
        for (const auto& [link, count] : times) {
            EXPECT_EQ(count, 1);
        }
    }

    static constexpr int people = 40;
    static constexpr int guests = 30;
    const ManualClock clock_{at_second(1'790'000'000)};
    storage::MemoryStore store_{all_tables, clock_};
    int portions_ = 0;
};

TEST_F(FoundFactsTest, are_each_found_once_within_whatever_bounds) {
    expect_each_once({});
    EXPECT_EQ(portions_, 1);
    expect_each_once({.found_max = 1});
    EXPECT_GE(portions_, people / 2 + guests);
    expect_each_once({.found_max = 7});
    expect_each_once({.ids_max = 1});
    EXPECT_GE(portions_, 2 * people);
    expect_each_once({.parts_max = 16});
    EXPECT_GE(portions_, 2 * 256 / 16);
    expect_each_once({.facts_max = 3});
    EXPECT_GE(portions_, guests / 3);
    expect_each_once({.found_max = 2, .ids_max = 3, .parts_max = 32, .facts_max = 5});
}

TEST_F(FoundFactsTest, say_which_were_taken_back_already) {
    const Fact taken = link(0, {"app:a0", "mail:m0"}, "bad");
    take(decision(FactKind::reject, 200, taken));
    const auto all =
        find_facts(store_, [](const Fact& fact) { return fact.source == "bad"; }, std::nullopt, {});
    ASSERT_TRUE(all);
    for (const FoundFact& each : all->facts) {
        EXPECT_EQ(each.is_taken_back, each.fact.id == taken.id);
    }
}

TEST_F(FoundFactsTest, are_decisions_too_and_say_which_were_revoked) {
    const Fact reject = decision(FactKind::reject, 200, link(0, {"app:a0", "mail:m0"}, "bad"));
    const Fact parted = parting(200, {"app:a1"}, {"mail:m1", "mail:m2"});
    const Fact lifted = lift(200, "app:kiosk");
    for (const Fact& each : {reject, parted, lifted, decision(FactKind::revoke, 201, parted)}) {
        take(each);
    }
    for (const std::size_t named_max : {1UZ, 20'000UZ}) {
        std::map<FactId, bool> taken_back;
        std::optional<PlaceInIndex> after;
        std::size_t portions = 0;
        do {
            const auto some = find_facts(
                store_,
                [](const Fact& fact) {
                    return fact.kind != FactKind::link && fact.kind != FactKind::revoke;
                },
                after,
                {.named_max = named_max}
            );
            ASSERT_TRUE(some);
            for (const FoundFact& each : some->facts) {
                EXPECT_TRUE(taken_back.emplace(each.fact.id, each.is_taken_back).second);
            }
            after = some->next;
            ++portions;
        } while (after && portions < 1000);
        const std::map<FactId, bool> wanted{
            {reject.id, false}, {parted.id, true}, {lifted.id, false}
        };
        EXPECT_EQ(taken_back, wanted);
        EXPECT_EQ(portions > 3, named_max == 1) << "a portion ends where enough ids are named";
    }
}

}  // namespace
}  // namespace footfall::identities
