#include "segment_events/filling.h"

#include "events/erased.h"
#include "foundation/random.h"
#include "intake/test_world.h"
#include "segment_events/schema.h"
#include "segment_events/test_events.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace footfall::segment_events {
namespace {

using intake::IntakeWorld;
using segment_rules::EventTerm;
using std::chrono::hours;

constexpr const storage::Table* filled_tables[] = {&segment_did_table};

class FillingTest : public testing::Test {
protected:
    FillingTest() { world_.seen().be_stored(); }

    /// Clicks and views of some actors on some ads, over the last days.
    void take(std::uint64_t count) {
        std::vector<events::Event> events;
        events.reserve(count);
        for (std::uint64_t each = 0; each < count; ++each) {
            events.push_back(
                {.id = fmt::format("e{}", next_++),
                 .time = world_.clock().now() - std::chrono::minutes{random_.below(3 * 24 * 60)},
                 .action = random_.below(3) == 0 ? "view" : "click",
                 .object = fmt::format("ad-{}", random_.below(5)),
                 .actor = fmt::format("u{}", random_.below(40))}
            );
        }
        const auto taken =
            world_.intake().collect({.events = std::move(events), .arrival = world_.clock().now()});
        ASSERT_TRUE(taken) << taken.error().message;
    }

    std::vector<events::JudgedEvent> judged() {
        std::vector<events::JudgedEvent> all;
        for (std::vector<events::JudgedEvent>& lane : world_.records()) {
            std::ranges::move(lane, std::back_inserter(all));
        }
        return all;
    }

    void fill(const EventTerm& term) {
        Filling filling{
            world_.intake(),
            store_,
            term,
            [this](std::span<const Id> ids, storage::Batch& /*batch*/) -> Result<void> {
                noted_.insert(ids.begin(), ids.end());
                return {};
            },
            world_.clock().now()
        };
        for (;;) {
            const auto more = filling.step();
            ASSERT_TRUE(more) << more.error().message;
            if (!*more) {
                EXPECT_EQ(filling.since(), std::nullopt);
                return;
            }
        }
    }

    /// Counts in some lanes, as if the term had been in force when they came.
    void count(const EventTerm& term, std::uint32_t lane_step) {
        TermsInForce terms;
        terms.set(CountedTerms{{term}});
        SegmentEvents events{
            store_,
            world_.clock(),
            terms,
            [](std::span<const Id>, storage::Batch&) -> Result<void> { return {}; },
            {.log = world_.log().id()}
        };
        const auto lanes = world_.records();
        for (std::uint32_t lane = 0; lane < lanes.size(); lane += lane_step) {
            std::vector<projecting::JudgedRecord> records;
            records.reserve(lanes[lane].size());
            for (std::uint64_t next = 0; next < lanes[lane].size(); ++next) {
                records.push_back({.offset = next, .judged = &lanes[lane][next], .person = {}});
            }
            events.apply(lane, records);
        }
        ASSERT_TRUE(events.flush(true));
    }

    /// Of the ids, as far as something holds that is not over.
    std::map<Id, HoldsUntil> now(std::map<Id, HoldsUntil> holds) {
        for (auto& [id, until] : holds) {
            std::erase_if(until, [&](const auto& each) {
                return each.second <= world_.clock().now();
            });
        }
        std::erase_if(holds, [](const auto& each) { return each.second.empty(); });
        return holds;
    }

    std::map<Id, HoldsUntil> by_rows(const EventTerm& term) {
        std::set<Id> ids;
        for (int actor = 0; actor < 40; ++actor) {
            ids.insert({"footfall", "actor", fmt::format("u{}", actor)});
        }
        return now(hold_by_rows(store_, ids, CountedTerms{{term}}));
    }

    IntakeWorld world_{1 << 20, true};
    storage::MemoryStore store_{filled_tables, world_.clock()};
    Random random_{5};
    std::uint64_t next_ = 0;
    std::set<Id> noted_;
};

TEST_F(FillingTest, what_happened_before_a_rule_counts_as_if_it_had_been_there) {
    take(3000);
    const EventTerm term{.action = "click", .ad = "ad-2", .times = 2, .within = hours{24}};
    fill(term);
    const auto expected = now(hold_by_definition(judged(), {term}));
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(by_rows(term), expected);
    for (const auto& [id, until] : expected) {
        EXPECT_TRUE(noted_.contains(id));
    }
}

TEST_F(FillingTest, what_was_counted_when_it_came_and_found_in_the_log_is_counted_once) {
    take(2000);
    const EventTerm term{.action = "click", .times = 4, .within = hours{12}};
    count(term, 2);
    fill(term);
    fill(term);
    EXPECT_EQ(by_rows(term), now(hold_by_definition(judged(), {term})));
}

/// Of whom was erased a hash is left in the log, by which numbers of events stay: nobody who could
/// be in a segment.
TEST_F(FillingTest, whoever_was_erased_is_nobody) {
    const auto taken = world_.intake().collect(
        {.events =
             {{.time = world_.clock().now(),
               .action = "click",
               .object = "ad-1",
               .actor = events::text_in_place_of(7)}},
         .arrival = world_.clock().now()}
    );
    ASSERT_TRUE(taken) << taken.error().message;
    fill({.action = "click", .within = hours{1}});
    EXPECT_THAT(noted_, testing::IsEmpty());
}

TEST_F(FillingTest, an_empty_log_fills_nothing) {
    fill({.action = "click", .within = hours{1}});
    EXPECT_TRUE(noted_.empty());
}

}  // namespace
}  // namespace footfall::segment_events
