#include "journal_kafka/lane_reader.h"

#include "foundation/check.h"
#include "runtime/heap.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <librdkafka/rdkafka_mock.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace footfall::journal_kafka {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t lanes_there = 64;
constexpr const char* topic_name = "judged";

/// One broker in this process, as librdkafka has it for tests, with some records in each lane.
class OneBroker {
public:
    explicit OneBroker(int records, std::size_t padding = 0) {
        rd_kafka_mock_topic_create(mock_, topic_name, static_cast<int>(lanes_there), 1);
        const Owned<rd_kafka_t> writer = client();
        const Owned<rd_kafka_topic_t> topic{rd_kafka_topic_new(writer.get(), topic_name, nullptr)};
        for (std::uint32_t lane = 0; lane < lanes_there; ++lane) {
            for (int at = 0; at < records; ++at) {
                std::string text = record(lane, at) + std::string(padding, '.');
                const int queued = rd_kafka_produce(
                    topic.get(),
                    static_cast<std::int32_t>(lane),
                    RD_KAFKA_MSG_F_COPY,
                    text.data(),
                    text.size(),
                    nullptr,
                    0,
                    nullptr
                );
                CHECK(queued == 0, "a record is queued");
            }
        }
        constexpr int patience_ms = 60'000;
        CHECK(
            rd_kafka_flush(writer.get(), patience_ms) == RD_KAFKA_RESP_ERR_NO_ERROR,
            "the records are written"
        );
    }

    ClusterOptions cluster() const { return {.brokers = rd_kafka_mock_cluster_bootstraps(mock_)}; }

    static std::string record(std::uint32_t lane, int at) {
        return fmt::format("record {} of lane {}", at, lane);
    }

private:
    Owned<rd_kafka_t> client() const {
        auto configuration = configure(cluster(), {});
        CHECK(configuration.has_value(), "a configuration");
        auto started = start_client(RD_KAFKA_PRODUCER, *std::move(configuration));
        CHECK(started.has_value(), "a client");
        return *std::move(started);
    }

    struct End {
        void operator()(rd_kafka_mock_cluster_t* mock) const {
            rd_kafka_mock_cluster_destroy(mock);
        }
    };

    /// Whose threads the broker has.
    Owned<rd_kafka_t> host_ = [] {
        std::array<char, 256> why{};
        Owned<rd_kafka_t> host{
            rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), why.data(), why.size())
        };
        CHECK(host != nullptr, "a host for the broker");
        return host;
    }();
    std::unique_ptr<rd_kafka_mock_cluster_t, End> owned_{rd_kafka_mock_cluster_new(host_.get(), 1)};
    rd_kafka_mock_cluster_t* mock_ = owned_.get();
};

/// One record of each lane, as people ask for old events: no lane but a few stays open, with what
/// was read ahead of it, and none when nobody asks any more.
TEST(LaneReader, reads_any_lane_and_keeps_few_open) {
    const OneBroker broker{5};
    constexpr std::size_t most = 4;
    const auto started = LaneReader::start(
        broker.cluster(), topic_name, lanes_there, {.lanes = most, .bytes = 4 << 20, .idle = 200ms}
    );
    ASSERT_TRUE(started) << started.error().message;
    LaneReader& reader = **started;
    for (const int round : {0, 3}) {
        for (std::uint32_t lane = 0; lane < lanes_there; ++lane) {
            const auto read =
                reader.read(lane, static_cast<std::uint64_t>(round), 0, {.records = 1});
            ASSERT_TRUE(read) << read.error().message;
            ASSERT_EQ(read->size(), 1U);
            EXPECT_EQ((*read)[0], OneBroker::record(lane, round));
            EXPECT_LE(reader.open_lanes(), most);
        }
    }
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (reader.open_lanes() > 0 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::yield();
    }
    EXPECT_EQ(reader.open_lanes(), 0U);
    EXPECT_EQ(reader.read(9, 1, 0, {})->size(), 4U) << "and it is read on";
    EXPECT_TRUE(reader.read(9, 5, 0, {})->empty());
}

#if !__has_feature(address_sanitizer)  // it keeps what was freed
/// What librdkafka read ahead of a lane it keeps when the lane is stopped, until somebody asks for
/// more of it.
TEST(LaneReader, what_was_read_ahead_goes_with_its_lane) {
    const OneBroker broker{150, 10'000};
    const auto started =
        LaneReader::start(broker.cluster(), topic_name, lanes_there, {.bytes = 16 << 20});
    ASSERT_TRUE(started) << started.error().message;
    const std::size_t before = runtime::resident_bytes();
    for (std::uint32_t lane = 0; lane < lanes_there; ++lane) {
        ASSERT_EQ((*started)->read(lane, 0, 0, {.records = 1})->size(), 1U);
        // Some more, so that the lane has surely been read ahead.
        ASSERT_EQ((*started)->read(lane, 1, 0, {.records = 50})->size(), 50U);
    }
    EXPECT_LT(runtime::resident_bytes(), before + (40 << 20));
}
#endif

TEST(LaneReader, more_readers_than_lanes_may_be_open_have_their_turns) {
    const OneBroker broker{20};
    const auto started = LaneReader::start(
        broker.cluster(), topic_name, lanes_there, {.lanes = 2, .bytes = 1 << 20}
    );
    ASSERT_TRUE(started) << started.error().message;
    std::array<std::size_t, 6> found{};
    {
        std::vector<std::jthread> threads;
        threads.reserve(found.size());
        for (std::uint32_t lane = 0; lane < found.size(); ++lane) {
            threads.emplace_back([&, lane] {
                for (;;) {
                    const auto read = (*started)->read(lane, found[lane], 0, {.records = 7});
                    if (!read || read->empty()) {
                        return;
                    }
                    found[lane] += read->size();
                }
            });
        }
    }
    for (const std::size_t records : found) {
        EXPECT_EQ(records, 20U);
    }
}

}  // namespace
}  // namespace footfall::journal_kafka
