#include "ads/page_source.h"

#include "ads/history_world.h"
#include "ads/ledger.h"
#include "ads/schema.h"
#include "foundation/clock.h"
#include "storage/memory_store.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>

namespace footfall::ads {
namespace {

/// A ledger of which one lane is told clicks of one reseller.
class PageSourceTest : public testing::Test {
protected:
    PageSourceTest() { open(0); }

    void open(std::uint64_t checkpoint) {
        ledger_ = Ledger::open(store_, clock_, 77, {.secret = {.k0 = 3, .k1 = 4}}).value();
        const std::array<projecting::LaneStart, 1> lanes{{{.lane = 9, .offset = checkpoint}}};
        ASSERT_TRUE(ledger_->begin(lanes));
    }

    void click(std::uint64_t offset) {
        const events::JudgedEvent judged{
            .event =
                {.time = clock_.now(),
                 .action = "click",
                 .object = "banner",
                 .amount = 5,
                 .reseller = "shop"},
            .arrival = clock_.now()
        };
        const projecting::JudgedRecord record{.offset = offset, .judged = &judged, .person = {}};
        ledger_->apply(9, {&record, 1});
    }

    std::uint64_t clicks() {
        ledger_->hand_over();
        const auto told = ledger_->pages()->ask(PartyKind::reseller, "shop", "XXX", all_days);
        EXPECT_TRUE(told);
        return told.value()->report.amounts.clicks;
    }

    ManualClock clock_{Instant{std::chrono::days{20'700}}};
    storage::MemoryStore disk_{all_tables(), clock_};
    PromptStore store_{disk_, 1, {}};
    std::unique_ptr<Ledger> ledger_;
};

TEST_F(PageSourceTest, a_page_has_once_what_is_written_while_it_is_made) {
    click(0);
    ASSERT_TRUE(ledger_->flush(true));
    store_.before_range(reseller_tables.month, [&] {
        click(1);
        ASSERT_TRUE(ledger_->flush(true));
        click(2);
    });
    EXPECT_EQ(clicks(), 2U) << "what came later waits to be handed over";
    EXPECT_EQ(clicks(), 3U);
}

TEST_F(PageSourceTest, a_page_has_once_what_is_told_again_after_a_start) {
    click(0);
    click(1);
    ASSERT_TRUE(ledger_->flush(true));
    open(1);
    EXPECT_EQ(clicks(), 2U);
    click(1);
    click(2);
    EXPECT_EQ(clicks(), 3U);
    ASSERT_TRUE(ledger_->flush(true));
    EXPECT_EQ(clicks(), 3U);
}

TEST_F(PageSourceTest, rows_have_once_what_is_told_again_with_what_is_new) {
    click(0);
    click(1);
    ASSERT_TRUE(ledger_->flush(true));
    open(0);
    click(0);
    click(1);
    click(2);
    ASSERT_TRUE(ledger_->flush(true));
    open(3);
    EXPECT_EQ(clicks(), 3U);
}

}  // namespace
}  // namespace footfall::ads
