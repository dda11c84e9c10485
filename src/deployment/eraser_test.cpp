#include "deployment/eraser.h"

#include "audit/log.h"
#include "audit/schema.h"
#include "erasure/schema.h"
#include "events/erased.h"
#include "foundation/clock.h"
#include "journal_rocksdb/schema.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace footfall::deployment {
namespace {

using erasure::Part;
using events::Identifier;

/// Knows ids by small letters, and notes what it is asked.
class NotingJob final : public jobs::Job {
public:
    void add_routes(api::FrontDoor& /*door*/, const jobs::Answering& /*answering*/) override {}

    Identifier known_as(Identifier id) const override {
        for (char& each : id.id_value) {
            each = each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
        }
        return id;
    }

    Result<std::vector<std::string>> persons_of(std::span<const Identifier> /*ids*/) override {
        return erased.empty() ? std::vector{audit::person_of_fact("fact-1")}
                              : std::vector<std::string>{};
    }

    Result<void> erase(std::span<const Identifier> ids) override {
        erased.insert(ids.begin(), ids.end());
        return fails ? fail(ErrorKind::unavailable, "away") : Result<void>{};
    }

    Result<erasure::Swept> sweep_erased(const std::stop_token& /*stop*/) override {
        ++sweeps;
        return swept;
    }

    std::set<Identifier> erased;
    int sweeps = 0;
    bool fails = false;
    erasure::Swept swept = erasure::Swept::done;
};

class EraserTest : public testing::Test {
protected:
    static std::vector<const storage::Table*> tables() {
        std::vector<const storage::Table*> all{
            &journal_rocksdb::log_block_table, &journal_rocksdb::log_begin_table
        };
        all.insert(all.end(), erasure::all_tables.begin(), erasure::all_tables.end());
        all.insert(all.end(), audit::all_tables.begin(), audit::all_tables.end());
        all.push_back(&storage::deployment_table);
        return all;
    }

    std::unique_ptr<audit::Log> open_acts() {
        return audit::Log::open(disk_, clock_, {.secret = {1, 2}, .origin = "test"}).value();
    }

    std::unique_ptr<Eraser> make(Eraser::Options options = {}) {
        ledger_ = erasure::Ledger::open(store_, {}).value();
        return std::make_unique<Eraser>(
            Eraser::Parts{.store = &store_, .ledger = ledger_.get(), .jobs = {&job_}},
            clock_,
            options
        );
    }

    static erasure::Wish wish() {
        return {.ids = {{"www", "id", "Ann"}}, .kind = "profile", .author = "shop"};
    }

    std::vector<Part> open(Eraser& eraser, const erasure::Receipt& receipt) {
        return eraser.find(receipt.id).value().value_or(erasure::Receipt{}).open();
    }

    const Identifier ann_{"www", "id", "ann"};
    ManualClock clock_{Instant{std::chrono::seconds{1'790'000'000}}};
    storage::MemoryStore store_{tables(), clock_};
    storage::FaultyStore disk_{store_, 1};  ///< Of the acts.
    std::unique_ptr<erasure::Ledger> ledger_;
    NotingJob job_;
};

TEST_F(EraserTest, an_act_that_cannot_be_recorded_does_not_happen) {
    const auto acts = open_acts();
    disk_.set_options({.refuse_submit = 1, .refuse_as = ErrorKind::unavailable});
    const auto eraser = make({.acts = acts.get()});
    const auto erased = eraser->erase(wish());
    ASSERT_FALSE(erased);
    EXPECT_EQ(erased.error().kind, ErrorKind::unavailable);
    EXPECT_TRUE(ledger_->empty());
    EXPECT_TRUE(job_.erased.empty());
}

TEST_F(EraserTest, an_erasure_is_recorded_and_what_acts_said_of_whom_it_erases_is_forgotten) {
    const auto acts = open_acts();
    const auto say = [&](const std::string& person, const std::string& payload) {
        ASSERT_TRUE(acts->record(
            {.kind = "detached",
             .author = "ops",
             .people = {{.persons = {person}, .payload = payload}}}
        ));
    };
    say(audit::person_of_id("www", "id", "ann"), "her id");
    say(audit::person_of_sid("sid-1"), "her name");
    say(audit::person_of_fact("fact-1"), "what a link of hers said");
    say(audit::person_of_id("www", "id", "bob"), "his id");
    const auto eraser = make({.acts = acts.get()});
    erasure::Wish wish = this->wish();
    wish.persons = {audit::person_of_sid("sid-1")};
    ASSERT_TRUE(eraser->erase(std::move(wish)));

    const auto entries = acts->entries(0, 10).value();
    ASSERT_EQ(entries.size(), 5);
    EXPECT_EQ(entries.back().kind, "erased");
    EXPECT_EQ(entries.back().author, "shop");
    EXPECT_EQ(entries.back().detail, R"({"of":"profile","ids":2})");
    std::vector<audit::Hash> commitments;
    for (const audit::Entry& each : entries) {
        commitments.insert(commitments.end(), each.people.begin(), each.people.end());
    }
    const auto opened = acts->opened(commitments).value();
    ASSERT_EQ(opened.size(), 4);
    EXPECT_FALSE(opened[0]);
    EXPECT_FALSE(opened[1]);
    EXPECT_FALSE(opened[2]) << "asked before jobs erase";
    EXPECT_TRUE(opened[3]);
}

TEST_F(EraserTest, of_an_older_state_that_is_put_back_nothing_is_left_that_acts_said_of_persons) {
    const auto acts = open_acts();
    const auto say = [&] {
        const auto said = acts->record(
            {.kind = "detached",
             .author = "ops",
             .people = {{.persons = {audit::person_of_sid("sid-1")}, .payload = "her name"}}}
        );
        ASSERT_TRUE(said);
    };
    say();
    const auto before = acts->entries(0, 10).value();
    EXPECT_EQ(acts->forget_until(clock_.now() - std::chrono::seconds{1}).value(), 0);
    EXPECT_EQ(acts->forget_until(clock_.now()).value(), 1);
    EXPECT_FALSE(acts->opened(before.front().people).value().front());
    EXPECT_EQ(acts->entries(0, 10).value(), before) << "entries stay";
    clock_.advance(std::chrono::seconds{1});
    say();
    EXPECT_EQ(acts->forget_until(clock_.now() - std::chrono::seconds{1}).value(), 0);
}

TEST_F(EraserTest, ids_are_erased_as_they_were_sent_and_as_they_are_known) {
    const auto eraser = make();
    const auto receipt = eraser->erase(wish());
    ASSERT_TRUE(receipt);
    EXPECT_EQ(job_.erased, (std::set<Identifier>{{"www", "id", "Ann"}, ann_}));
    EXPECT_TRUE(ledger_->drops(ann_, clock_.now()));
    EXPECT_EQ(
        open(*eraser, *receipt), (std::vector<Part>{Part::tables, Part::log, Part::compaction})
    );
}

TEST_F(EraserTest, a_part_is_done_when_it_is_due_and_everybody_says_so) {
    const auto eraser = make();
    job_.fails = true;
    const auto receipt = eraser->erase(wish());
    ASSERT_TRUE(receipt) << "it stands, and its rows go later";
    ASSERT_TRUE(eraser->turn({}));
    EXPECT_EQ(job_.sweeps, 0) << "a write may be under way";
    clock_.advance(std::chrono::seconds{3});
    job_.swept = erasure::Swept::open;
    ASSERT_TRUE(eraser->turn({}));
    EXPECT_EQ(open(*eraser, *receipt), (std::vector<Part>{Part::tables, Part::compaction}));
    job_.swept = erasure::Swept::done;
    const int sweeps_before = job_.sweeps;
    ASSERT_TRUE(eraser->turn({}));
    EXPECT_EQ(job_.sweeps, sweeps_before) << "who has to wait looks again later";
    clock_.advance(std::chrono::seconds{1});
    ASSERT_TRUE(eraser->turn({}));
    EXPECT_EQ(open(*eraser, *receipt), std::vector<Part>{Part::compaction})
        << "this store's files are for others to write";
    clock_.advance(std::chrono::days{13});
    ASSERT_TRUE(eraser->turn({}));
    EXPECT_TRUE(open(*eraser, *receipt).empty());
    const int sweeps = job_.sweeps;
    ASSERT_TRUE(eraser->turn({}));
    EXPECT_EQ(job_.sweeps, sweeps) << "nothing is open";
}

TEST_F(EraserTest, on_a_cluster_it_is_open_until_kafka_has_let_go) {
    const auto eraser = make({.shared = true, .keep_events = std::chrono::hours{1}});
    const auto receipt = eraser->erase(wish());
    ASSERT_TRUE(receipt);
    clock_.advance(std::chrono::days{20});
    ASSERT_TRUE(eraser->turn({}));
    EXPECT_EQ(open(*eraser, *receipt), std::vector<Part>{Part::kafka})
        << "this process has no log to look at";
    EXPECT_TRUE(eraser->waits_for(*receipt, Part::kafka).contains("from 2026-09-21T15:13:20"))
        << eraser->waits_for(*receipt, Part::kafka);
}

TEST_F(EraserTest, what_another_process_erased_is_looked_for_here) {
    const auto eraser = make({.shared = true});
    const auto other = erasure::Ledger::open(store_, {}).value();
    const auto receipt = other->record({&ann_, 1}, "profile", {}, clock_.now());
    ASSERT_TRUE(receipt);
    ASSERT_TRUE(eraser->turn({}));
    EXPECT_TRUE(ledger_->drops(ann_, clock_.now()));
    EXPECT_EQ(job_.sweeps, 0);
    job_.swept = erasure::Swept::open;
    clock_.advance(std::chrono::seconds{20});
    ASSERT_TRUE(eraser->turn({}));
    EXPECT_EQ(
        job_.sweeps, 1
    ) << "also where the receipt is closed already: that was another region";
    for (const erasure::Swept swept : {erasure::Swept::done, erasure::Swept::open}) {
        job_.swept = swept;
        clock_.advance(std::chrono::seconds{2});
        ASSERT_TRUE(eraser->turn({}));
        EXPECT_EQ(job_.sweeps, 2) << "again while it is open, and then no more";
    }
}

TEST_F(EraserTest, a_ledger_that_was_taken_over_is_gone_by_before_anybody_is_answered) {
    make();
    const auto elsewhere = [&] {
        storage::MemoryStore store{tables(), clock_};
        const auto ledger = erasure::Ledger::open(store, {}).value();
        EXPECT_TRUE(ledger->record({&ann_, 1}, "profile", {}, clock_.now()));
        std::vector<erasure::LedgerRow> rows;
        const auto page = storage::scan_page(store, {.table = &erasure::erasure_table});
        rows.reserve(page->rows.size());
        for (std::size_t row = 0; row < page->rows.size(); ++row) {
            rows.push_back(
                {.hash = std::string{page->rows.at(row, 1).text()},
                 .erased = {.at = clock_.now(), .count = 3}}
            );
        }
        return rows;
    }();
    const auto receipt = ledger_->take_over(elsewhere, clock_.now());
    ASSERT_TRUE(receipt);
    const auto eraser = make();
    EXPECT_EQ(ledger_->count(ann_), 3);
    ASSERT_TRUE(eraser->finish_restores());
    EXPECT_EQ(job_.sweeps, 1);
    EXPECT_EQ(open(*eraser, *receipt), (std::vector<Part>{Part::log, Part::compaction}));
    EXPECT_FALSE(ledger_->take_over(
        std::vector<erasure::LedgerRow>{{.hash = "short", .erased = {}}}, clock_.now()
    ));
}

}  // namespace
}  // namespace footfall::deployment
