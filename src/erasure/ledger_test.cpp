#include "erasure/ledger.h"

#include "erasure/schema.h"
#include "foundation/clock.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace footfall::erasure {
namespace {

using events::Identifier;

class LedgerTest : public testing::Test {
protected:
    std::unique_ptr<Ledger> open() {
        auto opened = Ledger::open(store_, {1, 2});
        EXPECT_TRUE(opened);
        return *std::move(opened);
    }

    const Identifier ann_{"www", "id", "ann"};
    const Identifier bob_{"www", "id", "bob"};
    const Instant now_{std::chrono::seconds{1'790'000'000}};
    ManualClock clock_{now_};
    storage::MemoryStore store_{all_tables, clock_};
};

TEST_F(LedgerTest, what_was_recorded_by_then_is_dropped_and_nothing_later) {
    const auto ledger = open();
    EXPECT_TRUE(ledger->empty());
    EXPECT_FALSE(ledger->drops(ann_, now_));
    ASSERT_TRUE(ledger->record({&ann_, 1}, "profile", {}, now_));
    EXPECT_TRUE(ledger->drops(ann_, now_));
    EXPECT_FALSE(ledger->drops(ann_, now_ + std::chrono::microseconds{1}));
    EXPECT_FALSE(ledger->drops(bob_, now_));
    EXPECT_FALSE(ledger->drops({"www", "ida", "nn"}, now_))
        << "parts of a name do not run together";
}

TEST_F(LedgerTest, it_counts_erasures_and_is_the_same_after_a_start) {
    auto ledger = open();
    ASSERT_TRUE(ledger->record({&ann_, 1}, "profile", {}, now_));
    ASSERT_TRUE(ledger->record({&ann_, 1}, "actor", {}, now_ + std::chrono::seconds{1}));
    ledger = open();
    EXPECT_EQ(ledger->count(ann_), 2);
    EXPECT_TRUE(ledger->drops(ann_, now_ + std::chrono::seconds{1}));
    EXPECT_EQ(ledger->count(bob_), 0);
}

TEST_F(LedgerTest, others_learn_of_it) {
    const auto one = open();
    const auto other = open();
    ASSERT_TRUE(one->record({&ann_, 1}, "profile", {}, now_));
    EXPECT_FALSE(other->drops(ann_, now_));
    EXPECT_EQ(other->reload(), true);
    EXPECT_TRUE(other->drops(ann_, now_));
    EXPECT_EQ(other->reload(), false);
}

TEST_F(LedgerTest, a_receipt_is_closed_when_all_its_parts_are_done) {
    const auto ledger = open();
    constexpr std::array parts{Part::tables, Part::compaction};
    auto receipt = ledger->record({&ann_, 1}, "profile", parts, now_);
    ASSERT_TRUE(receipt);
    const auto found = ledger->find_receipt(receipt->id);
    ASSERT_TRUE(found);
    const Receipt there = found->value_or(Receipt{});
    EXPECT_EQ(there.open(), (std::vector<Part>{Part::tables, Part::compaction}));
    EXPECT_EQ(there.kind, "profile");
    ASSERT_TRUE(ledger->finish(*receipt, Part::tables, now_));
    ASSERT_EQ(ledger->open_receipts()->size(), 1);
    ASSERT_TRUE(ledger->finish(*receipt, Part::compaction, now_));
    EXPECT_TRUE(ledger->open_receipts()->empty());
    EXPECT_TRUE(ledger->open_receipts()->empty());
}

TEST_F(LedgerTest, receipts_are_listed_newest_first_in_pages) {
    const auto ledger = open();
    EXPECT_TRUE(ledger->receipts("", 10)->empty());
    std::vector<std::string> ids;
    for (int each = 0; each < 5; ++each) {
        const auto receipt =
            ledger->record({&ann_, 1}, "profile", {}, now_ + std::chrono::seconds{each / 2});
        ASSERT_TRUE(receipt);
        ids.push_back(receipt->id);
    }
    std::ranges::sort(ids);
    std::vector<std::string> found;
    std::string after;
    for (;;) {
        const auto page = ledger->receipts(after, 2);
        ASSERT_TRUE(page) << page.error().message;
        if (page->empty()) {
            break;
        }
        ASSERT_LE(page->size(), 2);
        for (const Receipt& each : *page) {
            found.push_back(each.id);
        }
        after = found.back();
    }
    EXPECT_EQ(found.front().substr(0, 16), ids.back().substr(0, 16)) << "the newest second first";
    std::ranges::sort(found);
    EXPECT_EQ(found, ids) << "each once";
    EXPECT_EQ(ledger->receipts("no receipt", 2).error().kind, ErrorKind::invalid_input);
}

TEST_F(LedgerTest, what_is_no_receipt_is_none) {
    const auto ledger = open();
    for (const char* const each : {"", "x", "00", "zz"}) {
        EXPECT_EQ(*ledger->find_receipt(each), std::nullopt) << each;
    }
    EXPECT_EQ(*ledger->find_receipt(std::string(48, 'g')), std::nullopt);
    EXPECT_EQ(*ledger->find_receipt(std::string(48, 'f')), std::nullopt);
}

TEST_F(LedgerTest, no_row_tells_who_it_was) {
    const auto ledger = open();
    ASSERT_TRUE(ledger->record({&ann_, 1}, "profile", {}, now_));
    for (const storage::Table* const table : all_tables) {
        const auto page = storage::scan_page(store_, {.table = table});
        ASSERT_TRUE(page);
        ASSERT_EQ(page->rows.size(), 1);
        for (std::size_t column = 0; column < table->width(); ++column) {
            const auto cell = page->rows.at(0, column);
            EXPECT_TRUE(!cell.is_text() || !cell.text().contains("ann")) << table->name;
        }
    }
}

}  // namespace
}  // namespace footfall::erasure
