#include "brokers.h"
#include "foundation/check.h"
#include "foundation_testing/repository.h"
#include "journal_kafka/kafka_log.h"
#include "journal_kafka/topic_writer.h"
#include "waiting.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
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
#include <vector>

namespace footfall::journal_kafka {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t lane_count = 6;

/// Runs tools/cluster, and waits for it.
void cluster(const std::string& words) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one test at a time
    const int status = std::system((in_repository("tools/cluster ") + words).c_str());
    ASSERT_EQ(status, 0) << "tools/cluster " << words;
}

std::unique_ptr<KafkaLog> open_log(const KafkaLogOptions& options) {
    auto opened = KafkaLog::open(options);
    CHECK(opened, "the log does not open", opened ? "" : opened.error().message);
    return *std::move(opened);
}

/// Appends to all lanes in turn, some thousand records a second, at most 1000 appends on the way,
/// and keeps what was acknowledged.
class SteadyAppender {
public:
    struct Lane {
        std::vector<std::string> appended;
        std::size_t acknowledged = 0;  ///< So many of them, from the first on.
    };

    explicit SteadyAppender(journal::Log& log) : log_{log}, thread_{[this] { append(); }} {}

    ~SteadyAppender() { stop(); }

    SteadyAppender(const SteadyAppender&) = delete;
    SteadyAppender& operator=(const SteadyAppender&) = delete;

    /// Until so many more records are acknowledged than now.
    void wait_for(std::size_t more) {
        std::unique_lock lock{mutex_};
        const std::size_t wanted = acknowledged_ + more;
        changed_.wait(lock, [&] { return acknowledged_ >= wanted || failed_ > 0; });
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

    const std::array<Lane, lane_count>& lanes() const { return lanes_; }

    std::size_t acknowledged() const { return acknowledged_; }

    std::size_t failed() const { return failed_; }

private:
    void append() {
        for (std::uint64_t step = 0;; ++step) {
            Lane& lane = lanes_[step % lane_count];
            {
                std::unique_lock lock{mutex_};
                // Not as fast as it goes: a broker that starts needs the machine, too.
                changed_.wait_for(lock, 1ms, [&] { return stopping_; });
                changed_.wait(lock, [&] { return open_ < 1000 || stopping_; });
                if (stopping_) {
                    return;
                }
                ++open_;
            }
            std::vector<std::string> records(1 + step % 5);
            for (std::string& record : records) {
                record = fmt::format("record {}", lane.appended.size());
                lane.appended.push_back(record);
            }
            const std::vector<std::string_view> views{records.begin(), records.end()};
            const auto position = log_.append(static_cast<std::uint32_t>(step % lane_count), views);
            const auto note = [this, &lane, end = lane.appended.size(), count = views.size()](
                                  const Result<void>& outcome
                              ) {
                const std::scoped_lock lock{mutex_};
                --open_;
                failed_ += outcome ? 0 : 1;
                if (outcome) {
                    lane.acknowledged = end;
                    acknowledged_ += count;
                }
                changed_.notify_all();
            };
            if (position) {
                log_.when_durable(*position, note);
            } else {
                note(std::unexpected(position.error()));
            }
        }
    }

    journal::Log& log_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::array<Lane, lane_count> lanes_;
    std::size_t acknowledged_ = 0;
    std::size_t failed_ = 0;
    std::size_t open_ = 0;
    bool stopping_ = false;
    std::thread thread_;
};

class KafkaFailures : public testing::Test {
protected:
    /// Whatever happened, the next test has all brokers.
    void TearDown() override {
        for (const std::string& words : undo_) {
            cluster(words);
        }
    }

    /// Does `verb` to a broker, to be undone by `back`.
    void harm(const std::string& verb, const std::string& broker, const std::string& back) {
        undo_.insert(back + " " + broker);
        cluster(verb + " " + broker);
    }

    void mend(const std::string& back, const std::string& broker) {
        cluster(back + " " + broker);
        undo_.erase(back + " " + broker);
    }

    std::set<std::string> undo_;  ///< Words for tools/cluster.
};

TEST_F(KafkaFailures, killing_one_broker_after_the_other_loses_nothing_and_keeps_the_order) {
    const KafkaLogOptions options{.cluster = test_cluster(), .topic = fresh_topic(lane_count)};
    const auto log = open_log(options);
    SteadyAppender appender{*log};
    for (const char* const broker : {"kafka-1", "kafka-2"}) {
        appender.wait_for(1000);
        harm("kill", broker, "start");
        appender.wait_for(1000);
        mend("start", broker);
    }
    appender.wait_for(1000);
    appender.stop();
    EXPECT_EQ(appender.failed(), 0U);
    std::cout << appender.acknowledged() << " acknowledged\n";
    const auto reader = open_log(options);
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        const auto& expected = appender.lanes()[lane];
        EXPECT_EQ(expected.acknowledged, expected.appended.size());
        const auto read = read_lane(*reader, lane);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(*read, expected.appended);
    }
}

TEST_F(KafkaFailures, without_enough_replicas_records_are_lost_and_told_and_come_back) {
    KafkaLogOptions options{.cluster = test_cluster(), .topic = fresh_topic(lane_count)};
    options.cluster.patience = 3s;
    options.writer.deadline = 2s;
    const auto log = open_log(options);
    std::promise<void> lost;
    log->on_lost_records([&] { lost.set_value(); });
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        ASSERT_TRUE(append_durably(*log, lane, "kept"));
    }
    harm("pause", "kafka-2", "resume");
    harm("pause", "kafka-3", "resume");
    std::vector<storage::CommitPosition> positions;
    positions.reserve(lane_count);
    const std::vector<std::string_view> records{"lost 1", "lost 2"};
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        positions.push_back(log->append(lane, records).value());
    }
    for (const storage::CommitPosition position : positions) {
        const Result<void> outcome = wait_durable(*log, position);
        ASSERT_FALSE(outcome);
        EXPECT_EQ(outcome.error().kind, ErrorKind::outcome_unknown);
        EXPECT_FALSE(log->durable(position));
    }
    lost.get_future().wait();
    EXPECT_EQ(log->append(0, records).error().kind, ErrorKind::unavailable);
    EXPECT_FALSE(log->recover());
    EXPECT_EQ(log->append(0, records).error().kind, ErrorKind::unavailable);
    mend("resume", "kafka-2");
    mend("resume", "kafka-3");
    log->on_lost_records({});
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        // What was lost may still come to stand in a lane, and then others are lost.
        while (!append_durably(*log, lane, "again")) {
            while (!log->recover()) {
            }
        }
    }
    for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
        const auto read = read_lane(*log, lane);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->size(), log->end(lane));
        EXPECT_EQ(read->front(), "kept");
        EXPECT_EQ(read->back(), "again");
        if (read->size() > 2 && (*read)[1] != "again") {
            EXPECT_EQ((*read)[1], "lost 1") << "what stands there of it is a beginning";
        }
    }
    for (const storage::CommitPosition position : positions) {
        EXPECT_FALSE(log->durable(position)) << "lost for good";
    }
}

TEST_F(KafkaFailures, while_a_record_waits_long_newcomers_are_refused_at_once) {
    ClusterOptions cluster = test_cluster();
    cluster.patience = 3s;
    const WriterOptions options{.deadline = 60s, .newcomers_until = 1s};
    const auto writer = TopicWriter::open(cluster, fresh_topic(lane_count), options).value();
    harm("pause", "kafka-2", "resume");
    harm("pause", "kafka-3", "resume");
    const Message message{.value = "any"};
    std::promise<Result<void>> told;
    writer->when_durable(writer->write(0, message).value(), [&](Result<void> outcome) {
        told.set_value(std::move(outcome));
    });
    auto outcome = told.get_future();
    ASSERT_EQ(outcome.wait_for(2s), std::future_status::timeout);
    const auto refused = writer->write(1, message);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::unavailable);
    EXPECT_TRUE(writer->health()) << "two seconds are no reason to send users elsewhere";
    ASSERT_EQ(outcome.wait_for(4s), std::future_status::timeout);
    EXPECT_FALSE(writer->health());
    mend("resume", "kafka-2");
    mend("resume", "kafka-3");
    EXPECT_TRUE(outcome.get()) << "who came before has waited, and is served";
    EXPECT_TRUE(writer->health());
    EXPECT_TRUE(writer->write(1, message));
}

}  // namespace
}  // namespace footfall::journal_kafka
