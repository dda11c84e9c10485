#include "runtime/memory_shares.h"
#include "segments/combinations.h"
#include "segments/sampled.h"
#include "segments/segments.h"
#include "segments/test_segments.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace footfall::segments {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

Member member_until(const std::string& id, Instant expires) {
    return {.id = identities::id_of(id), .expires = expires};
}

std::vector<Member> many_members(std::size_t many) {
    std::vector<Member> members;
    members.reserve(many);
    for (std::size_t number = 0; number < many; ++number) {
        members.push_back({.id = identities::id_of(fmt::format("app:{}", number))});
    }
    return members;
}

class SegmentRowsTest : public testing::TestWithParam<bool> {
protected:
    Segments& segments() { return world_.segments(); }

    std::uint64_t people(const std::string& name) {
        EXPECT_TRUE(world_.derive());
        const auto found = segments().size(name);
        EXPECT_TRUE(found) << found.error().message;
        return found ? found->people : 0;
    }

    static ErrorKind kind_of(const auto& result) {
        EXPECT_FALSE(result);
        return result.error().kind;
    }

    SegmentsWorld world_{1, GetParam()};
};

TEST_P(SegmentRowsTest, a_member_ends_by_the_clock) {
    const Instant now = world_.clock().now();
    ASSERT_TRUE(world_.add(
        "s", {member_until("app:a", now + seconds{100}), member_until("app:b", now + seconds{200})}
    ));
    EXPECT_EQ(people("s"), 2);
    world_.clock().set(now + seconds{100});
    EXPECT_FALSE(*segments().is_member("s", identities::id_of("app:a")));
    EXPECT_TRUE(*segments().is_member("s", identities::id_of("app:b")));
    EXPECT_EQ(people("s"), 1);
    EXPECT_EQ(segments().members("s", "", 10)->rows.size(), 1);
    world_.clock().set(now + seconds{200});
    EXPECT_EQ(people("s"), 0);
    ASSERT_TRUE(segments().add("s", std::vector{member_until("app:c", now)})) << "it is past";
    EXPECT_EQ(people("s"), 0);
    world_.expect_verified();
}

TEST_P(SegmentRowsTest, a_member_that_is_said_again_has_another_end) {
    const Instant now = world_.clock().now();
    ASSERT_TRUE(world_.add("s", {member_until("app:a", now + seconds{10})}));
    EXPECT_EQ(people("s"), 1);
    ASSERT_TRUE(world_.add("s", {{.id = identities::id_of("app:a")}}));
    world_.clock().set(now + hours{24});
    EXPECT_EQ(people("s"), 1);
    ASSERT_TRUE(world_.add("s", {member_until("app:a", world_.clock().now() + seconds{9})}));
    EXPECT_EQ(people("s"), 1);
    world_.clock().advance(seconds{9});
    EXPECT_EQ(people("s"), 0);
}

TEST_P(SegmentRowsTest, a_segment_that_is_dropped_leaves_nothing_behind) {
    ASSERT_TRUE(world_.add("s", many_members(3000)));
    ASSERT_TRUE(world_.add("t", many_members(10)));
    EXPECT_EQ(people("s"), 3000);
    ASSERT_TRUE(world_.drop("s"));
    EXPECT_EQ(kind_of(segments().size("s")), ErrorKind::not_found);
    EXPECT_EQ(kind_of(segments().drop("s")), ErrorKind::not_found);
    world_.clock().advance(seconds{10});
    EXPECT_EQ(people("t"), 10);
    EXPECT_EQ(segments().figures().people, 10);
    for (const storage::Table* const table :
         {&segment_member_table,
          &segment_of_table,
          &segment_told_table,
          &segment_person_table,
          &segment_change_table}) {
        std::size_t rows = 0;
        identities::for_each_row(world_.store(), *table, [&](const auto&, std::size_t) { ++rows; });
        EXPECT_EQ(rows, 10) << table->name;
    }
    std::size_t left = 0;
    identities::for_each_row(world_.store(), segment_dropped_table, [&](const auto&, std::size_t) {
        ++left;
    });
    EXPECT_EQ(left, 0);
    ASSERT_TRUE(world_.add("s", many_members(2)));
    EXPECT_EQ(people("s"), 2);
    EXPECT_EQ(segments().changes("s", 0, "", 10)->rows.front().number, 1);
    world_.expect_verified();
}

TEST_P(SegmentRowsTest, members_are_listed_once_each_page_by_page) {
    ASSERT_TRUE(world_.add("s", many_members(1000)));
    std::set<identities::Id> listed;
    std::string cursor;
    do {
        const auto page = segments().members("s", cursor, 7);
        ASSERT_TRUE(page);
        for (const Member& each : page->rows) {
            EXPECT_TRUE(listed.insert(each.id).second);
        }
        EXPECT_LE(page->rows.size(), 7);
        cursor = page->cursor;
    } while (!cursor.empty());
    EXPECT_EQ(listed.size(), 1000);
    for (const char* const wrong : {"x", "7", "256:", "-1:", "7:zz", "7x:00"}) {
        EXPECT_EQ(kind_of(segments().members("s", wrong, 7)), ErrorKind::invalid_input) << wrong;
    }
}

TEST_P(SegmentRowsTest, segments_are_listed_by_prefix) {
    for (const char* const name : {"b", "a/2", "a/1", "a/3", "c", "a"}) {
        ASSERT_TRUE(segments().create(name));
    }
    std::vector<std::string> names;
    std::string cursor;
    do {
        const auto page = segments().list("a/", cursor, 2);
        ASSERT_TRUE(page);
        for (const Segment& each : page->rows) {
            names.push_back(each.name);
        }
        cursor = page->cursor;
    } while (!cursor.empty());
    EXPECT_EQ(names, (std::vector<std::string>{"a/1", "a/2", "a/3"}));
    EXPECT_EQ(segments().list("", "", 100)->rows.size(), 6);
    EXPECT_TRUE(segments().list("d", "", 100)->rows.empty());
    const auto found = *segments().find("b");
    ASSERT_TRUE(found);
    EXPECT_EQ(segments().create("b")->number, found.value_or(Segment{}).number);
}

TEST_P(SegmentRowsTest, changes_are_told_by_network_and_go_over_chunks) {
    std::vector<Member> members = many_members(9000);
    members.push_back({.id = identities::id_of("web:z")});
    ASSERT_TRUE(world_.add("s", members));
    EXPECT_EQ(people("s"), 9001);
    const auto of_web = segments().changes("s", 0, "web", 10);
    ASSERT_EQ(of_web->rows.size(), 1);
    EXPECT_FALSE(of_web->more);
    EXPECT_EQ(of_web->after, 9001);
    std::uint64_t last = 0;
    for (bool more = true; more;) {
        const auto changes = segments().changes("s", last, "app", 5000);
        ASSERT_TRUE(changes);
        last = changes->after;
        more = changes->more;
    }
    EXPECT_EQ(last, 9001);
    world_.expect_verified();
    ASSERT_NO_FATAL_FAILURE(world_.restart());
    ASSERT_TRUE(world_.add("s", {{.id = identities::id_of("web:y")}}));
    EXPECT_EQ(people("s"), 9002);
    world_.expect_verified();
}

TEST_P(SegmentRowsTest, what_is_no_name_no_id_and_no_question_is_refused) {
    const std::vector<Member> one = many_members(1);
    for (const std::string& name :
         {std::string{},
          std::string(name_bytes_max + 1, 'n'),
          std::string{"\xff"},
          std::string{"a\nb"}}) {
        EXPECT_EQ(kind_of(segments().add(name, one)), ErrorKind::invalid_input);
        EXPECT_EQ(kind_of(segments().find(name)), ErrorKind::invalid_input);
    }
    ASSERT_TRUE(segments().create(std::string(name_bytes_max, 'n')));
    ASSERT_TRUE(segments().create("s"));
    for (const Member& wrong :
         {Member{.id = {"", "user", "a"}},
          Member{.id = {"app", "", "a"}},
          Member{.id = {"app", "user", ""}},
          Member{.id = {"app", "user", std::string(257, 'v')}},
          Member{.id = {"app", "user", "\xc3"}}}) {
        EXPECT_EQ(kind_of(segments().add("s", std::vector{wrong})), ErrorKind::invalid_input);
        EXPECT_EQ(kind_of(segments().is_member("s", wrong.id)), ErrorKind::invalid_input);
    }
    EXPECT_EQ(
        kind_of(segments().add("s", std::vector<Member>(members_max + 1, one.front()))),
        ErrorKind::invalid_input
    );
    EXPECT_EQ(kind_of(segments().count({})), ErrorKind::invalid_input);
    EXPECT_EQ(kind_of(segments().count({.none = {"s"}})), ErrorKind::invalid_input);
    EXPECT_EQ(kind_of(segments().count({.all = {"t"}})), ErrorKind::not_found);
    EXPECT_EQ(
        kind_of(segments().count({.all = std::vector<std::string>(101, "s")})),
        ErrorKind::invalid_input
    );
    EXPECT_EQ(kind_of(segments().overlap({})), ErrorKind::invalid_input);
    EXPECT_EQ(
        kind_of(segments().overlap(std::vector<std::string>{"s", "s"})), ErrorKind::invalid_input
    );
    EXPECT_EQ(
        kind_of(segments().changes("s", std::numeric_limits<std::uint64_t>::max(), "", 1)),
        ErrorKind::invalid_input
    );
    EXPECT_EQ(kind_of(segments().remove("t", {})), ErrorKind::not_found);
    segments().end();
    EXPECT_EQ(kind_of(segments().size("s")), ErrorKind::unavailable);
    EXPECT_EQ(kind_of(segments().derive({})), ErrorKind::unavailable);
}

TEST_P(SegmentRowsTest, there_is_an_end_to_how_many_segments_there_are) {
    for (std::size_t number = 0; number < 3; ++number) {
        ASSERT_TRUE(segments().create(fmt::format("{}", number)));
    }
    storage::Batch batch;
    for (std::size_t number = 3; number < segments_max; ++number) {
        batch.upsert(
            segment_table,
            {"segments",
             fmt::format("{}", number),
             static_cast<std::int64_t>(number),
             std::int64_t{0}}
        );
    }
    ASSERT_TRUE(storage::write_durably(world_.store(), batch));
    ASSERT_NO_FATAL_FAILURE(world_.restart());
    EXPECT_EQ(kind_of(segments().create("one more")), ErrorKind::overloaded);
    ASSERT_TRUE(segments().drop("7"));
    EXPECT_TRUE(segments().create("one more"));
}

/// Notes of members and of profiles expire; whoever comes then goes through everything.
TEST_P(SegmentRowsTest, who_was_away_for_longer_than_notes_count_looks_at_everything) {
    ASSERT_TRUE(world_.add("s", many_members(20)));
    EXPECT_EQ(people("s"), 20);
    segments().end();
    ASSERT_TRUE(world_.add(
        "s",
        {member_until("app:20", world_.clock().now() + hours{1000}),
         member_until("app:21", world_.clock().now() + hours{1})}
    ));
    ASSERT_TRUE(world_.say(identities::link(1'790'000'000, {"app:0", "app:1"})));
    world_.clock().advance(hours{24 * 30});
    world_.inner().reclaim();
    ASSERT_NO_FATAL_FAILURE(world_.restart());
    EXPECT_EQ(people("s"), 20) << "21 ids that have not ended, two of them one person";
    world_.expect_verified();
}

/// Sets that do not fit even of few people are given up.
TEST_P(SegmentRowsTest, memory_has_a_bound) {
    runtime::MemoryShare little{64};
    Segments bounded{
        world_.store(), world_.settling(), world_.clock(), {.memory = &little, .shared = GetParam()}
    };
    segments().end();
    ASSERT_TRUE(bounded.begin());
    ASSERT_TRUE(bounded.add("s", many_members(1000)));
    for (int turn = 0; turn < 10; ++turn) {
        world_.clock().advance(seconds{1});
        ASSERT_TRUE(bounded.derive({}));
    }
    EXPECT_EQ(kind_of(bounded.size("s")), ErrorKind::overloaded);
    EXPECT_EQ(bounded.memory().first, bounded.memory().second);
    EXPECT_EQ(bounded.changes("s", 0, "", 10'000)->rows.size(), 1000) << "rows go on";
}

/// Where there is room for some people numbers are estimates, within their bounds, that follow who
/// leaves; where room comes they are counted again.
TEST_P(SegmentRowsTest, what_does_not_fit_is_estimated) {
    constexpr std::array<std::size_t, 3> least{1, 1, 1};
    runtime::MemoryShares shares{45'000, least};
    Segments bounded{
        world_.store(),
        world_.settling(),
        world_.clock(),
        {.memory = &shares.share(0), .shared = GetParam()}
    };
    const auto derive = [&] {
        for (int turn = 0; turn < 3; ++turn) {
            world_.clock().advance(seconds{1});
            while (bounded.derive({})->count() == 0) {
            }
        }
    };
    segments().end();
    ASSERT_TRUE(bounded.begin());
    const std::vector<Member> members = many_members(5000);
    ASSERT_TRUE(bounded.add("s", members));
    ASSERT_TRUE(bounded.add("t", std::span{members}.first(2500)));
    derive();
    const std::vector<std::string> names{"s", "t"};
    const auto expect_about = [](std::uint64_t people, std::uint32_t one_of, std::uint64_t truth) {
        const Estimate estimate = estimate_of(people, one_of);
        EXPECT_LE(estimate.low, truth);
        EXPECT_GE(estimate.high, truth);
        EXPECT_LT(estimate.error, 0.1);
    };
    const auto overlaps = bounded.overlap(names);
    ASSERT_TRUE(overlaps) << overlaps.error().message;
    ASSERT_GT(overlaps->one_of, 1);
    expect_about(overlaps->sizes[0], overlaps->one_of, 5000);
    expect_about(overlaps->sizes[1], overlaps->one_of, 2500);
    EXPECT_EQ(overlaps->pairs[0], overlaps->sizes[1])
        << "all of t are in s, also of those looked at";
    const auto combined = combinations(bounded, names);
    ASSERT_TRUE(combined);
    EXPECT_EQ(combined->people[1] + combined->people[3], overlaps->sizes[0]);
    EXPECT_EQ(combined->people[2], 0);
    const auto only = bounded.count({.all = {"s"}, .none = {"t"}});
    ASSERT_TRUE(only);
    expect_about(only->people, only->one_of, 2500);
    const auto asked = sketched(bounded, names);
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->pairs[0].count, static_cast<double>(overlaps->pairs[0]));
    EXPECT_EQ(bounded.memory().first, bounded.memory().second);
    EXPECT_LE(bounded.memory().first, shares.share(0).bytes());

    std::vector<identities::Id> gone;
    for (const Member& each : std::span{members}.first(2000)) {
        gone.push_back(each.id);
    }
    ASSERT_TRUE(bounded.remove("s", gone));
    derive();
    const auto left = bounded.size("s");
    ASSERT_TRUE(left);
    expect_about(left->people, left->one_of, 3000);

    for (int turn = 0; turn < 100 && bounded.size("s")->one_of != 1; ++turn) {
        shares.follow_use();
        ASSERT_TRUE(bounded.derive({}));
    }
    EXPECT_EQ(bounded.size("s")->people, 3000);
    EXPECT_EQ(bounded.size("s")->one_of, 1);
    EXPECT_EQ(bounded.overlap(names)->pairs[0], 500);
}

INSTANTIATE_TEST_SUITE_P(, SegmentRowsTest, testing::Bool(), [](const auto& shared) {
    return shared.param ? "beside_others" : "alone";
});

}  // namespace
}  // namespace footfall::segments
