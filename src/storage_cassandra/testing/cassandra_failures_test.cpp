#include "cluster.h"
#include "foundation/check.h"
#include "foundation_testing/repository.h"
#include "storage_cassandra/cassandra_store.h"
#include "storage_testing/store_contract.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace footfall::storage_cassandra {
namespace {

using namespace std::chrono_literals;
using storage::Batch;
using storage::settings;

/// Runs tools/cluster, and waits for it.
void cluster(const std::string& words) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one test at a time
    const int status = std::system((in_repository("tools/cluster ") + words).c_str());
    ASSERT_EQ(status, 0) << "tools/cluster " << words;
}

std::unique_ptr<CassandraStore> open(
    const CassandraStoreOptions& options, const Clock& clock, metrics::Metrics& metrics
) {
    auto opened = CassandraStore::open(options, clock, metrics);
    CHECK(opened, "the store does not open", opened ? "" : opened.error().message);
    return *std::move(opened);
}

/// Writes rows with growing numbers, some hundred a second, at most 100 on the way, and keeps those
/// that were acknowledged.
class SteadyWriter {
public:
    explicit SteadyWriter(storage::Store& store) : store_{store}, thread_{[this] { write(); }} {}

    ~SteadyWriter() { stop(); }

    SteadyWriter(const SteadyWriter&) = delete;
    SteadyWriter& operator=(const SteadyWriter&) = delete;

    /// Until so many more are acknowledged than now.
    void wait_for(std::size_t more) {
        std::unique_lock lock{mutex_};
        const std::size_t wanted = acknowledged_.size() + more;
        changed_.wait(lock, [&] { return acknowledged_.size() >= wanted; });
    }

    void stop() {
        {
            std::unique_lock lock{mutex_};
            stopping_ = true;
            changed_.notify_all();
            changed_.wait(lock, [&] { return open_ == 0; });
        }
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    const std::set<std::int64_t>& acknowledged() const { return acknowledged_; }

    std::size_t failed() const { return failed_; }

private:
    void write() {
        for (std::int64_t number = 0;; ++number) {
            {
                std::unique_lock lock{mutex_};
                // Not as fast as it goes: the nodes that start meanwhile need the machine, too.
                changed_.wait_for(lock, 3ms, [&] { return stopping_; });
                changed_.wait(lock, [&] { return open_ < 100 || stopping_; });
                if (stopping_) {
                    return;
                }
                ++open_;
            }
            Batch batch;
            batch.upsert(settings, {number, std::to_string(number)});
            const auto position = store_.submit(batch);
            if (!position) {
                note(number, false);
                continue;
            }
            store_.when_durable(*position, [this, number](const Result<void>& outcome) {
                note(number, outcome.has_value());
            });
        }
    }

    void note(std::int64_t number, bool acknowledged) {
        const std::scoped_lock lock{mutex_};
        --open_;
        failed_ += acknowledged ? 0 : 1;
        if (acknowledged) {
            acknowledged_.insert(number);
        }
        changed_.notify_all();
    }

    storage::Store& store_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::set<std::int64_t> acknowledged_;
    std::size_t failed_ = 0;
    std::size_t open_ = 0;
    bool stopping_ = false;
    std::thread thread_;
};

class CassandraFailures : public testing::Test {
protected:
    CassandraFailures() { empty_tables({&settings}); }

    /// Whatever happened, the next test has all nodes.
    void TearDown() override {
        for (const std::string& words : undo_) {
            cluster(words);
        }
    }

    /// Does `verb` to a node, to be undone by `back`.
    void harm(const std::string& verb, const std::string& node, const std::string& back) {
        undo_.insert(back + " " + node);
        cluster(verb + " " + node);
    }

    void mend(const std::string& back, const std::string& node) {
        cluster(back + " " + node);
        undo_.erase(back + " " + node);
    }

    SystemClock clock_;
    metrics::Metrics metrics_;
    std::set<std::string> undo_;  ///< Words for tools/cluster.
};

TEST_F(CassandraFailures, killing_one_node_after_the_other_loses_nothing_acknowledged) {
    CassandraStoreOptions options = cluster_options({&settings});
    options.attempt = 2s;
    const auto store = open(options, clock_, metrics_);
    SteadyWriter writer{*store};
    for (const char* node : {"cassandra-2", "cassandra-3"}) {
        writer.wait_for(300);
        harm("kill", node, "start");
        writer.wait_for(300);
        mend("start", node);
    }
    writer.wait_for(300);
    writer.stop();
    EXPECT_EQ(writer.failed(), 0U);
    std::cout << writer.acknowledged().size() << " acknowledged\n";
    std::vector<std::vector<storage::Value>> keys;
    for (const std::int64_t number : writer.acknowledged()) {
        keys.push_back({number});
    }
    const auto found = read_many(*store, settings, keys);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->rows.size(), keys.size());
}

TEST_F(CassandraFailures, without_a_quorum_writes_are_lost_and_told_and_come_back) {
    CassandraStoreOptions options = cluster_options({&settings});
    options.write_deadline = 3s;
    options.read_deadline = 3s;
    options.attempt = 1s;
    const auto store = open(options, clock_, metrics_);
    std::promise<void> lost;
    store->on_lost_writes([] { ADD_FAILURE() << "nobody holds this subscription"; }).end();
    const storage::Subscription losses = store->on_lost_writes([&] {
        EXPECT_FALSE(store->health());
        lost.set_value();
    });
    Batch batch;
    batch.upsert(settings, {std::int64_t{1}, "kept"});
    ASSERT_TRUE(write_durably(*store, batch));
    harm("pause", "cassandra-2", "resume");
    harm("pause", "cassandra-3", "resume");
    batch.clear();
    batch.upsert(settings, {std::int64_t{2}, "lost"});
    const auto position = store->submit(batch);
    ASSERT_TRUE(position);
    const auto outcome = wait_durable(*store, *position);
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().kind, ErrorKind::outcome_unknown);
    EXPECT_FALSE(store->durable(*position));
    EXPECT_EQ(store->health().error().kind, ErrorKind::unavailable);
    EXPECT_EQ(store->submit(batch).error().kind, ErrorKind::unavailable);
    const auto read = read_one(*store, settings, {std::int64_t{1}});
    ASSERT_FALSE(read);
    EXPECT_TRUE(
        read.error().kind == ErrorKind::unavailable || read.error().kind == ErrorKind::timed_out
    );
    mend("resume", "cassandra-2");
    mend("resume", "cassandra-3");
    ASSERT_EQ(lost.get_future().wait_for(60s), std::future_status::ready);
    // The handler has run; a moment later writes are taken.
    Result<storage::CommitPosition> again = store->submit(batch);
    while (!again) {
        ASSERT_EQ(again.error().kind, ErrorKind::unavailable);
        again = store->submit(batch);
    }
    EXPECT_GT(*again, *position);
    ASSERT_TRUE(wait_durable(*store, *again));
    EXPECT_FALSE(store->durable(*position));
    EXPECT_EQ(wait_durable(*store, *position).error().kind, ErrorKind::outcome_unknown);
    EXPECT_TRUE(read_one(*store, settings, {std::int64_t{1}}).value());
    EXPECT_THAT(metrics_.text(), testing::HasSubstr("footfall_cassandra_failed_writes_total 1\n"));
    EXPECT_THAT(metrics_.text(), testing::HasSubstr("footfall_cassandra_failed_reads_total 1\n"));
}

TEST_F(CassandraFailures, a_node_that_hangs_is_not_waited_for_by_reads) {
    CassandraStoreOptions options = cluster_options({&settings});
    const auto store = open(options, clock_, metrics_);
    Batch batch;
    for (std::int64_t number = 0; number < 100; ++number) {
        batch.clear();
        batch.upsert(settings, {number, "there"});
        ASSERT_TRUE(write_durably(*store, batch));
    }
    harm("pause", "cassandra-2", "resume");
    std::size_t slow = 0;
    for (std::int64_t number = 0; number < 100; ++number) {
        const auto began = std::chrono::steady_clock::now();
        const auto row = read_one(*store, settings, {number});
        ASSERT_TRUE(row) << row.error().message;
        EXPECT_TRUE(*row);
        slow += std::chrono::steady_clock::now() - began >= options.attempt ? 1 : 0;
    }
    EXPECT_EQ(slow, 0U) << "of a third of them it would be the first to be asked";
}

TEST_F(CassandraFailures, a_node_that_hangs_is_not_waited_for_by_writes) {
    const CassandraStoreOptions options = cluster_options({&settings});
    const auto store = open(options, clock_, metrics_);
    harm("pause", "cassandra-2", "resume");
    std::size_t slow = 0;
    for (std::int64_t number = 0; number < 50; ++number) {
        Batch batch;
        batch.upsert(settings, {number, "there"});
        const auto began = std::chrono::steady_clock::now();
        ASSERT_TRUE(write_durably(*store, batch));
        slow += std::chrono::steady_clock::now() - began >= options.attempt ? 1 : 0;
    }
    EXPECT_EQ(slow, 0U) << "of a third of them it would be the first to be asked";
}

TEST_F(CassandraFailures, a_datacenter_that_is_not_there_is_named_at_once) {
    CassandraStoreOptions options = cluster_options({&settings});
    options.datacenter = "dc9";
    const auto opened = CassandraStore::open(options, clock_, metrics_);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, ErrorKind::invalid_input);
    EXPECT_NE(opened.error().message.find("there are: dc1, dc2"), std::string::npos)
        << opened.error().message;
}

/// What a page of `settings` and its row come to.
std::string read_both(storage::Store& store) {
    const auto page = read_page(store, {.table = &settings, .partition = {std::int64_t{1}}});
    const auto row = read_one(store, settings, {std::int64_t{1}});
    return fmt::format("{} {}", page.has_value(), row.has_value());
}

TEST_F(
    CassandraFailures, one_replica_answers_for_pages_and_another_datacenter_for_all_if_so_configured
) {
    CassandraStoreOptions options = cluster_options({&settings});
    options.read_deadline = 5s;
    options.attempt = 1s;
    const auto careful = open(options, clock_, metrics_);
    options.local_one = {&settings};
    const auto quick = open(options, clock_, metrics_);
    options.anywhere = {&settings};
    const auto anywhere = open(options, clock_, metrics_);
    Batch batch;
    batch.upsert(settings, {std::int64_t{1}, "there"});
    ASSERT_TRUE(write_durably(*careful, batch));
    EXPECT_EQ(read_both(*careful), "true true");
    EXPECT_EQ(read_both(*quick), "true true");
    harm("kill", "cassandra-2", "start");
    harm("kill", "cassandra-3", "start");
    EXPECT_EQ(read_both(*careful), "false false") << "one of three is no quorum";
    EXPECT_EQ(read_both(*quick), "true false") << "rows are asked of a quorum all the same";
    harm("kill", "cassandra-1", "start");
    EXPECT_EQ(read_both(*quick), "false false");
    EXPECT_EQ(read_both(*anywhere), "true false") << "a page, of the one node of dc2";
}

}  // namespace
}  // namespace footfall::storage_cassandra
