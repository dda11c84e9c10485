// Changes of segments in a topic: each at least once, in order, through records that are lost.
#include "segments_routes/topic_turns.h"

#include "segments/test_segments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segments::routes {
namespace {

/// A topic in memory, for one thread, of which every third time half of what was written is lost,
/// as brokers that are away lose all that is on the way.
class LosingTopics final : public journal::OutgoingTopics {
public:
    struct Record {
        std::uint32_t lane = 0;
        std::string key;
        std::string value;
    };

    Result<std::unique_ptr<journal::MessageWriter>> open(std::string_view name) override {
        EXPECT_EQ(name, "segments.changes");
        return std::make_unique<Writer>(*this);
    }

    std::uint32_t lane_of(std::string_view key, std::uint32_t lanes) const override {
        return static_cast<std::uint32_t>(key.size() % lanes);
    }

    const std::vector<Record>& records() const { return records_; }

    std::size_t losses() const { return losses_; }

private:
    class Writer final : public journal::MessageWriter {
    public:
        explicit Writer(LosingTopics& of) : of_{&of} {}

        std::uint32_t lanes() const override { return 8; }

        Result<storage::CommitPosition> append(
            std::uint32_t /*lane*/, std::span<const std::string_view> /*records*/
        ) override {
            return fail(ErrorKind::invalid_input, "records of this topic have keys");
        }

        Result<storage::CommitPosition> write(std::uint32_t lane, const journal::Message& message)
            override {
            of_->on_the_way_.push_back({lane, std::string{message.key}, std::string{message.value}}
            );
            return ++of_->position_;
        }

        bool durable(storage::CommitPosition /*position*/) const override { return false; }

        /// What was written so far stands, or only a beginning of it.
        void when_durable(storage::CommitPosition /*position*/, storage::DurableDone done)
            override {
            bool lost = false;
            {
                lost = ++of_->waits_ % 3 == 1;
                of_->losses_ += lost ? 1 : 0;
                auto& sent = of_->on_the_way_;
                sent.resize(lost ? sent.size() / 2 : sent.size());
                std::ranges::move(sent, std::back_inserter(of_->records_));
                sent.clear();
            }
            done(
                lost ? Result<void>{fail(ErrorKind::outcome_unknown, "the brokers are away")}
                     : Result<void>{}
            );
        }

    private:
        LosingTopics* of_;
    };

    std::vector<Record> on_the_way_;
    std::vector<Record> records_;
    storage::CommitPosition position_ = 0;
    std::size_t waits_ = 0;
    std::size_t losses_ = 0;
};

Member member_named(const std::string& id) {
    return {.id = identities::id_of(id)};
}

/// As docs/segments.md tells who reads the topic: what has a number that is not above the last one
/// of its segment is there already; what is more than one above it would be a loss.
std::map<std::string, std::vector<std::string>> read_by_the_rule(
    const std::vector<LosingTopics::Record>& records
) {
    std::map<std::string, std::vector<std::string>> read;
    for (const LosingTopics::Record& each : records) {
        EXPECT_EQ(each.lane, each.key.size() % 8);
        const std::string number = R"("number":)";
        const std::size_t at = each.value.find(number);
        const auto is = std::stoull(each.value.substr(at + number.size()));
        std::vector<std::string>& of_segment = read[each.key];
        EXPECT_LE(is, of_segment.size() + 1) << "a change is left out";
        if (is == of_segment.size() + 1) {
            of_segment.push_back(each.value);
        }
    }
    return read;
}

/// Until there is nothing left to do.
void publish_all(TopicTurns& turns) {
    for (int turn = 0; turn < 1000; ++turn) {
        const auto pause = turns.publish();
        if (pause && pause->count() > 0) {
            return;
        }
    }
    ADD_FAILURE() << "it does not come to an end";
}

TEST(TopicTurns, write_each_change_through_losses_and_restarts) {
    SegmentsWorld world{1, /*shared=*/false};
    LosingTopics topics;
    constexpr std::size_t members = 520;
    std::size_t all = 0;
    for (int round = 0; round < 3; ++round) {
        // Each round is a process of its own: it goes on by rows.
        TopicTurns turns{world.segments(), world.store(), topics};
        for (const std::string segment : {"s", "buyers"}) {
            std::vector<Member> some;
            some.reserve(members);
            for (std::size_t each = 0; each < members; ++each) {
                some.push_back(member_named("web:" + std::to_string(all + each)));
            }
            ASSERT_TRUE(world.add(segment, some));
        }
        all += members;
        ASSERT_TRUE(world.derive());
        publish_all(turns);
        const auto read = read_by_the_rule(topics.records());
        EXPECT_EQ(read.at("s").size(), all);
        EXPECT_EQ(read.at("buyers").size(), all);
    }
    EXPECT_GT(topics.losses(), 1U);
    const auto read = read_by_the_rule(topics.records());
    EXPECT_TRUE(read.at("s").front().starts_with(R"({"segment":"s","id":")"));
    EXPECT_TRUE(read.at("s").front().contains(R"(/1","number":1,"change":"joined","identifier":)"));
}

TEST(TopicTurns, write_nothing_again_that_stands_and_begin_anew_with_a_segment_made_anew) {
    SegmentsWorld world{1, /*shared=*/false};
    LosingTopics topics;
    TopicTurns turns{world.segments(), world.store(), topics};
    const auto add = [&](const std::string& id) {
        ASSERT_TRUE(world.add("s", {member_named(id)}));
        ASSERT_TRUE(world.derive());
        publish_all(turns);
    };
    add("web:a");
    const std::size_t before = topics.records().size();
    add("web:b");
    ASSERT_EQ(topics.records().size(), before + 1);
    EXPECT_TRUE(topics.records().back().value.contains(R"("number":2,)"));
    ASSERT_TRUE(world.drop("s"));
    ASSERT_TRUE(world.derive());
    add("web:c");
    EXPECT_TRUE(topics.records().back().value.contains(R"("number":1,)"));
    EXPECT_TRUE(topics.records().back().value.contains(R"("id_value":"c")"));
}

}  // namespace
}  // namespace footfall::segments::routes
