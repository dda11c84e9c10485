#include "ads/brute_answer.h"
#include "ads/history_draw.h"
#include "ads/history_told.h"
#include "ads/history_world.h"
#include "ads/party_sums.h"
#include "ads/split.h"
#include "ads/statement.h"
#include "ads/statement_check.h"
#include "foundation/random.h"
#include "foundation/testing/rounds.h"
#include "storage/testing/random_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace footfall::ads {
namespace {

std::string words_of(const IncomeQuestion& question) {
    return fmt::format(
        "{} '{}' {} grouping {} as_of {} zone {} range {}",
        question.kind == PartyKind::reseller ? "reseller" : "publisher",
        question.party,
        question.currency,
        static_cast<int>(question.group_by),
        question.as_of ? std::to_string(*question.as_of) : "-",
        question.zone ? question.zone->name() : "-",
        question.range ? fmt::format("{} to {}", question.range->from, question.range->to) : "-"
    );
}

/// One history, asked from time to time.
class PlayedHistory {
public:
    PlayedHistory(std::uint64_t seed, const std::string& zone)
        : random_{seed},
          world_{zone, HistoryDraw::start, seed, random_.below(2) == 0, random_.below(2) == 0},
          draw_{world_, random_} {}

    void play() {
        for (int part = 0; part < parts; ++part) {
            for (int step = 0; step < steps; ++step) {
                draw_.step();
                disturb();
            }
            if (part == parts - 1) {
                draw_.end_seals();
            }
            ask();
            if (testing::Test::HasFatalFailure()) {
                return;
            }
        }
        expect_the_latest_rates();
    }

private:
    static constexpr int parts = 5;
    static constexpr int steps = 14;
    static constexpr int questions = 4;

    /// Tells some of what is in the log, writes some of it, and loses some.
    void disturb() {
        for (std::uint32_t lane = 0; lane < HistoryWorld::lanes; ++lane) {
            world_.apply(lane, random_.below(4));
        }
        switch (random_.below(8)) {
            case 0:
            case 1:
                world_.flush_with_faults(random_);
                if (random_.below(2) == 0) {
                    write_statements();
                }
                break;
            case 2:
                world_.restart();
                break;
            case 3:
                world_.take_checkpoints();
                break;
            case 4:
                write_statements();
                break;
            default:
                break;
        }
    }

    /// Of what rows say, whatever waits for them.
    void write_statements() {
        const Result<void> written = Sealer{world_.ledger()}.turn({});
        ASSERT_TRUE(written) << written.error().message;
    }

    void ask() {
        ASSERT_NO_FATAL_FAILURE(world_.flush());
        ASSERT_NO_FATAL_FAILURE(expect_split());
        draw_.read_versions();
        world_.apply_all();  // waits for its rows
        const brute::Ledger brute = world_.brute();
        for (const auto kind : {PartyKind::reseller, PartyKind::publisher}) {
            for (const char* const party : {"", "r1", "r2", "p1"}) {
                const auto history = RateHistory::read(world_.ledger().store(), kind, party);
                ASSERT_EQ(told(history.value()), brute.changes(kind, party)) << party;
            }
        }
        for (int asked = 0; asked < questions; ++asked) {
            ASSERT_NO_FATAL_FAILURE(expect_income(brute, draw_.question()));
        }
        ASSERT_NO_FATAL_FAILURE(expect_split());
        ASSERT_NO_FATAL_FAILURE(expect_sums_of_lists());
        const ClicksQuestion clicks = draw_.clicks_question();
        const auto answer = clicks_of(world_.ledger(), clicks);
        ASSERT_TRUE(answer) << answer.error().message;
        ASSERT_EQ(told(*answer), brute.clicks(clicks)) << clicks.of.name;
        expect_sealed_months_stand();
    }

    void expect_income(const brute::Ledger& brute, const IncomeQuestion& question) {
        SCOPED_TRACE(words_of(question));
        const auto answer = income_of(world_.ledger(), question);
        ASSERT_TRUE(answer) << answer.error().message;
        const bool in_ledger_zone = !question.zone || question.zone->name() == world_.zone();
        ASSERT_EQ(told(question, *answer, in_ledger_zone), brute.income(question));
        ASSERT_EQ(answer->sealed, brute.sealed(question.as_of));
        expect_sums(question, *answer);
    }

    /// Rows add up.
    static void expect_sums(const IncomeQuestion& question, const IncomeAnswer& answer) {
        WideMicros days = 0;
        WideMicros posted = 0;
        WideMicros groups = 0;
        for (const ShownDay& each : answer.report.days) {
            days += each.income;
        }
        for (const ShownAdjustment& each : answer.report.adjustments) {
            posted += each.what.posted ? each.difference : 0;
        }
        for (const Group& each : answer.groups) {
            groups += each.income;
        }
        const bool has_days = question.group_by != Grouping::none;
        ASSERT_TRUE(!has_days || days == answer.report.earned);
        ASSERT_TRUE(posted == answer.report.corrected);
        const bool has_groups = has_days && question.group_by != Grouping::day;
        ASSERT_TRUE(!has_groups || groups == answer.report.earned);
    }

    void expect_split() {
        const DayRange range = draw_.range(true).value_or(DayRange{});
        const auto split = split_of(world_.ledger(), "XXX", range, {});
        ASSERT_TRUE(split) << split.error().message;
        ASSERT_EQ(told(*split), world_.brute().split("XXX", range));
    }

    /// What a list says of a party is all that it has, in each currency.
    void expect_sums_of_lists() {
        const auto listed = list_sums(world_.ledger(), PartyKind::reseller, "", "", 100);
        ASSERT_TRUE(listed) << listed.error().message;
        ASSERT_FALSE(listed->more);
        for (const std::string party : {"r1", "r2"}) {
            const auto found = std::ranges::find(listed->parties, party, &PartySums::party);
            const bool is_listed = found != listed->parties.end();
            for (const std::string currency : {"EUR", "USD", "XXX"}) {
                const IncomeQuestion question{
                    .kind = PartyKind::reseller,
                    .party = party,
                    .currency = currency,
                    .range = all_days,
                    .group_by = Grouping::none
                };
                const auto all = income_of(world_.ledger(), question);
                ASSERT_TRUE(all) << all.error().message;
                const auto sum = is_listed ? found->by_currency.find(currency)
                                           : std::map<std::string, Amounts>::const_iterator{};
                const bool is_in_it = is_listed && sum != found->by_currency.end();
                ASSERT_EQ(told(is_in_it ? sum->second : Amounts{}), told(all->report.amounts))
                    << party << " " << currency;
            }
        }
    }

    /// What was answered of a sealed month is answered for ever.
    void expect_sealed_months_stand() {
        const std::optional<Month> sealed = world_.brute().sealed();
        const int first = brute::month_with(brute::Zone{world_.zone()}.day(HistoryDraw::start)) - 3;
        for (Month month = first; sealed && month <= *sealed; ++month) {
            const IncomeQuestion question{
                .kind = PartyKind::reseller,
                .party = "r1",
                .currency = "XXX",
                .range =
                    DayRange{.from = brute::begin_of(month), .to = brute::begin_of(month + 1) - 1}
            };
            const auto answer = income_of(world_.ledger(), question);
            ASSERT_TRUE(answer) << answer.error().message;
            const auto rows = told(question, *answer, true);
            ASSERT_EQ(sealed_.try_emplace(month, rows).first->second, rows) << "month " << month;
            const auto statement =
                statement_of(world_.ledger(), question.kind, question.party, "XXX", month);
            ASSERT_TRUE(statement) << statement.error().message;
            ASSERT_EQ(told(statement->amounts), told(answer->report.amounts)) << "month " << month;
            ASSERT_TRUE(statement->income == answer->report.income()) << "month " << month;
        }
        const auto seals = world_.ledger().seals();
        ASSERT_TRUE(seals) << seals.error().message;
        for (const auto kind : {PartyKind::reseller, PartyKind::publisher}) {
            for (const char* const party : {"r1", "r2", "p1"}) {
                const auto differences =
                    check_statements(world_.ledger(), *seals, kind, party, "XXX");
                ASSERT_TRUE(differences) << differences.error().message;
                ASSERT_EQ(*differences, std::vector<std::string>{});
            }
        }
    }

    /// All months together are all amounts at the latest rates, but for the rounding of each sealed
    /// month, and of the open ones.
    void expect_the_latest_rates() {
        ASSERT_NO_FATAL_FAILURE(world_.flush());
        const brute::Ledger brute = world_.brute();
        const DayRange all{.from = draw_.today() - 2000, .to = draw_.today() + 100};
        for (const auto& [kind, party] : std::initializer_list<std::pair<PartyKind, std::string>>{
                 {PartyKind::reseller, "r1"}, {PartyKind::publisher, "p1"}
             }) {
            const IncomeQuestion question{
                .kind = kind,
                .party = party,
                .currency = "XXX",
                .range = all,
                .group_by = Grouping::none
            };
            const auto answer = income_of(world_.ledger(), question);
            ASSERT_TRUE(answer) << answer.error().message;
            const brute::Whole exact = brute.at_the_latest_rates(kind, party, "XXX");
            const brute::Whole off = brute::Whole{answer->report.income()} * 1'000'000 - exact;
            const brute::Whole most = 500'000 * (brute.sealed() ? 100 : 1);
            ASSERT_LE(abs(off), most) << exact.str();
        }
    }

    Random random_;
    HistoryWorld world_;
    HistoryDraw draw_;
    std::map<Month, std::vector<std::string>> sealed_;
};

void play_histories(const std::string& zone, std::uint64_t count) {
    const std::uint64_t seed = storage::test_seed();
    for (std::uint64_t round = 0; round < rounds(count); ++round) {
        SCOPED_TRACE(fmt::format("FOOTFALL_SEED={}", seed + round));
        PlayedHistory{seed + round, zone}.play();
        if (testing::Test::HasFatalFailure()) {
            return;
        }
    }
}

TEST(Histories, equal_the_definition_in_utc) {
    play_histories("UTC", 334);
}

TEST(Histories, equal_the_definition_in_berlin) {
    play_histories("Europe/Berlin", 333);
}

TEST(Histories, equal_the_definition_in_kolkata) {
    play_histories("Asia/Kolkata", 333);
}

}  // namespace
}  // namespace footfall::ads
