// The same people on the real store, written by 64 at once who end at any moment between facts and
// profiles, and whose work others take on: the rows are those that follow from all that was said.
#include "chadwick.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "foundation_testing/temporary_directory.h"
#include "identities/fact_rows.h"
#include "identities/settling.h"
#include "identities/test_rows.h"
#include "metrics/metrics.h"
#include "storage_rocksdb/rocks_store.h"
#include "test_support/must.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::identities {
namespace {

using test_support::must;

constexpr std::size_t writers_count = 64;
constexpr std::size_t facts_at_once = 32;
constexpr std::uint64_t kills_one_in = 4;  ///< Of the times that facts are written.

/// What one writer is told, and how far profiles follow from it.
struct ToldLog {
    std::string writer;
    std::vector<Fact> facts;
    std::size_t checkpoint = 0;
};

/// Logs that nobody works off now.
class LogsLeft {
public:
    explicit LogsLeft(std::deque<ToldLog> logs) : logs_{std::move(logs)} {}

    std::optional<ToldLog> take() {
        const std::scoped_lock lock{mutex_};
        if (logs_.empty()) {
            return std::nullopt;
        }
        ToldLog log = std::move(logs_.front());
        logs_.pop_front();
        return log;
    }

    void put_back(ToldLog log) {
        const std::scoped_lock lock{mutex_};
        logs_.push_back(std::move(log));
    }

private:
    std::mutex mutex_;
    std::deque<ToldLog> logs_;
};

std::deque<ToldLog> share_out(std::vector<Fact> facts, Random& random) {
    std::ranges::shuffle(facts, random);
    std::deque<ToldLog> logs(writers_count);
    for (std::size_t number = 0; number < logs.size(); ++number) {
        logs[number].writer = fmt::format("log-{}", number);
    }
    for (const Fact& fact : facts) {
        logs[random.below(logs.size())].facts.push_back(fact);
        // Said to another as well, now and then.
        if (random.below(20) == 0) {
            logs[random.below(logs.size())].facts.push_back(fact);
        }
    }
    return logs;
}

class Writers {
public:
    explicit Writers(const Guards& guards)
        : store_{must(storage_rocksdb::RocksStore::open(
              {.directory = directory_.path(),
               .tables = {all_tables.begin(), all_tables.end()},
               .sync_interval = {}},
              clock_,
              metrics_
          ))},
          settling_{*store_, {.secret = rows_secret, .guards = guards}} {}

    ~Writers() { store_->close(); }

    Writers(const Writers&) = delete;
    Writers& operator=(const Writers&) = delete;

    void write(const std::vector<Fact>& facts, Random& random) {
        LogsLeft logs{share_out(facts, random)};
        std::vector<std::jthread> threads;
        threads.reserve(writers_count);
        for (std::size_t number = 0; number < writers_count; ++number) {
            threads.emplace_back([this, &logs, seed = random()] {
                Random own{seed};
                while (auto log = logs.take()) {
                    if (!work_off(*log, own)) {
                        logs.put_back(*std::move(log));
                    }
                }
            });
        }
    }

    storage::Store& store() { return *store_; }

    std::uint64_t kills() const { return kills_; }

private:
    /// False: the writer ends with facts written from which no profiles follow yet; who has the log
    /// after it is told them again.
    bool work_off(ToldLog& log, Random& random) {
        must(settling_.finish(log.writer));
        while (log.checkpoint < log.facts.size()) {
            const std::size_t left = log.facts.size() - log.checkpoint;
            const std::size_t count = std::min<std::size_t>(left, 1 + random.below(facts_at_once));
            std::vector<Id> touched;
            write_facts(log, count, touched);
            if (random.below(kills_one_in) == 0) {
                ++kills_;
                return false;
            }
            EXPECT_EQ(must(settling_.settle_each(touched, log.writer)), 0)
                << "too much hangs together";
            log.checkpoint += count;
        }
        return true;
    }

    void write_facts(const ToldLog& log, std::size_t count, std::vector<Id>& touched) {
        std::vector<ToldFact> told;
        for (const Fact& fact : std::span{log.facts}.subspan(log.checkpoint, count)) {
            told.push_back({.writer = log.writer, .fact = fact});
            touched.insert(touched.end(), fact.ids.begin(), fact.ids.end());
        }
        arrange(touched);
        must(merge_with_rows(*store_, told));
        storage::Batch batch;
        for (const ToldFact& each : told) {
            add_rows(each, batch);
        }
        must(storage::write_durably(*store_, batch));
    }

    const SystemClock clock_;
    const TemporaryDirectory directory_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    const Settling settling_;
    std::atomic<std::uint64_t> kills_ = 0;
};

void write_in_some_order(const std::vector<Fact>& links, const Guards& guards, Random& random) {
    Writers writers{guards};
    writers.write(links, random);
    EXPECT_GT(writers.kills(), writers_count);
    ASSERT_NO_FATAL_FAILURE(expect_rows_follow(writers.store(), links, guards));
}

TEST(ChadwickWriters, leave_the_rows_that_follow_whoever_of_them_ends_when) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t orders = chadwick_is_whole() ? rounds(20) : 1;
    std::vector<Person> people = read_chadwick(chadwick_is_whole() ? chadwick_files : 1);
    if (!chadwick_is_whole()) {
        people.resize(people.size() / 8);
    }
    const std::vector<Fact> links = true_links(people);
    std::vector<Fact> with_untrue = links;
    const std::vector<Fact> untrue = false_links(people, links, 0.05, 2);
    with_untrue.insert(with_untrue.end(), untrue.begin(), untrue.end());
    for (std::uint64_t order = 0; order < orders; ++order) {
        SCOPED_TRACE(fmt::format("order {}; to play it again: FOOTFALL_SEED={}", order, seed));
        Random random{seed + order};
        ASSERT_NO_FATAL_FAILURE(write_in_some_order(links, {}, random));
        ASSERT_NO_FATAL_FAILURE(write_in_some_order(with_untrue, one_of_each_system(), random));
        fmt::print("order {}: rows are those that follow\n", order);
    }
}

}  // namespace
}  // namespace footfall::identities
