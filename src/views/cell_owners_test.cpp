// A process that answers but does not count, beside one that counts.

#include "views/cell_owners.h"

#include "views/test_world.h"

#include <gtest/gtest.h>

#include <utility>

namespace footfall::views {
namespace {

/// All lanes are another's, whose memory is that of `counting`.
class OneOwner final : public CellOwners {
public:
    explicit OneOwner(World& counting) : counting_{&counting} {}

    std::optional<std::uint64_t> counted_here(std::size_t /*lane*/) override {
        return std::nullopt;
    }

    OwnersAnswer ask(std::span<const CellsAsked> asked) override {
        ++batches;
        OwnersAnswer answer{.of_asked = {}, .stored = stored};
        for (const CellsAsked& each : asked) {
            answer.of_asked.emplace_back();
            if (each.lane != silent) {
                answer.of_asked.back() = OwnedCells{
                    .cells = counting_->views().unsaved(each),
                    .counted = each.lane < World::lanes ? counting_->log(each.lane).size() : 0
                };
            }
        }
        return answer;
    }

    std::size_t silent = 64;  ///< The lane whose owner does not answer.
    std::optional<Instant> stored;
    int batches = 0;

private:
    World* counting_;
};

class CellOwnersTest : public testing::Test {
protected:
    static std::vector<Logged> seen(const std::string& object, std::uint64_t people) {
        std::vector<Logged> events;
        for (std::uint64_t person = 1; person <= people; ++person) {
            events.push_back(
                {.action = "view",
                 .object = object,
                 .time = start,
                 .person = person * 0x9e3779b97f4a7c15}
            );
        }
        return events;
    }

    Report ask(const std::string& object) {
        auto report = asking_.report(World::lane_of(object), {.action = "view", .object = object});
        EXPECT_TRUE(report) << report.error().message;
        return report ? *std::move(report) : Report{};
    }

    World counting_;
    OneOwner owner_{counting_};
    Views asking_{counting_.store(), test_log, test_key, counting_.clock(), {.owners = &owner_}};
};

TEST_F(CellOwnersTest, what_is_counted_elsewhere_is_told_before_it_is_written) {
    counting_.add(seen("page", 3));
    Report report = ask("page");
    EXPECT_EQ(report.counts.counted, 3U);
    EXPECT_EQ(report.people, 3U);
    EXPECT_FALSE(report.standing.provisional);
    EXPECT_EQ(report.standing.counted, 3U);

    ASSERT_TRUE(counting_.views().flush_all());
    EXPECT_TRUE(counting_.views().unsaved({.lane = 1, .action = "view", .object = "page"}).empty())
        << "rows say it";
    EXPECT_EQ(ask("page").counts.counted, 3U);

    counting_.add(seen("page", 400));
    report = ask("page");
    EXPECT_EQ(report.counts.counted, 403U);
    EXPECT_EQ(report.days.at(0).counts.counted, 403U);
    const Report theirs =
        *counting_.views().report(World::lane_of("page"), {.action = "view", .object = "page"});
    EXPECT_EQ(report.people, theirs.people) << "the same sketch";
}

TEST_F(CellOwnersTest, without_an_answer_it_is_what_rows_say_and_provisional) {
    counting_.add(seen("page", 3));
    ASSERT_TRUE(counting_.views().flush_all());
    counting_.add(seen("page", 5));
    owner_.silent = World::lane_of("page");
    owner_.stored = start - 2s;
    const Report report = ask("page");
    EXPECT_EQ(report.counts.counted, 3U);
    EXPECT_TRUE(report.standing.provisional);
    EXPECT_EQ(report.standing.stored, start - 2s);
    EXPECT_EQ(report.standing.counted, 0U);
    EXPECT_FALSE(ask("other").standing.provisional) << "of another lane";
}

TEST_F(CellOwnersTest, all_objects_and_rankings_ask_once) {
    counting_.add(seen("page", 3));
    counting_.add(seen("other", 2));
    ASSERT_TRUE(counting_.views().flush_all());
    counting_.add(seen("other", 9));
    const Result<Ranking> ranking = asking_.top("view", RankBy::views, 10);
    ASSERT_TRUE(ranking);
    EXPECT_EQ(owner_.batches, 1);
    ASSERT_EQ(ranking->objects.size(), 2U);
    EXPECT_EQ(ranking->objects[0].object, "other");
    EXPECT_EQ(ranking->objects[0].views, 11U);
    EXPECT_FALSE(ranking->standing.provisional);

    ASSERT_TRUE(asking_.report_of_all({.action = "view"}));
    EXPECT_EQ(owner_.batches, 2);
    owner_.silent = World::lane_of("page");
    EXPECT_TRUE(asking_.top("view", RankBy::views, 10)->standing.provisional);
    EXPECT_TRUE(asking_.report_of_all({.action = "view"})->standing.provisional);
}

TEST_F(CellOwnersTest, knows_since_when_something_is_in_memory_alone) {
    World world{{.flush_interval = 1s}};
    EXPECT_EQ(world.views().stored_until(1), start);
    world.add(seen("page", 1));
    world.clock().advance(3s);
    EXPECT_EQ(world.views().stored_until(1), start);
    EXPECT_EQ(world.views().stored_until(2), start + 3s);
    ASSERT_TRUE(world.views().flush_all());
    EXPECT_EQ(world.views().stored_until(1), start + 3s);
}

}  // namespace
}  // namespace footfall::views
