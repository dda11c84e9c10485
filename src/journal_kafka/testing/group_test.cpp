#include "brokers.h"
#include "foundation/check.h"
#include "journal_kafka/lane_consumer.h"
#include "journal_kafka/topic_writer.h"
#include "waiting.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall::journal_kafka {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t group_lanes = 4;

/// What members of a group made of the records, and how far: theirs together.
struct Sink {
    std::map<std::uint32_t, std::vector<std::string>> records;
};

/// A member of a group that writes into a sink.
class Member {
public:
    Member(const TopicOptions& topic, ConsumerOptions options, Sink& sink) : sink_{sink} {
        options.session = 3s;
        auto joined = LaneConsumer::join(
            test_cluster(),
            topic.name,
            options,
            {.assigned = [this](auto lanes) { return take(lanes); },
             .revoked = [this](auto lanes, auto leave) { give(lanes, leave); }}
        );
        CHECK(joined, "joins", joined ? "" : joined.error().message);
        consumer_ = *std::move(joined);
    }

    void poll() {
        const auto read = consumer_->poll(20ms);
        ASSERT_TRUE(read) << read.error().message;
        if (const auto& record = *read) {
            std::vector<std::string>& records = sink_.records[record->lane()];
            ASSERT_TRUE(lanes_.contains(record->lane()));
            ASSERT_EQ(record->offset(), records.size()) << "once, and in order";
            records.emplace_back(record->value());
            consumer_->commit({{record->lane(), records.size()}});
        }
    }

    LaneConsumer& consumer() { return *consumer_; }

    std::size_t lanes() const { return lanes_.size(); }

    void close() { consumer_->close(); }

private:
    Result<std::vector<std::uint64_t>> take(std::span<const std::uint32_t> lanes) {
        std::vector<std::uint64_t> offsets;
        for (const std::uint32_t lane : lanes) {
            lanes_.insert(lane);
            offsets.push_back(sink_.records[lane].size());
        }
        return offsets;
    }

    void give(std::span<const std::uint32_t> lanes, LaneConsumer::Leave /*leave*/) {
        for (const std::uint32_t lane : lanes) {
            lanes_.erase(lane);
        }
    }

    Sink& sink_;
    std::set<std::uint32_t> lanes_;
    std::unique_ptr<LaneConsumer> consumer_;
};

class Group : public testing::Test {
protected:
    Group() {
        auto opened = TopicWriter::open(test_cluster(), topic_, {});
        CHECK(opened, "opens", opened ? "" : opened.error().message);
        writer_ = *std::move(opened);
    }

    /// So many records more into each lane, durable.
    void write(std::size_t more) {
        storage::CommitPosition last = 0;
        for (std::size_t at = 0; at < more; ++at, ++written_) {
            for (std::uint32_t lane = 0; lane < group_lanes; ++lane) {
                const std::string record = fmt::format("record {}", written_);
                const auto position = writer_->write(lane, {.value = record});
                ASSERT_TRUE(position) << position.error().message;
                last = *position;
            }
        }
        const Result<void> durable = wait_durable(*writer_, last);
        ASSERT_TRUE(durable) << durable.error().message;
    }

    bool all_read() {
        for (std::uint32_t lane = 0; lane < group_lanes; ++lane) {
            if (sink_.records[lane].size() < written_) {
                return false;
            }
        }
        return true;
    }

    const TopicOptions topic_ = fresh_topic(group_lanes);
    const ConsumerOptions options_{.group = topic_.name + "-group"};
    std::unique_ptr<TopicWriter> writer_;
    Sink sink_;
    std::size_t written_ = 0;
};

TEST_F(Group, shares_the_lanes_and_takes_over_those_of_one_that_leaves) {
    Member one{topic_, options_, sink_};
    write(100);
    while (!all_read()) {
        ASSERT_NO_FATAL_FAILURE(one.poll());
    }
    EXPECT_EQ(one.lanes(), group_lanes);
    Member other{topic_, options_, sink_};
    while (one.lanes() != 2 || other.lanes() != 2) {
        ASSERT_NO_FATAL_FAILURE(one.poll());
        ASSERT_NO_FATAL_FAILURE(other.poll());
    }
    write(100);
    while (!all_read()) {
        ASSERT_NO_FATAL_FAILURE(one.poll());
        ASSERT_NO_FATAL_FAILURE(other.poll());
    }
    one.close();
    EXPECT_EQ(one.lanes(), 0U);
    write(100);
    while (!all_read()) {
        ASSERT_NO_FATAL_FAILURE(other.poll());
    }
    EXPECT_EQ(other.lanes(), group_lanes);
}

TEST_F(Group, keeps_the_lanes_of_a_member_with_a_name_until_it_is_back) {
    ConsumerOptions named = options_;
    named.member = "one";
    auto one = std::make_unique<Member>(topic_, named, sink_);
    named.member = "other";
    Member other{topic_, named, sink_};
    while (one->lanes() != 2 || other.lanes() != 2) {
        ASSERT_NO_FATAL_FAILURE(one->poll());
        ASSERT_NO_FATAL_FAILURE(other.poll());
    }
    one.reset();
    named.member = "one";
    one = std::make_unique<Member>(topic_, named, sink_);
    write(10);
    while (!all_read()) {
        ASSERT_NO_FATAL_FAILURE(one->poll());
        ASSERT_NO_FATAL_FAILURE(other.poll());
        ASSERT_EQ(other.lanes(), 2U) << "nothing moved";
    }
    one.reset();
    while (other.lanes() != group_lanes) {
        ASSERT_NO_FATAL_FAILURE(other.poll());
    }
}

TEST_F(Group, says_so_when_the_record_to_go_on_from_is_gone) {
    write(10);
    const auto behind_the_end = [](auto lanes) -> Result<std::vector<std::uint64_t>> {
        return std::vector<std::uint64_t>(lanes.size(), 1000);
    };
    auto joined = LaneConsumer::join(
        test_cluster(),
        topic_.name,
        options_,
        {.assigned = behind_the_end, .revoked = [](auto, auto) {}}
    );
    ASSERT_TRUE(joined);
    auto read = (*joined)->poll(20ms);
    while (read && !*read) {
        read = (*joined)->poll(20ms);
    }
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, ErrorKind::corrupt) << read.error().message;
}

TEST_F(Group, of_which_the_sink_does_not_know_how_far_it_is_ends) {
    auto joined = LaneConsumer::join(
        test_cluster(),
        topic_.name,
        options_,
        {.assigned = [](auto) -> Result<std::vector<std::uint64_t>> {
             return fail(ErrorKind::timed_out, "the store does not answer");
         },
         .revoked = [](auto, auto) {}}
    );
    ASSERT_TRUE(joined);
    auto read = (*joined)->poll(20ms);
    while (read && !*read) {
        read = (*joined)->poll(20ms);
    }
    EXPECT_EQ(read.error().kind, ErrorKind::timed_out);
    EXPECT_EQ((*joined)->poll(20ms).error().kind, ErrorKind::timed_out);
}

TEST_F(Group, gives_nothing_of_lanes_that_are_paused) {
    Member member{topic_, options_, sink_};
    write(1);
    while (!all_read()) {
        ASSERT_NO_FATAL_FAILURE(member.poll());
    }
    const std::vector<std::uint32_t> paused{1, 2};
    ASSERT_TRUE(member.consumer().pause(paused));
    write(5);
    while (sink_.records[0].size() < 6 || sink_.records[3].size() < 6) {
        ASSERT_NO_FATAL_FAILURE(member.poll());
    }
    EXPECT_EQ(sink_.records[1].size(), 1U);
    ASSERT_TRUE(member.consumer().resume(paused));
    while (!all_read()) {
        ASSERT_NO_FATAL_FAILURE(member.poll());
    }
}

TEST_F(Group, reads_what_several_have_written_with_keys_and_headers) {
    const auto other = TopicWriter::open(test_cluster(), topic_, {}).value();
    const std::array<journal::Header, 2> headers{{{"rule", "7"}, {"why", ""}}};
    const Message message{.value = "value", .key = "some object", .headers = headers};
    const std::uint32_t lane = lane_of_key(message.key, group_lanes);
    const Message bare{.value = message.value, .key = message.key};
    for (const auto& [writer, written] :
         {std::pair{writer_.get(), message}, {other.get(), message}, {writer_.get(), bare}}) {
        const auto position = writer->write(lane, written);
        ASSERT_TRUE(position);
        ASSERT_TRUE(wait_durable(*writer, *position));
    }
    Sink sink;
    const auto consumer = LaneConsumer::join(
                              test_cluster(),
                              topic_.name,
                              options_,
                              {.assigned = [](auto lanes) -> Result<std::vector<std::uint64_t>> {
                                   return std::vector<std::uint64_t>(lanes.size());
                               },
                               .revoked = [](auto, auto) {}}
    ).value();
    for (std::uint64_t offset = 0; offset < 3;) {
        const auto read = consumer->poll(20ms);
        ASSERT_TRUE(read) << read.error().message;
        if (const auto& record = *read) {
            EXPECT_EQ(record->lane(), lane);
            EXPECT_EQ(record->offset(), offset);
            EXPECT_EQ(record->value(), "value");
            EXPECT_EQ(record->key(), "some object");
            const bool headed = offset++ < 2;
            EXPECT_EQ(record->header("rule").value_or("none"), headed ? "7" : "none");
            EXPECT_EQ(record->header("why").value_or("none"), headed ? "" : "none");
            EXPECT_EQ(record->header("else"), std::nullopt);
        }
    }
}

}  // namespace
}  // namespace footfall::journal_kafka
