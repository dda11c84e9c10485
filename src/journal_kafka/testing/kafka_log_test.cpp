#include "journal_kafka/kafka_log.h"

#include "brokers.h"
#include "foundation/check.h"
#include "waiting.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace footfall::journal_kafka {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string_view> one_record{"x"};

std::unique_ptr<KafkaLog> open(const KafkaLogOptions& options) {
    auto opened = KafkaLog::open(options);
    CHECK(opened, "the log does not open", opened ? "" : opened.error().message);
    return *std::move(opened);
}

TEST(KafkaLog, notices_a_second_writer_and_keeps_what_was_acknowledged) {
    const KafkaLogOptions options{.cluster = test_cluster(), .topic = fresh_topic(2)};
    const auto zombie = open(options);
    std::promise<void> lost;
    zombie->on_lost_records([&] { lost.set_value(); });
    ASSERT_TRUE(append_durably(*zombie, 1, "a"));
    const auto successor = open(options);
    EXPECT_EQ(successor->end(1), 1U);
    ASSERT_TRUE(append_durably(*successor, 1, "b"));

    const Result<void> outcome = append_durably(*zombie, 1, "z");
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().kind, ErrorKind::outcome_unknown);
    lost.get_future().wait();
    EXPECT_EQ(zombie->append(0, one_record).error().kind, ErrorKind::unavailable);
    ASSERT_TRUE(zombie->recover());
    EXPECT_EQ(zombie->end(1), 3U) << "it was written, elsewhere than promised";
    EXPECT_THAT(read_lane(*zombie, 1).value(), ElementsAre("a", "b", "z"));
    ASSERT_TRUE(append_durably(*zombie, 0, "other lanes go on"));

    EXPECT_EQ(append_durably(*successor, 1, "c").error().kind, ErrorKind::outcome_unknown)
        << "it promised an offset that is taken";
    ASSERT_TRUE(successor->recover());
    ASSERT_TRUE(append_durably(*successor, 1, "d"));
    EXPECT_THAT(read_lane(*successor, 1).value(), ElementsAre("a", "b", "z", "c", "d"));
}

TEST(KafkaLog, is_read_by_others_as_soon_as_it_is_durable) {
    const KafkaLogOptions options{.cluster = test_cluster(), .topic = fresh_topic(2)};
    const auto log = open(options);
    const auto follower = open(options);
    for (int at = 0; at < 100; ++at) {
        const std::string record = fmt::format("record {}", at);
        ASSERT_TRUE(append_durably(*log, 1, record));
        const auto read = follower->read(1, static_cast<std::uint64_t>(at), {});
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_EQ(read->size(), 1U) << at;
        ASSERT_EQ((*read)[0], record);
    }
    ASSERT_TRUE(log->retain(1, 60));
    EXPECT_EQ(follower->begin(1), 0U) << "nobody told it";
    EXPECT_EQ(follower->read(1, 10, {}).value().first(), 60U);
    EXPECT_EQ(follower->begin(1), 60U) << "it met what is gone";
    ASSERT_TRUE(log->retain(1, 70));
    ASSERT_TRUE(follower->find_begins());
    EXPECT_EQ(follower->begin(1), 70U) << "it looked";
}

TEST(KafkaLog, is_read_on_after_a_rest) {
    const KafkaLogOptions options{.cluster = test_cluster(), .topic = fresh_topic(1)};
    const auto log = open(options);
    for (const char* const record : {"a", "b", "c"}) {
        ASSERT_TRUE(append_durably(*log, 0, record));
    }
    EXPECT_EQ(log->read(0, 0, {.records = 1}).value()[0], "a");
    log->rest(0);
    EXPECT_EQ(log->read(0, 1, {.records = 1}).value()[0], "b");
    log->rest(0);
    EXPECT_THAT(read_lane(*log, 0).value(), ElementsAre("a", "b", "c"));
}

TEST(KafkaLog, writes_what_was_appended_before_it_closes) {
    KafkaLogOptions options{.cluster = test_cluster(), .topic = fresh_topic(1)};
    options.writer.linger = 300ms;
    bool told = false;
    {
        const auto log = open(options);
        log->when_durable(log->append(0, one_record).value(), [&](const Result<void>& outcome) {
            told = outcome.has_value();
        });
    }
    EXPECT_TRUE(told);
    EXPECT_EQ(open(options)->end(0), 1U);
}

TEST(KafkaLog, is_bounded) {
    KafkaLogOptions options{.cluster = test_cluster(), .topic = fresh_topic(1)};
    options.writer.linger = 1s;
    options.writer.queue_records = 10;
    const auto log = open(options);
    const std::vector<std::string_view> nine(9, "x");
    const auto position = log->append(0, nine);
    ASSERT_TRUE(position);
    const auto more = log->append(0, nine);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().kind, ErrorKind::overloaded);
    EXPECT_EQ(log->end(0), 9U);
    ASSERT_TRUE(log->append(0, one_record));
    ASSERT_TRUE(wait_durable(*log, *position));
    ASSERT_TRUE(append_durably(*log, 0, "there is room again"));
}

TEST(KafkaLog, does_not_open_with_another_number_of_lanes) {
    KafkaLogOptions options{.cluster = test_cluster(), .topic = fresh_topic(3)};
    open(options);
    options.topic.lanes = 4;
    const auto opened = KafkaLog::open(options);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, ErrorKind::invalid_input);
    EXPECT_THAT(opened.error().message, HasSubstr("3 partitions, the configuration says 4"));
}

TEST(KafkaLog, says_what_is_wrong_when_it_does_not_open) {
    KafkaLogOptions options{.cluster = test_cluster(), .topic = fresh_topic(1)};
    options.topic.replicas = 17;
    EXPECT_EQ(KafkaLog::open(options).error().kind, ErrorKind::invalid_input);
    options.cluster = {.brokers = "127.0.0.1:1", .patience = 500ms};
    EXPECT_EQ(KafkaLog::open(options).error().kind, ErrorKind::unavailable);
    options.cluster.security = {{"security.protocoll", "ssl"}};
    const auto opened = KafkaLog::open(options);
    EXPECT_EQ(opened.error().kind, ErrorKind::invalid_input);
    EXPECT_THAT(opened.error().message, HasSubstr("security.protocoll"));
}

}  // namespace
}  // namespace footfall::journal_kafka
