#include "segment_events/segment_events.h"

#include "foundation/random.h"
#include "segment_events/schema.h"
#include "segment_events/test_events.h"
#include "storage/memory_store.h"
#include "storage_testing/faulty_store.h"

#include <gtest/gtest.h>

#include <deque>

namespace footfall::segment_events {
namespace {

using segment_rules::EventTerm;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr const storage::Table* event_tables[] = {&segment_did_table};

class SegmentEventsTest : public testing::Test {
protected:
    using Records = std::vector<projecting::JudgedRecord>;

    static SegmentEvents::NoteIds note_in(std::set<Id>& noted) {
        return [&noted](std::span<const Id> ids, storage::Batch& batch) -> Result<void> {
            EXPECT_FALSE(batch.empty());
            noted.insert(ids.begin(), ids.end());
            return {};
        };
    }

    /// Puts an event to the end of a lane.
    projecting::JudgedRecord& add(std::uint32_t lane, events::JudgedEvent judged) {
        const events::JudgedEvent& kept = all_.emplace_back(std::move(judged));
        std::deque<projecting::JudgedRecord>& records = lanes_[lane];
        return records.emplace_back(
            projecting::JudgedRecord{.offset = records.size(), .judged = &kept, .person = {}}
        );
    }

    static events::JudgedEvent click(const std::string& actor, Instant time) {
        return {.event = {.time = time, .action = "click", .object = "x", .actor = actor}};
    }

    /// Tells what the lane has from there on, in parts.
    void tell(SegmentEvents& projection, std::uint32_t lane, std::uint64_t from = 0) {
        const std::deque<projecting::JudgedRecord>& records = lanes_[lane];
        while (from < records.size()) {
            const std::uint64_t end = std::min<std::uint64_t>(from + 7, records.size());
            const Records part{
                records.begin() + static_cast<std::ptrdiff_t>(from),
                records.begin() + static_cast<std::ptrdiff_t>(end)
            };
            projection.apply(lane, part);
            from = end;
        }
    }

    std::map<Id, HoldsUntil> by_rows(storage::Store& store) {
        std::set<Id> ids;
        for (const events::JudgedEvent& judged : all_) {
            if (const auto id = id_of(judged.event)) {
                ids.insert(*id);
            }
        }
        return hold_by_rows(store, ids, *terms_.now());
    }

    std::map<Id, HoldsUntil> by_definition(const std::set<EventTerm>& terms) {
        return hold_by_definition({all_.begin(), all_.end()}, terms);
    }

    ManualClock clock_{Instant{hours{480'000}}};
    storage::MemoryStore disk_{event_tables, clock_};
    storage::FaultyStore store_{disk_, 1};
    TermsInForce terms_;
    std::set<Id> noted_;
    SegmentEvents events_{store_, clock_, terms_, note_in(noted_), {.log = 42}};
    std::deque<events::JudgedEvent> all_;
    std::map<std::uint32_t, std::deque<projecting::JudgedRecord>> lanes_;
};

TEST_F(SegmentEventsTest, two_clicks_within_a_day_hold_until_the_first_is_a_day_old) {
    const EventTerm term{.action = "click", .ad = "x", .times = 2, .within = hours{24}};
    terms_.set(CountedTerms{{term}});
    add(0, click("ann", clock_.now()));
    add(0, click("bob", clock_.now()));
    add(0, click("ann", clock_.now() + minutes{5}));
    tell(events_, 0);
    ASSERT_TRUE(events_.flush(true));
    const Id ann{.identifier = "footfall", .id_name = "actor", .id_value = "ann"};
    const auto holds = by_rows(store_);
    ASSERT_EQ(holds.size(), 1);
    EXPECT_EQ(holds.at(ann).at(hash_of(term)), clock_.now() + hours{24});
    EXPECT_EQ(noted_.size(), 2);
    EXPECT_EQ(events_.bytes(), 0);
}

TEST_F(SegmentEventsTest, what_is_refused_of_nobody_or_read_is_not_counted) {
    terms_.set(CountedTerms{
        {EventTerm{.action = "click", .within = hours{1}},
         EventTerm{.action = "read", .within = hours{1}}}
    });
    add(0, click("ann", clock_.now()));
    all_.back().verdict.refusal = events::Objection{.reason = "repeat"};
    add(0, click("", clock_.now()));
    add(0, click("ann", clock_.now()));
    all_.back().event.action = "read";
    add(0, click("ann", clock_.now()));
    all_.back().event.action = "view";
    tell(events_, 0);
    ASSERT_TRUE(events_.flush(true));
    EXPECT_TRUE(by_rows(store_).empty());
    EXPECT_EQ(events_.unsaved(0), std::nullopt);
}

TEST_F(SegmentEventsTest, what_any_id_of_a_person_did_is_the_persons) {
    const EventTerm term{.action = "click", .times = 2, .within = hours{24}};
    terms_.set(CountedTerms{{term}});
    add(0, click("phone", clock_.now()));
    add(1, click("laptop", clock_.now() + minutes{5}));
    tell(events_, 0);
    tell(events_, 1);
    ASSERT_TRUE(events_.flush(true));
    EXPECT_TRUE(by_rows(store_).empty());
    const Id ids[] = {{"footfall", "actor", "phone"}, {"footfall", "actor", "laptop"}};
    const auto until = read_holds_until(store_, ids, *terms_.now());
    ASSERT_TRUE(until);
    EXPECT_EQ(until->at(hash_of(term)), clock_.now() + hours{24});
}

TEST_F(SegmentEventsTest, without_an_actor_the_first_identifier_did_it) {
    const EventTerm term{.action = "click", .within = hours{1}};
    terms_.set(CountedTerms{{term}});
    const Id web{.identifier = "www", .id_name = "id", .id_value = "w1"};
    add(0, click("", clock_.now()));
    all_.back().event.identifiers = {web};
    tell(events_, 0);
    ASSERT_TRUE(events_.flush(true));
    EXPECT_EQ(by_rows(store_).begin()->first, web);
}

TEST_F(SegmentEventsTest, a_term_whose_rule_is_gone_has_no_rows_any_more) {
    terms_.set(CountedTerms{{EventTerm{.action = "click", .within = hours{1}}}});
    add(0, click("ann", clock_.now()));
    tell(events_, 0);
    terms_.set(CountedTerms{{EventTerm{.action = "view", .within = hours{1}}}});
    ASSERT_TRUE(events_.flush(true));
    EXPECT_TRUE(by_rows(store_).empty());
    EXPECT_TRUE(noted_.empty());
}

/// Late events, repeated ones, several terms and lanes, writes that are lost, records told again:
/// rows say what all events say, each once.
TEST_F(SegmentEventsTest, random_histories_equal_their_definition) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random{seed};
        storage::MemoryStore store{event_tables, clock_};
        all_.clear();
        lanes_.clear();
        std::set<EventTerm> terms;
        for (std::uint64_t each = random.below(4) + 1; each > 0; --each) {
            terms.insert(
                {.action = random.below(4) == 0 ? "view" : "click",
                 .object = random.below(2) == 0 ? "x" : "",
                 .times = static_cast<std::uint32_t>(random.below(4) + 1),
                 .within = seconds{random.below(5000) + 1}}
            );
        }
        terms_.set(CountedTerms{terms});
        auto projection = std::make_unique<SegmentEvents>(
            store, clock_, terms_, note_in(noted_), SegmentEvents::Options{.log = seed}
        );
        std::map<std::uint32_t, std::uint64_t> stored;
        for (int step = 0; step < 60; ++step) {
            const auto lane = static_cast<std::uint32_t>(random.below(3));
            const std::uint64_t from = lanes_[lane].size();
            for (std::uint64_t each = random.below(5); each > 0; --each) {
                events::JudgedEvent judged = click(
                    std::to_string(random.below(4)), clock_.now() - seconds{random.below(8000)}
                );
                judged.event.action = random.below(4) == 0 ? "view" : "click";
                judged.event.object = random.below(2) == 0 ? "x" : "y";
                if (random.below(5) == 0) {
                    judged.verdict.refusal = events::Objection{.reason = "repeat"};
                }
                add(lane, std::move(judged));
            }
            tell(*projection, lane, from);
            if (random.below(4) == 0) {
                clock_.advance(seconds{random.below(3)});
                ASSERT_TRUE(projection->flush(random.below(2) == 0));
            }
            if (random.below(8) == 0) {
                // What was not written is lost, and all of it is told again, and some before it.
                std::map<std::uint32_t, std::uint64_t> again;
                for (const auto& [each, records] : lanes_) {
                    const std::uint64_t unsaved =
                        projection->unsaved(each).value_or(records.size());
                    again[each] = unsaved - random.below(unsaved + 1);
                }
                projection->drop();
                for (const auto& [each, offset] : again) {
                    tell(*projection, each, offset);
                }
            }
        }
        ASSERT_TRUE(projection->flush(true));
        ASSERT_EQ(by_rows(store), by_definition(terms)) << "seed " << seed;
        ASSERT_EQ(projection->bytes(), 0);
    }
}

}  // namespace
}  // namespace footfall::segment_events
