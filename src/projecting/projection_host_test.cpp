#include "projecting/projection_host.h"

#include "foundation/clock.h"
#include "foundation/log.h"
#include "journal_rocksdb/schema.h"
#include "journal_rocksdb/store_log.h"
#include "projecting/schema.h"
#include "storage/blocking.h"
#include "storage/deployment.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace footfall::projecting {
namespace {

using storage::FaultyStore;
using testing::ElementsAre;

constexpr std::uint32_t lane = 3;
constexpr std::array<std::uint32_t, 1> lanes{lane};

/// Writes down what it is told: the offset of an event, minus that of a control record.
class Notes final : public Projection {
public:
    Result<void> begin(std::span<const LaneStart> of) override {
        EXPECT_THAT(of, ElementsAre(testing::Field(&LaneStart::lane, lane)));
        begun_at = of.front().offset;
        ++begun;
        return cannot_begin ? fail(ErrorKind::timed_out, "no answer") : Result<void>{};
    }

    Result<void> wait_for_room() override {
        return full ? fail(ErrorKind::overloaded, "no memory is left") : Result<void>{};
    }

    void apply(std::uint32_t of, std::span<const JudgedRecord> records) override {
        EXPECT_EQ(of, lane);
        EXPECT_FALSE(records.empty());
        for (const JudgedRecord& each : records) {
            told.push_back(static_cast<std::int64_t>(each.offset));
        }
    }

    void control(std::uint32_t of, std::uint64_t offset, const events::Control& control) override {
        EXPECT_EQ(of, lane);
        EXPECT_EQ(std::get<events::RulesInForce>(control).version, offset);
        told.push_back(-static_cast<std::int64_t>(offset));
    }

    Result<void> flush(bool all) override {
        flushed += all ? 100 : 1;
        return {};
    }

    std::optional<std::uint64_t> unsaved(std::uint32_t of) override {
        EXPECT_EQ(of, lane);
        return first_unsaved;
    }

    Instant stored_until(std::uint32_t /*lane*/) override { return {}; }

    void drop() override { ++drops; }

    void drop_lane(std::uint32_t of) override {
        EXPECT_EQ(of, lane);
        ++lane_drops;
    }

    Result<void> expire(std::uint32_t of, std::span<const JudgedRecord> records) override {
        EXPECT_EQ(of, lane);
        expired += records.size();
        return {};
    }

    std::vector<std::int64_t> told;
    std::optional<std::uint64_t> first_unsaved;
    bool full = false;
    bool cannot_begin = false;
    int begun = 0;
    std::uint64_t begun_at = 0;
    int flushed = 0;
    int drops = 0;
    int lane_drops = 0;
    std::size_t expired = 0;
};

class ProjectionHostTest : public testing::Test {
protected:
    ProjectionHostTest() { set_log_level(LogLevel::error); }

    /// A host of these, its lane open, as after a start. Answers from where the lane is told.
    Mark start(std::vector<ProjectionHost::Registered> projections) {
        host_ = std::make_unique<ProjectionHost>(store_, *log_, std::move(projections));
        return host_->open(lanes).value().at(0);
    }

    /// Events at [from, end), those at `controls` being control records.
    void tell(std::uint64_t from, Mark end, const std::vector<std::uint64_t>& controls = {}) {
        const events::JudgedEvent judged;
        std::vector<JudgedRecord> events;
        std::vector<ControlRecord> told;
        for (std::uint64_t offset = from; offset < end.offset; ++offset) {
            if (std::ranges::find(controls, offset) != controls.end()) {
                const auto version = static_cast<std::uint32_t>(offset);
                told.push_back(
                    {.offset = offset, .control = events::RulesInForce{.version = version}}
                );
            } else {
                events.push_back({.offset = offset, .judged = &judged, .person = {}});
            }
        }
        host_->tell(lane, {.events = events, .controls = told, .end = end});
    }

    Result<storage::CommitPosition> write(std::uint64_t durable_before = 1'000'000) {
        std::vector<std::uint64_t> durable(log_->lanes());
        durable[lane] = durable_before;
        return host_->write_checkpoints(durable);
    }

    std::optional<Mark> stored(std::string_view name) {
        return read_checkpoints(store_, *log_, name).value().at(lane);
    }

    ManualClock clock_{Instant{std::chrono::hours{24 * 20'000}}};
    const std::array<const storage::Table*, 5> tables_{
        &storage::deployment_table,
        &journal_rocksdb::log_block_table,
        &journal_rocksdb::log_lane_table,
        &journal_rocksdb::log_begin_table,
        &projection_checkpoint_table
    };
    storage::MemoryStore inner_{tables_, clock_};
    FaultyStore store_{inner_, 1, {.lose_only_the_end = true}};
    std::unique_ptr<journal_rocksdb::StoreLog> log_ =
        journal_rocksdb::StoreLog::open(store_).value();
    Notes first_;
    Notes second_;
    std::unique_ptr<ProjectionHost> host_;
};

TEST_F(ProjectionHostTest, tells_each_what_it_has_not_stored) {
    EXPECT_EQ(start({{"first", &first_}, {"second", &second_}}), Mark{});
    tell(0, {.offset = 4});
    first_.first_unsaved = 2;
    second_.first_unsaved = 3;
    ASSERT_TRUE(write());
    EXPECT_EQ(stored("first").value_or(Mark{}).offset, 2U);
    EXPECT_EQ(stored("second").value_or(Mark{}).offset, 3U);

    first_.told.clear();
    second_.told.clear();
    EXPECT_EQ(start({{"first", &first_}, {"second", &second_}}), Mark{.offset = 2});
    tell(0, {.offset = 6});
    EXPECT_THAT(first_.told, ElementsAre(2, 3, 4, 5));
    EXPECT_THAT(second_.told, ElementsAre(3, 4, 5));
    tell(5, {.offset = 7});
    EXPECT_THAT(first_.told, ElementsAre(2, 3, 4, 5, 6)) << "what was told is not told again";
}

TEST_F(ProjectionHostTest, a_new_one_is_told_the_lane_from_the_beginning_and_others_are_not) {
    start({{"first", &first_}});
    tell(0, {.offset = 4});
    ASSERT_TRUE(write());
    EXPECT_EQ(stored("first").value_or(Mark{}).offset, 4U);

    EXPECT_EQ(start({{"first", &first_}, {"second", &second_}}), Mark{});
    EXPECT_EQ(first_.begun_at, 4U);
    EXPECT_EQ(second_.begun_at, 0U);
    tell(0, {.offset = 2});
    ASSERT_TRUE(write());
    EXPECT_EQ(stored("first").value_or(Mark{}).offset, 4U) << "a checkpoint never goes back";
    EXPECT_EQ(stored("second").value_or(Mark{}).offset, 2U);
    tell(2, {.offset = 5});
    EXPECT_THAT(first_.told, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(second_.told, ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(ProjectionHostTest, a_new_one_begins_where_the_log_begins) {
    std::vector<std::string_view> records(10, "record");
    ASSERT_TRUE(storage::wait_durable(store_, log_->append(lane, records).value()));
    ASSERT_TRUE(log_->retain(lane, 6));
    EXPECT_EQ(start({{"first", &first_}}), Mark{.offset = 6});
    tell(6, {.offset = 8});
    EXPECT_THAT(first_.told, ElementsAre(6, 7));
}

TEST_F(ProjectionHostTest, one_that_has_nothing_to_write_advances_all_the_same) {
    start({{"first", &first_}});
    tell(0, {.offset = 5});
    ASSERT_TRUE(write());
    EXPECT_EQ(stored("first").value_or(Mark{}).offset, 5U);
}

TEST_F(ProjectionHostTest, a_checkpoint_does_not_pass_what_is_durable_in_the_log) {
    start({{"first", &first_}});
    tell(0, {.offset = 5});
    ASSERT_TRUE(write(3));
    EXPECT_EQ(stored("first").value_or(Mark{}).offset, 3U);
    ASSERT_TRUE(write(0));
    EXPECT_EQ(stored("first").value_or(Mark{}).offset, 3U);
}

TEST_F(ProjectionHostTest, a_checkpoint_knows_which_events_of_the_log_of_events_are_before_it) {
    start({{"first", &first_}});
    tell(0, {.offset = 5, .source = 10});
    tell(5, {.offset = 8, .source = 20});
    tell(8, {.offset = 9, .source = 20});
    for (const auto& [unsaved, mark] : std::vector<std::pair<std::uint64_t, Mark>>{
             {4, {}},
             {5, {.offset = 5, .source = 10}},
             {7, {.offset = 5, .source = 10}},
             {8, {.offset = 8, .source = 20}},
             {9, {.offset = 9, .source = 20}}
         }) {
        first_.first_unsaved = unsaved;
        ASSERT_TRUE(write());
        EXPECT_EQ(stored("first").value_or(Mark{}), mark) << unsaved;
    }
    EXPECT_EQ(start({{"first", &first_}}), (Mark{.offset = 9, .source = 20}));
}

TEST_F(ProjectionHostTest, control_records_come_to_all_at_their_place) {
    start({{"first", &first_}, {"second", &second_}});
    tell(0, {.offset = 6}, {0, 3, 5});
    tell(6, {.offset = 7}, {6});
    EXPECT_THAT(first_.told, ElementsAre(0, 1, 2, -3, 4, -5, -6));
    EXPECT_EQ(second_.told, first_.told);
    ASSERT_TRUE(write());
    EXPECT_EQ(stored("first").value_or(Mark{}).offset, 7U);
}

TEST_F(ProjectionHostTest, all_begin_a_lane_before_they_are_told_of_it) {
    start({{"first", &first_}, {"second", &second_}});
    EXPECT_EQ(first_.begun, 1);
    host_->drop();
    second_.cannot_begin = true;
    EXPECT_EQ(host_->open(lanes).error().kind, ErrorKind::timed_out);
    tell(0, {.offset = 2});
    EXPECT_THAT(first_.told, ElementsAre()) << "one of them cannot begin it";
    second_.cannot_begin = false;
    ASSERT_TRUE(host_->open(lanes));
    EXPECT_EQ(first_.begun, 3);
    EXPECT_EQ(second_.begun, 3);
    tell(0, {.offset = 2});
    EXPECT_EQ(second_.told, first_.told);
    EXPECT_THAT(first_.told, ElementsAre(0, 1));
}

TEST_F(ProjectionHostTest, is_told_nothing_after_a_loss_until_lanes_are_opened) {
    start({{"first", &first_}});
    tell(0, {.offset = 2});
    host_->drop();
    EXPECT_EQ(first_.drops, 1);
    tell(2, {.offset = 4});
    ASSERT_TRUE(write());
    EXPECT_EQ(stored("first"), std::nullopt);
    EXPECT_EQ(host_->open(lanes).value().at(0), Mark{});
    tell(0, {.offset = 3});
    EXPECT_THAT(first_.told, ElementsAre(0, 1, 0, 1, 2));
}

TEST_F(ProjectionHostTest, a_closed_lane_is_another_process_s) {
    start({{"first", &first_}});
    tell(0, {.offset = 2});
    host_->close(lanes);
    EXPECT_EQ(first_.lane_drops, 1);
    tell(2, {.offset = 4});
    ASSERT_TRUE(write());
    EXPECT_THAT(first_.told, ElementsAre(0, 1));
    EXPECT_EQ(stored("first"), std::nullopt);
}

TEST_F(ProjectionHostTest, a_checkpoint_that_was_not_taken_is_written_the_next_time) {
    start({{"first", &first_}});
    tell(0, {.offset = 2});
    store_.set_options({.refuse_submit = 1});
    EXPECT_EQ(write().error().kind, ErrorKind::overloaded);
    store_.set_options({});
    ASSERT_TRUE(write());
    EXPECT_EQ(stored("first").value_or(Mark{}).offset, 2U);
}

TEST_F(ProjectionHostTest, all_bound_what_may_leave_the_log) {
    start({{"first", &first_}, {"second", &second_}});
    tell(0, {.offset = 5});
    second_.first_unsaved = 2;
    ASSERT_TRUE(write());
    EXPECT_EQ(host_->stored_by_all().value().at(lane), 2U);
    second_.first_unsaved = 5;
    ASSERT_TRUE(write());
    EXPECT_EQ(host_->stored_by_all().value().at(lane), 5U);
    EXPECT_EQ(host_->stored_by_all().value().at(lane + 1), 0U) << "never told";

    const std::vector<JudgedRecord> leaving(3);
    ASSERT_TRUE(host_->expire(lane, leaving));
    EXPECT_EQ(first_.expired, 3U);
    EXPECT_EQ(second_.expired, 3U);
}

TEST_F(ProjectionHostTest, asks_and_flushes_all) {
    start({{"first", &first_}, {"second", &second_}});
    EXPECT_TRUE(host_->wait_for_room());
    second_.full = true;
    EXPECT_EQ(host_->wait_for_room().error().kind, ErrorKind::overloaded);
    ASSERT_TRUE(host_->flush(false));
    ASSERT_TRUE(host_->flush(true));
    EXPECT_EQ(first_.flushed, 101);
    EXPECT_EQ(second_.flushed, 101);
}

TEST_F(ProjectionHostTest, without_projections_holds_nobody_up) {
    EXPECT_EQ(start({}).offset, std::numeric_limits<std::uint64_t>::max());
    tell(0, {.offset = 5});
    ASSERT_TRUE(write());
    EXPECT_EQ(host_->stored_by_all().value().at(lane), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace footfall::projecting
