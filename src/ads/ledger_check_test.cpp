#include "ads/ledger_check.h"

#include "ads/schema.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace footfall::ads {
namespace {

using namespace std::chrono_literals;

constexpr Instant midnight{std::chrono::days{20'700}};

TEST(LedgerCheck, comes_back_from_the_store_with_its_first_differences) {
    const ManualClock clock{midnight};
    storage::MemoryStore store{all_tables(), clock};
    EXPECT_FALSE(LedgerCheck::read(store)->checked_at);
    LedgerCheck check{.checked_at = midnight, .first = {}, .begun_at = midnight - 1h};
    for (std::size_t at = 0; at < 30; ++at) {
        check.add(fmt::format("difference {}", at));
    }
    ASSERT_TRUE(check.write(store));
    const LedgerCheck found = LedgerCheck::read(store).value();
    EXPECT_EQ(found.checked_at, midnight);
    EXPECT_EQ(found.begun_at, midnight - 1h);
    EXPECT_EQ(found.differences, 30U);
    ASSERT_EQ(found.first.size(), LedgerCheck::most_first);
    EXPECT_EQ(found.first.at(1), "difference 1");

    LedgerCheck later{.checked_at = midnight + 24h, .first = {}};
    later.add("only one");
    ASSERT_TRUE(later.write(store));
    EXPECT_EQ(LedgerCheck::read(store)->first, std::vector<std::string>{"only one"});
}

TEST(LedgerCheck, a_long_difference_is_cut) {
    LedgerCheck check;
    check.add(std::string(5000, 'x'));
    EXPECT_EQ(check.first.at(0).size(), LedgerCheck::most_bytes);
}

TEST(LedgerCheck, is_due_once_a_night) {
    const TimeZone zone = TimeZone::find("America/New_York").value();
    const Instant up = midnight + 4h;  // where it is midnight
    const LedgerCheck never;
    EXPECT_FALSE(never.is_due(up + 2h, up, zone));
    EXPECT_TRUE(never.is_due(up + 3h, up, zone));
    EXPECT_FALSE(never.is_due(up + 6h, up, zone));
    EXPECT_TRUE(never.is_due(up + 48h, up, zone)) << "two nights were missed";
    const LedgerCheck done{.checked_at = up + 3h + 1min, .first = {}, .begun_at = up + 3h};
    EXPECT_FALSE(done.is_due(up + 5h, up, zone));
    EXPECT_TRUE(done.is_due(up + 27h, up, zone));
    EXPECT_TRUE(done.is_due(up + 53h, up + 53h, zone)) << "and this process is new";
}

TEST(LedgerCheck, is_not_due_while_somebody_is_at_it) {
    const LedgerCheck check{.checked_at = midnight - 21h, .first = {}, .begun_at = midnight + 3h};
    EXPECT_FALSE(check.is_due(midnight + 3h + 1min, midnight, {}));
    EXPECT_TRUE(check.is_due(midnight + 27h, midnight, {})) << "who began is gone";
}

}  // namespace
}  // namespace footfall::ads
