#include "segments/did_recount.h"

#include "foundation/random.h"
#include "projecting/writer.h"
#include "segments/catalogue.h"
#include "segments/rule_rows.h"
#include "segments/test_segments.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace footfall::segments {
namespace {

using segment_rules::EventTerm;
using std::chrono::hours;
using std::chrono::minutes;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const EventTerm opened_thrice{.action = "open", .times = 3, .within = hours{24}};

/// A log of three lanes, rows of what is in it, and a rule that asks for it.
class DidRecountTest : public testing::Test {
protected:
    static constexpr journal::LogId log = 42;
    static constexpr std::uint32_t lanes_count = 3;

    DidRecountTest() {
        Catalogue catalogue{store_, clock_, false};
        const Segment segment = catalogue.create("keen").value();
        storage::Batch batch;
        add_rule(
            {.name = "keen",
             .segment = segment.number,
             .text = R"({"event":{"action":"open","times":3,"within":"1d"}})",
             .author = "test",
             .since = clock_.now()},
            batch
        );
        add_filled(segment.number, clock_.now(), batch);
        EXPECT_TRUE(storage::write_durably(store_, batch));
    }

    void happens(std::uint32_t lane, const std::string& actor, minutes ago, bool counted = true) {
        events::JudgedEvent judged{
            .event = {.time = clock_.now() - ago, .action = "open", .object = "x", .actor = actor}
        };
        if (!counted) {
            judged.verdict.refusal = events::Objection{.reason = "repeat"};
        }
        lanes_[lane].push_back(judged);
    }

    /// Has rows of some records of a lane, as who counts them writes them, or who fills.
    void write(std::uint32_t lane, std::size_t from, std::size_t to, const char* filled = "") {
        segment_events::Marks marks;
        for (std::size_t offset = from; offset < to; ++offset) {
            const events::JudgedEvent& judged = lanes_[lane][offset];
            const auto id = segment_events::id_of(judged.event);
            if (id && judged.verdict.counted()) {
                marks[{.id = *id,
                       .term = segment_events::hash_of(opened_thrice),
                       .writer = projecting::writer_of(log, lane) + filled}]
                    .push_back({.time = judged.event.time, .lane = lane, .offset = offset});
            }
        }
        const segment_events::CountedTerms terms{{opened_thrice}};
        storage::Batch batch;
        ASSERT_TRUE(segment_events::merge_marks(store_, marks, terms, batch));
        ASSERT_TRUE(storage::write_durably(store_, batch));
    }

    /// The log as it is from `begins` of each lane on, up to so many records before its end.
    std::vector<std::string> differences(
        std::size_t begins = 0, std::size_t behind = 0, bool alone = true
    ) {
        const auto recount = DidRecount::begin(store_, clock_.now()).value();
        for (std::uint32_t lane = 0; lane < lanes_count; ++lane) {
            recount->begin_lane(lane, begins > 0);
            for (std::size_t offset = begins; offset + behind < lanes_[lane].size(); ++offset) {
                recount->add(offset, &lanes_[lane][offset]);
            }
        }
        return recount
            ->compare(
                store_,
                {.log = log,
                 .alone = alone,
                 .now = [this] { return clock_.now(); },
                 .was_erased = [this](const identities::Id& id) { return erased_ == id.id_value; }}
            )
            .value()
            .differences;
    }

    ManualClock clock_{identities::at_second(1'790'000'000)};
    storage::MemoryStore store_{tables_of_test(), clock_};
    std::vector<events::JudgedEvent> lanes_[lanes_count];
    std::string erased_;
};

TEST_F(DidRecountTest, names_what_rows_lack_and_what_they_have_too_much) {
    happens(0, "ann", minutes{5});
    happens(1, "ann", minutes{9});
    happens(1, "bob", minutes{9}, false);
    write(0, 0, 1);
    EXPECT_THAT(
        differences(),
        ElementsAre(AllOf(
            HasSubstr(R"([["footfall","actor","ann"]] did {"event":{"action":"open")"),
            HasSubstr("no row says so, but record 0 of lane 1")
        ))
    );
    write(1, 0, 2);
    EXPECT_THAT(differences(), IsEmpty());
    lanes_[0].back().event.action = "close";
    EXPECT_THAT(differences(), ElementsAre(HasSubstr("rows say so, and not record 0 of lane 0")));
    erased_ = "ann";
    EXPECT_THAT(differences(), IsEmpty());
}

TEST_F(DidRecountTest, what_cannot_be_held_to_the_log_is_no_difference) {
    for (int each = 0; each < 4; ++each) {
        happens(0, "ann", minutes{50 - each});
    }
    write(0, 0, 4);
    EXPECT_THAT(differences(2), IsEmpty()) << "two records have left the log";
    EXPECT_THAT(differences(0, 1, false), IsEmpty()) << "one came while it was read";
    EXPECT_THAT(differences(0, 1), ElementsAre(HasSubstr("record 0"), HasSubstr("record 3")));
    // Rows of who does not count any more may be gone, or stand.
    clock_.advance(hours{24});
    EXPECT_THAT(differences(4), IsEmpty());
}

TEST_F(DidRecountTest, of_a_rule_that_is_not_in_force_nothing_is_asked) {
    happens(0, "ann", minutes{5});
    EXPECT_EQ(differences().size(), 1U);
    storage::Batch batch;
    erase_rule("keen", batch);
    ASSERT_TRUE(storage::write_durably(store_, batch));
    EXPECT_THAT(differences(), IsEmpty());
}

/// Rows that are written in any order, twice, by who counts and who fills: no difference. One that
/// lacks an event that is among the latest: one.
TEST_F(DidRecountTest, random_histories_have_no_difference_until_a_row_is_changed) {
    Random random{7};
    for (int each = 0; each < 600; ++each) {
        happens(
            static_cast<std::uint32_t>(random.below(lanes_count)),
            fmt::format("a{}", random.below(20)),
            minutes{random.below(48 * 60)},
            random.below(5) != 0
        );
    }
    for (std::uint32_t lane = 0; lane < lanes_count; ++lane) {
        const std::size_t size = lanes_[lane].size();
        const std::size_t half = size / 2;
        write(lane, half, size);
        write(lane, 0, half + random.below(half), "f");
        write(lane, half - random.below(half), size);
    }
    EXPECT_THAT(differences(), IsEmpty());
    happens(1, "a5", minutes{0});
    EXPECT_EQ(differences().size(), 2U) << "it is not there, and what it takes the place of is";
}

}  // namespace
}  // namespace footfall::segments
