// A job that is added to a deployment with events counts these, too: a second projection beside the
// views is told each lane from the beginning of the log, the views are told nothing twice, and
// whatever kills the program in between, both have counted every event of the log once.

#include "deployment/event_parts.h"
#include "deployment/verify.h"
#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "metrics/metrics.h"
#include "projecting/checkpoints.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage_rocksdb/rocks_store.h"
#include "tally/tally_job.h"
#include "test_support/must.h"
#include "test_support/random_seed.h"
#include "views_of.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using test_support::must;

constexpr SipKey secret{0x0123456789abcdef, 0xfedcba9876543210};
constexpr Instant beginning{1'790'000'000s};

class SecondProjection : public testing::Test {
protected:
    SecondProjection() { open_store(); }

    void TearDown() override { kill(); }

    void open(bool with_tally) {
        deployment::EventOptions options{.secret = secret, .rates_bytes = 256 << 10};
        options.jobs = jobs::List{jobs_}.first(with_tally ? 2 : 1);
        parts_ = must(deployment::EventParts::open(*store_, clock_, std::move(options)));
        tally_ = with_tally ? &tally::tally_of(parts_->job("tally")) : nullptr;
    }

    /// Takes some events, and writes some of what was counted.
    void run(int batches) {
        for (int batch = 0; batch < batches; ++batch) {
            std::vector<events::Event> events(1 + random_.below(300));
            for (events::Event& event : events) {
                event = {
                    .time = clock_.now(),
                    .action = random_.below(4) == 0 ? "click" : "view",
                    .object = fmt::format("/articles/{}", random_.below(200)),
                    .actor = fmt::format("u{}", random_.below(1000))
                };
                ++sent_[event.action];
            }
            const auto taken =
                must(parts_->intake().collect({.events = events, .arrival = clock_.now()}));
            must(storage::wait_durable(*store_, taken.position));
            clock_.advance(1s);
            if (tally_ && random_.below(3) == 0) {
                must(tally_->flush(true));
            }
            if (random_.below(3) == 0) {
                must(views_of(*parts_).flush_all());
            }
        }
    }

    /// Ends without writing what memory has, and is there again.
    void kill() {
        store_->close();
        tally_ = nullptr;
        parts_.reset();
        store_.reset();
    }

    void end(bool killed) {
        if (!killed) {
            parts_->close();
        }
        kill();
        open_store();
    }

    std::map<std::string, std::uint64_t> counted() {
        std::map<std::string, std::uint64_t> events;
        for (const auto& [key, count] : must(tally_->totals(0)).events) {
            events[key.first] += count;
        }
        return events;
    }

    /// In how many lanes this projection has stored something, or had nothing to store of it.
    std::size_t lanes_stored(std::string_view projection) {
        std::size_t lanes = 0;
        const auto& log = *parts_->intake().context().log;
        for (const auto& mark : must(projecting::read_checkpoints(*store_, log, projection))) {
            lanes += mark && mark->offset > 0 ? 1 : 0;
        }
        return lanes;
    }

    void expect_all_as_in_the_log() {
        for (const jobs::Registered* const job : jobs_) {
            expect_as_in_the_log(*job);
        }
    }

    void expect_as_in_the_log(const jobs::Registered& job) {
        const auto verified = must(deployment::verify(
            *parts_,
            job,
            {.difference = [](const std::string& difference) { ADD_FAILURE() << difference; },
             .progress = [](std::uint64_t) {}}
        ));
        EXPECT_EQ(verified.differences, 0U);
        EXPECT_EQ(verified.events, sent_["view"] + sent_["click"]);
    }

    Random random_{test_support::random_seed()};
    ManualClock clock_{beginning};
    std::map<std::string, std::uint64_t> sent_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    std::array<const jobs::Registered*, 2> jobs_{&views::routes::job, &tally::job};
    std::unique_ptr<deployment::EventParts> parts_;
    tally::Tally* tally_ = nullptr;  ///< Null: it is left out.

private:
    void open_store() {
        auto tables = deployment::EventParts::tables(jobs_);
        tables.push_back(&storage::deployment_table);
        store_ = must(storage_rocksdb::RocksStore::open(
            {.directory = directory_ / "data", .tables = std::move(tables)}, clock_, metrics_
        ));
    }

    const TemporaryDirectory directory_;
    metrics::Metrics metrics_;
};

TEST_F(SecondProjection, counts_what_was_there_before_it) {
    open(false);
    run(10);
    end(false);
    open(false);
    EXPECT_EQ(parts_->intake().figures().read_again, 0U) << "all is stored";
    run(5);
    end(true);

    open(true);
    EXPECT_EQ(tally_->waiting().waiting(), sent_["view"] + sent_["click"])
        << "from the beginning, each once";
    EXPECT_EQ(counted(), sent_);
    run(5);
    EXPECT_EQ(counted(), sent_);
    expect_all_as_in_the_log();
    end(false);

    open(true);
    EXPECT_EQ(tally_->waiting().waiting(), 0U) << "it has its own checkpoint by now";
    EXPECT_EQ(lanes_stored("tally"), lanes_stored("views"));
    EXPECT_EQ(lanes_stored("tally"), 64U) << "each lane was told at least of the rules in force";
    EXPECT_EQ(parts_->intake().figures().read_again, 0U);
    EXPECT_EQ(counted(), sent_);
}

TEST_F(SecondProjection, counts_each_event_once_whatever_kills_the_program) {
    open(false);
    run(10);
    for (int round = 0; round < 12; ++round) {
        end(random_.below(4) != 0);
        open(round == 0 || random_.below(3) != 0);  // sometimes it is left out for a while
        run(static_cast<int>(random_.below(6)));
        if (tally_) {
            EXPECT_EQ(counted(), sent_) << "round " << round;
        }
    }
    end(true);
    open(true);
    EXPECT_EQ(counted(), sent_);
    expect_all_as_in_the_log();
}

}  // namespace
}  // namespace footfall
