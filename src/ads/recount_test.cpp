#include "ads/recount.h"

#include "ads/dropped_clicks.h"
#include "ads/ledger.h"
#include "ads/schema.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "foundation/testing/rounds.h"
#include "runtime/lanes.h"
#include "storage/blocking.h"
#include "storage/decimal.h"
#include "storage/memory_store.h"
#include "storage/testing/random_rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace footfall::ads {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint64_t test_log = 77;
constexpr SipKey test_secret{.k0 = 3, .k1 = 4};
constexpr Instant begun{std::chrono::days{20'700}};  // 2026-09-04

/// All that was ever written is there.
class AllWritten final : public projecting::WrittenRows {
public:
    std::uint64_t end() const override { return std::numeric_limits<std::uint64_t>::max(); }

    Result<bool> wait() override { return false; }
};

/// A ledger on a store in memory, and the log that it was told.
class Recounted : public testing::Test {
protected:
    Recounted() { open(); }

    void open() {
        ledger_ = Ledger::open(
                      store_,
                      clock_,
                      test_log,
                      {.zone = LedgerZone{TimeZone::find("America/New_York").value()},
                       .currency = "EUR",
                       .secret = test_secret}
        )
                      .value();
    }

    void take(events::Event event, const std::string& refusal = {}) {
        const std::uint32_t lane = events::lane_of(event.object, test_secret);
        events::JudgedEvent judged{.event = std::move(event), .arrival = clock_.now()};
        if (!refusal.empty()) {
            judged.verdict.refusal = events::Objection{.reason = refusal};
        }
        log_[lane].emplace_back(std::move(judged));
        const std::uint64_t offset = log_[lane].size() - 1;
        const projecting::JudgedRecord record{
            .offset = offset, .judged = &std::get<events::JudgedEvent>(log_[lane].back())
        };
        ledger_->apply(lane, {&record, 1});
    }

    void say(std::uint32_t lane, const events::Control& control) {
        log_[lane].emplace_back(control);
        ledger_->control(lane, log_[lane].size() - 1, control);
    }

    void say_rate(events::RateSaid said) {
        said.said = clock_.now();
        said.id = fmt::format("said-{}", ++serial_);
        const std::uint32_t lane = events::lane_of(said.party, test_secret);
        say(lane, said);
    }

    void seal(Month month) {
        for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
            say(lane, events::MonthSealed{.month = month, .author = "we", .said = clock_.now()});
        }
    }

    /// Says that rows of ad_click need not stand, whichever.
    void let_clicks_go() {
        ASSERT_TRUE(DroppedClicks{.begun = month_of(parse_day("2100-01-01").value())}.write(store_)
        );
    }

    void flush() {
        const auto flushed = ledger_->flush(true);
        ASSERT_TRUE(flushed) << flushed.error().message;
    }

    /// Of all lanes, each in so many parts; the log of each lane from a place on.
    std::vector<std::string> differences(std::uint64_t parts = 1, double gone = 0) {
        std::vector<std::string> all;
        for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
            const auto first =
                static_cast<std::uint64_t>(gone * static_cast<double>(log_[lane].size()));
            for (std::uint64_t number = 0; number < parts; ++number) {
                const auto recount = make_recount(
                    {.store = &store_,
                     .secret = test_secret,
                     .log = test_log,
                     .lane = lane,
                     .begins_later = first > 0,
                     .number = number,
                     .of = parts}
                );
                count(lane, first, *recount);
                std::ranges::copy(recount->differences(), std::back_inserter(all));
                events_ += recount->events();
            }
        }
        return all;
    }

    void count(std::uint32_t lane, std::uint64_t first, projecting::Recount& recount) {
        for (std::uint64_t offset = first; offset < log_[lane].size(); ++offset) {
            const events::LogRecord& record = log_[lane][offset];
            const auto* const control = std::get_if<events::Control>(&record);
            const Result<void> added =
                control != nullptr
                    ? recount.control(offset, *control)
                    : recount.add(
                          {.offset = offset, .judged = &std::get<events::JudgedEvent>(record)}
                      );
            ASSERT_TRUE(added) << added.error().message;
        }
        AllWritten rows;
        const auto read = recount.read_stored(rows);
        ASSERT_TRUE(read) << read.error().message;
    }

    std::vector<std::vector<storage::Value>> rows_of(const storage::Table& table) {
        const auto page = storage::scan_page(store_, {.table = &table, .max_rows = 100'000});
        std::vector<std::vector<storage::Value>> rows;
        for (std::size_t row = 0; row < page->rows.size(); ++row) {
            std::vector<storage::Value>& values = rows.emplace_back();
            for (std::size_t at = 0; at < table.width(); ++at) {
                values.push_back(page->rows.at(row, at).owned());
            }
        }
        return rows;
    }

    void put(const storage::Table& table, const std::vector<storage::Value>& row) {
        storage::Batch batch;
        batch.upsert(table, storage::views_of(row));
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    void erase(const storage::Table& table, std::vector<storage::Value> row) {
        row.resize(table.key_width());
        storage::Batch batch;
        batch.erase(table, storage::views_of(row));
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    static std::size_t column(const storage::Table& table, std::string_view name) {
        std::size_t at = 0;
        while (table.column(at).name != name) {
            ++at;
        }
        return at;
    }

    ManualClock clock_{begun};
    storage::MemoryStore store_{all_tables(), clock_};
    std::array<std::deque<events::LogRecord>, runtime::lane_count> log_;
    std::unique_ptr<Ledger> ledger_;
    std::uint64_t serial_ = 0;
    std::uint64_t events_ = 0;
};

/// Two clicks, a sale, a refund and a refused click of one reseller; rates, and a sealed month.
class RecountedStory : public Recounted {
protected:
    RecountedStory() {
        say_rate({.party = "shop", .effective = 20'600, .share = 300'000, .reason = "begin"});
        take(click("0.5"));
        take(click("0.7"));
        take(click("0.5"), "repeat");
        clock_.advance(std::chrono::days{30});
        seal(month_of(20'700));
        events::Event late = click("2");
        late.time = begun;
        take(late);
        events::Event sale = click("10");
        sale.action = "sale";
        take(sale);
        say_rate(
            {.kind = events::PartyKind::publisher,
             .party = "blog",
             .effective = 20'700,
             .share = 100'000}
        );
        flush();
    }

    events::Event click(const std::string& amount) {
        return {
            .time = clock_.now(),
            .action = "click",
            .object = "thing",
            .amount = static_cast<events::Micros>(*storage::parse_decimal(amount)),
            .reseller = "shop",
            .ad = "banner",
            .publisher = "blog"
        };
    }

    /// The first row of the table, with a number more in this column.
    void raise(const storage::Table& table, std::string_view name) {
        auto row = rows_of(table).at(0);
        storage::Value& value = row.at(column(table, name));
        if (auto* const number = std::get_if<std::int64_t>(&value)) {
            ++*number;
        } else {
            value = storage::decimal_bytes(
                storage::decimal_of(std::get<std::string>(value)).value() + 1'000'000
            );
        }
        put(table, row);
    }
};

TEST_F(RecountedStory, nothing_is_said_of_what_is_right) {
    EXPECT_THAT(differences(), IsEmpty());
    EXPECT_EQ(events_, 5U);
    EXPECT_THAT(differences(7), IsEmpty());
}

TEST_F(RecountedStory, a_changed_amount_is_named_with_both_figures) {
    raise(reseller_tables.day, "amount");
    EXPECT_THAT(
        differences(),
        Contains(AllOf(
            HasSubstr("amount_by_day: reseller \"shop\", currency \"EUR\", day 2026-"),
            HasSubstr("amount 3.000000 stored; the log has 1 clicks, 0 sales, 0 refunds, amount "
                      "2.000000")
        ))
    );
}

TEST_F(RecountedStory, a_changed_row_of_each_table_is_named) {
    for (const storage::Table* const table :
         {&reseller_tables.day,
          &reseller_tables.month,
          &reseller_tables.ad,
          &publisher_tables.day,
          &publisher_tables.month,
          &publisher_tables.ad,
          &clicks_per_ad_table,
          &ad_click_table,
          &reseller_tables.rate,
          &publisher_tables.rate}) {
        const auto before = rows_of(*table).at(0);
        raise(*table, table->name.ends_with("rate") ? "reward_percent" : "amount");
        EXPECT_THAT(differences(), Contains(HasSubstr(fmt::format("{}: ", table->name))));
        put(*table, before);
        raise(
            *table,
            table->name.ends_with("rate") ? "booked"
            : table == &ad_click_table    ? "arrival"
                                          : "clicks"
        );
        EXPECT_THAT(differences(), Contains(HasSubstr(fmt::format("{}: ", table->name))));
        put(*table, before);
        EXPECT_THAT(differences(), IsEmpty());
    }
}

TEST_F(RecountedStory, a_missing_row_of_each_table_is_named) {
    for (const storage::Table* const table : all_tables()) {
        if (table == &ledger_answer_table || table->name.ends_with("sealed_month")) {
            continue;
        }
        for (const auto& row : rows_of(*table)) {
            const bool is_of_rates = table->name == "reseller" || table->name == "publisher"
                                         ? std::get<std::string>(row.at(2)).empty()
                                         : false;
            if (is_of_rates) {
                continue;  // it says that there are rates, which have no rows of days
            }
            erase(*table, row);
            EXPECT_THAT(differences(), Contains(HasSubstr(fmt::format("{}: ", table->name))));
            put(*table, row);
        }
    }
    EXPECT_THAT(differences(), IsEmpty());
}

TEST_F(RecountedStory, a_row_too_many_is_named) {
    for (const storage::Table* const table :
         {&reseller_tables.day, &publisher_tables.day, &clicks_per_ad_table}) {
        auto row = rows_of(*table).at(0);
        std::get<std::int64_t>(row.at(column(*table, "day"))) += 3;
        put(*table, row);
        EXPECT_THAT(differences(), Contains(HasSubstr("the log has no such line")));
        erase(*table, row);
    }
    auto click = rows_of(ad_click_table).at(0);
    std::get<std::string>(click.at(column(ad_click_table, "id"))) = "another";
    put(ad_click_table, click);
    EXPECT_THAT(differences(), Contains(HasSubstr("event another: record")));
    erase(ad_click_table, click);
    auto rate = rows_of(reseller_tables.rate).at(0);
    ++std::get<std::int64_t>(rate.at(column(reseller_tables.rate, "recorded_at")));
    std::get<std::int64_t>(rate.at(column(reseller_tables.rate, "offset"))) = 0;
    put(reseller_tables.rate, rate);
    EXPECT_THAT(differences(), Not(IsEmpty()));
    erase(reseller_tables.rate, rate);
    EXPECT_THAT(differences(), IsEmpty());
}

/// What the log has lost is held to ad_click.
TEST_F(RecountedStory, amounts_are_held_to_ad_click_where_the_log_has_gone) {
    EXPECT_THAT(differences(1, 1), IsEmpty());
    raise(reseller_tables.day, "amount");
    EXPECT_THAT(differences(1, 1), Contains(HasSubstr("ad_click has")));
    let_clicks_go();
    EXPECT_THAT(differences(1, 1), Contains(HasSubstr("amount_by_day has")));
}

TEST_F(RecountedStory, months_are_held_to_days_where_ad_click_is_gone) {
    for (const auto& row : rows_of(ad_click_table)) {
        erase(ad_click_table, row);
    }
    EXPECT_THAT(differences(), Not(IsEmpty()));
    let_clicks_go();
    EXPECT_THAT(differences(), IsEmpty());
    raise(publisher_tables.month, "clicks");
    EXPECT_THAT(differences(1, 1), ElementsAre(HasSubstr("publisher_amount_by_month: ")));
}

/// Where a store is cut off between the row of a change and the row for who waits for it.
TEST_F(RecountedStory, who_asked_is_answered_when_a_change_is_read_again_that_stands) {
    const auto answers = rows_of(ledger_answer_table);
    for (const auto& row : answers) {
        erase(ledger_answer_table, row);
    }
    open();
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        for (std::uint64_t offset = 0; offset < log_[lane].size(); ++offset) {
            if (const auto* const control = std::get_if<events::Control>(&log_[lane][offset])) {
                ledger_->control(lane, offset, *control);
            }
        }
    }
    flush();
    EXPECT_EQ(rows_of(ledger_answer_table), answers);
    EXPECT_THAT(differences(), IsEmpty());
}

/// Random stories of clicks, sales, refunds, refusals, changes of rates and seals.
class RecountedHistory : public Recounted {
protected:
    events::Event draw_event() {
        const auto pick = [&](std::string_view stem, std::uint64_t most) {
            const std::uint64_t at = random_.below(most + 1);
            return at == 0 ? std::string{} : fmt::format("{}{}", stem, at);
        };
        events::Event event{
            .id = pick("id", 3),
            .time = clock_.now() - std::chrono::hours{random_.below(24 * 90)},
            .action = random_.below(4) == 0 ? "sale" : "click",
            .object = fmt::format("object{}", random_.below(9)),
            .currency = pick("C", 1),
            .reseller = pick("shop", 4),
            .ad = pick("ad", 2),
            .publisher = pick("blog", 2)
        };
        if (random_.below(6) > 0) {
            event.amount = static_cast<events::Micros>(random_.below(3'000'000)) - 500'000;
        }
        return event;
    }

    void draw() {
        static constexpr std::array<const char*, 6> refusals{"", "", "", "", "repeat", "rate"};
        const auto what = random_.below(100);
        if (what == 0) {
            seal(month_of(ledger_->zone().day_of(clock_.now())) - 1);
        } else if (what < 8) {
            events::RateSaid said{
                .kind = random_.below(2) == 0 ? events::PartyKind::reseller
                                              : events::PartyKind::publisher,
                .party = fmt::format("shop{}", random_.below(3)),
                .effective = 20'650 + static_cast<Day>(random_.below(5)),
                .reason = fmt::format("reason{}", random_.below(2))
            };
            if (random_.below(4) > 0) {
                said.share = static_cast<std::uint32_t>(random_.below(3) * 100'000);
            }
            if (random_.below(5) == 0) {
                said.if_match = "0-0";
            }
            say_rate(said);
        } else {
            take(draw_event(), refusals[random_.below(refusals.size())]);
        }
        if (random_.below(10) == 0) {
            flush();
        }
        clock_.advance(std::chrono::hours{random_.below(20)});
    }

    Random random_{storage::test_seed()};
};

TEST_F(RecountedHistory, nothing_is_said_whatever_happened) {
    for (std::uint64_t round = 0; round < rounds(20); ++round) {
        for (int at = 0; at < 100; ++at) {
            draw();
        }
        flush();
        const double gone = static_cast<double>(random_.below(4)) / 4;
        ASSERT_THAT(differences(1 + random_.below(3), gone), IsEmpty())
            << "FOOTFALL_SEED=" << storage::test_seed();
    }
}

/// Whatever row is changed, it is named.
TEST_F(RecountedHistory, any_changed_amount_is_found) {
    for (int at = 0; at < 400; ++at) {
        draw();
    }
    flush();
    const std::vector<const storage::Table*> sums{
        &reseller_tables.day,
        &reseller_tables.month,
        &reseller_tables.ad,
        &publisher_tables.day,
        &publisher_tables.month,
        &publisher_tables.ad,
        &clicks_per_ad_table,
        &ad_click_table
    };
    for (const storage::Table* const table : sums) {
        const auto rows = rows_of(*table);
        for (int tries = 0; tries < 2; ++tries) {
            const auto row = rows.at(random_.below(rows.size()));
            auto changed = row;
            changed.at(column(*table, "amount")) = storage::decimal_bytes(12'345'678);
            put(*table, changed);
            EXPECT_THAT(differences(), Contains(HasSubstr(fmt::format("{}: ", table->name))));
            put(*table, row);
        }
    }
    EXPECT_THAT(differences(), IsEmpty());
}

}  // namespace
}  // namespace footfall::ads
