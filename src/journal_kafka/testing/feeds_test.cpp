// Lanes as readers above this module are given them.

#include "brokers.h"
#include "foundation/check.h"
#include "journal_kafka/group_feed.h"
#include "journal_kafka/kafka_feed.h"
#include "journal_kafka/shared_topic.h"
#include "waiting.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace footfall::journal_kafka {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t feed_lanes = 4;
constexpr auto feed_patience = 30s;

class FeedsTest : public testing::Test {
protected:
    FeedsTest() {
        auto opened = SharedTopic::open(test_cluster(), topic_, {});
        CHECK(opened, "opens", opened ? "" : opened.error().message);
        writer_ = *std::move(opened);
    }

    void write(int from, int before) {
        for (int at = from; at < before; ++at) {
            const auto lane = static_cast<std::uint32_t>(at) % feed_lanes;
            const std::string value = fmt::format("record {}", at);
            const journal::Header headers[] = {{"content-type", "text/plain"}};
            const auto position =
                writer_->write(lane, {.value = value, .key = "a key", .headers = headers});
            ASSERT_TRUE(position) << position.error().message;
            ASSERT_TRUE(wait_durable(*writer_, *position));
        }
    }

    static std::chrono::steady_clock::time_point deadline() {
        return std::chrono::steady_clock::now() + feed_patience;
    }

    TopicOptions topic_ = fresh_topic(feed_lanes);
    std::unique_ptr<SharedTopic> writer_;
};

std::unique_ptr<GroupFeed> open_feed(const TopicOptions& topic) {
    auto opened = GroupFeed::open(test_cluster(), topic, {.group = topic.name, .session = 6s});
    CHECK(opened, "opens", opened ? "" : opened.error().message);
    return *std::move(opened);
}

/// Takes records, each of which is done, until there were so many.
std::vector<std::string> take(GroupFeed& feed, std::size_t records) {
    std::vector<std::string> values;
    const auto ends = std::chrono::steady_clock::now() + feed_patience;
    while (values.size() < records && std::chrono::steady_clock::now() < ends) {
        const auto given = feed.poll(50ms);
        if (!given) {
            ADD_FAILURE() << given.error().message;
            break;
        }
        for (const journal::SharedRecord& record : *given) {
            values.push_back(record.value);
        }
        feed.done();
    }
    return values;
}

std::set<std::string> numbered(int from, int before) {
    std::set<std::string> values;
    for (int at = from; at < before; ++at) {
        values.insert(fmt::format("record {}", at));
    }
    return values;
}

TEST_F(FeedsTest, a_group_gives_a_record_until_it_is_done_and_then_no_more) {
    write(0, 40);
    {
        const auto feed = open_feed(topic_);
        const auto all = take(*feed, 40);
        EXPECT_EQ(std::set<std::string>(all.begin(), all.end()), numbered(0, 40));
        write(40, 44);
        const auto ends = deadline();
        std::vector<std::string> first;
        while (first.empty() && std::chrono::steady_clock::now() < ends) {
            const auto given = feed->poll(50ms);
            ASSERT_TRUE(given) << given.error().message;
            for (const journal::SharedRecord& record : *given) {
                EXPECT_EQ(record.key, "a key");
                EXPECT_EQ(record.content_type, "text/plain");
                EXPECT_TRUE(record.time);
                first.push_back(record.value);
            }
        }
        ASSERT_FALSE(first.empty());
        const auto again = feed->poll(50ms);
        ASSERT_TRUE(again);
        ASSERT_EQ(again->size(), first.size()) << "they are not done";
        EXPECT_EQ((*again)[0].value, first[0]);
    }
    const auto feed = open_feed(topic_);
    const auto left = take(*feed, 4);
    EXPECT_EQ(std::set<std::string>(left.begin(), left.end()), numbered(40, 44));
    EXPECT_EQ(left.size(), 4U) << "those that were done do not come again";
}

/// Keeps what it is given; refuses each lane once, where it is told to.
class KeepingReader final : public journal::LaneReader {
public:
    Result<std::vector<std::uint64_t>> assigned(std::span<const std::uint32_t> lanes) override {
        std::vector<std::uint64_t> offsets;
        for (const std::uint32_t lane : lanes) {
            offsets.push_back(next(lane));
        }
        return offsets;
    }

    void revoked(std::span<const std::uint32_t> /*lanes*/, bool lost) override {
        ++(lost ? lost_ : given_back_);
    }

    Result<void> consume(std::uint32_t lane, const journal::Records& records) override {
        if (std::exchange(lanes_.at(lane).refuses, false)) {
            return fail(ErrorKind::unavailable, "not now");
        }
        EXPECT_EQ(records.first(), next(lane)) << "in order, each once";
        for (std::size_t at = 0; at < records.size(); ++at) {
            lanes_.at(lane).values.emplace_back(records[at]);
        }
        return {};
    }

    std::uint64_t next(std::uint32_t lane) override { return lanes_.at(lane).values.size(); }

    Result<Next> settle() override { return Next::as_before; }

    void refuse_once() {
        for (Lane& lane : lanes_) {
            lane.refuses = true;
        }
    }

    void forget() {
        for (Lane& lane : lanes_) {
            lane.values.clear();
        }
    }

    std::size_t size() const {
        std::size_t sum = 0;
        for (const Lane& lane : lanes_) {
            sum += lane.values.size();
        }
        return sum;
    }

    int lost() const { return lost_; }

    int given_back() const { return given_back_; }

private:
    struct Lane {
        std::vector<std::string> values;
        bool refuses = false;
    };

    std::array<Lane, feed_lanes> lanes_;
    int lost_ = 0;
    int given_back_ = 0;
};

TEST_F(FeedsTest, a_reader_is_given_each_lane_from_where_it_says_also_after_it_refused) {
    KeepingReader reader;
    int given_back = 0;  // the group may have formed anew meanwhile
    {
        KafkaFeed feed{test_cluster(), topic_.name, {.group = topic_.name, .session = 6s}};
        int failures = 0;
        const auto run_until = [&](std::size_t records) {
            const auto ends = deadline();
            while (reader.size() < records && std::chrono::steady_clock::now() < ends) {
                failures += feed.poll(reader, 50ms) ? 0 : 1;
            }
            ASSERT_EQ(reader.size(), records);
        };
        write(0, 20);
        EXPECT_FALSE(feed.caught_up()) << "nothing was given out yet";
        run_until(20);
        ASSERT_TRUE(feed.poll(reader, 50ms)) << "where the lanes end is asked once they are ours";
        EXPECT_TRUE(feed.caught_up());
        EXPECT_EQ(failures, 0);

        reader.refuse_once();
        write(20, 24);
        run_until(24);
        EXPECT_GT(failures, 0) << "the reader's";

        reader.forget();
        ASSERT_TRUE(feed.rewind(reader));
        run_until(24);

        feed.leave(reader, true);
        EXPECT_EQ(reader.lost(), 1);
        write(24, 28);
        run_until(28);
        given_back = reader.given_back();
    }
    EXPECT_EQ(reader.lost(), 1);
    EXPECT_EQ(reader.given_back(), given_back)
        << "the feed ended without leave(), and may not call it";
}

}  // namespace
}  // namespace footfall::journal_kafka
