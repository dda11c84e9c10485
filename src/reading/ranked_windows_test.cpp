// When a window begins, and that what trends depends on no order.

#include "events/event_keys.h"
#include "foundation/random.h"
#include "rankings/windows.h"
#include "reading/test_program.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::reading {
namespace {

using namespace std::chrono_literals;

/// A program with people p0, p1, .. who share.
class RankedProgram : public testing::Test {
protected:
    RankedProgram() {
        for (std::uint64_t at = 0; at < actors_count; ++at) {
            const people::Said said{
                .actor = actor_named(at),
                .consent = people::Consent{.reading = people::Reading::shared}
            };
            CHECK(program_.people->say({&said, 1}).has_value(), "it is said");
        }
    }

    events::JudgedEvent read_of(std::uint64_t actor, const std::string& url, Instant time) {
        const people::Sharers& sharers = program_.people->sharers();
        const auto reader = sharers.reader_of(sharers.id_of(actor_named(actor)).value_or(0));
        events::JudgedEvent judged;
        judged.event = {.time = time, .action = "read", .object = url, .actor = actor_named(actor)};
        judged.read = events::ReadBy{.reader = reader.value_or(people::Reader{}).number};
        return judged;
    }

    void tell(Program& program, const events::JudgedEvent& judged) {
        const projecting::JudgedRecord record{.offset = next_++, .judged = &judged, .person = {}};
        program.projection.apply(events::lane_of(judged.event.object, ranked_secret), {&record, 1});
    }

    /// Enough people to be shown.
    void read(const std::string& url, Instant time) {
        for (std::uint64_t actor = 0; actor < least_of_all; ++actor) {
            tell(program_, read_of(actor, url, time));
        }
    }

    std::vector<std::string> popular(const rankings::Window& window) {
        std::vector<std::string> urls;
        for (const PopularUrl& each : program_.ranked.popular({.window = window})->urls) {
            urls.push_back(each.url);
        }
        return urls;
    }

    ManualClock clock_{Instant{std::chrono::days{20'000}} + 12h + 7min};
    storage::MemoryStore store_{ranked_tables(), clock_};
    Program program_{store_, clock_};
    std::uint64_t next_ = 0;
};

TEST_F(RankedProgram, a_window_begins_with_its_quarter_hour_to_the_microsecond) {
    for (const rankings::Window& window : rankings::windows) {
        SCOPED_TRACE(window.name);
        const std::string in = fmt::format("https://in.example/{}", window.name);
        const std::string out = fmt::format("https://out.example/{}", window.name);
        const Instant begin = clock_.now() - window.length - 7min;
        read(in, begin);
        read(out, begin - 1us);
        EXPECT_THAT(popular(window), testing::Contains(in));
        EXPECT_THAT(popular(window), testing::Not(testing::Contains(out)));
        clock_.advance(8min - 1us);
        EXPECT_THAT(popular(window), testing::Contains(in));
        clock_.advance(1us);
        EXPECT_THAT(popular(window), testing::Not(testing::Contains(in)));
        clock_.advance(-8min);
    }
}

TEST_F(RankedProgram, trends_are_the_same_in_whatever_order_reads_came) {
    Random random{3};
    std::vector<events::JudgedEvent> reads;
    for (std::uint64_t url = 0; url < 20; ++url) {
        const std::chrono::seconds span{url < 3 ? 1200 : 12 * 3600};
        for (std::uint64_t actor = 0; actor < 5 + random.below(25); ++actor) {
            reads.push_back(read_of(
                actor,
                ranked_url(url),
                clock_.now() -
                    std::chrono::seconds{random.below(static_cast<std::uint64_t>(span.count()))}
            ));
        }
    }
    for (const events::JudgedEvent& each : reads) {
        tell(program_, each);
    }
    const auto first = program_.ranked.trending(100, 0);
    ASSERT_TRUE(first);
    EXPECT_FALSE(first->list.objects.empty());
    for (int round = 0; round < 5; ++round) {
        for (std::size_t at = reads.size(); at > 1; --at) {
            std::swap(reads[at - 1], reads[random.below(at)]);
        }
        storage::MemoryStore store{ranked_tables(), clock_};
        Program program{store, clock_};
        for (std::uint64_t at = 0; at < actors_count; ++at) {
            const people::Said said{
                .actor = actor_named(at),
                .consent = people::Consent{.reading = people::Reading::shared}
            };
            CHECK(program.people->say({&said, 1}).has_value(), "it is said");
        }
        for (events::JudgedEvent each : reads) {
            const people::Sharers& sharers = program.people->sharers();
            const auto reader = sharers.reader_of(sharers.id_of(each.event.actor).value_or(0));
            each.read = events::ReadBy{.reader = reader.value_or(people::Reader{}).number};
            tell(program, each);
        }
        const auto again = program.ranked.trending(100, 0);
        ASSERT_TRUE(again);
        ASSERT_EQ(again->list.objects.size(), first->list.objects.size());
        EXPECT_EQ(again->totals.fast, first->totals.fast);
        for (std::size_t at = 0; at < again->list.objects.size(); ++at) {
            EXPECT_EQ(again->list.objects[at].object, first->list.objects[at].object);
            EXPECT_EQ(again->list.objects[at].score, first->list.objects[at].score);
            EXPECT_EQ(again->list.objects[at].people, first->list.objects[at].people);
        }
    }
}

}  // namespace
}  // namespace footfall::reading
