#include "segments/erasing.h"

#include "segment_events/schema.h"
#include "segment_rules/latest_events.h"
#include "segment_rules/rule.h"
#include "segments/test_segments.h"
#include "storage/blocking.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace footfall::segments {
namespace {

using std::chrono::seconds;

/// Whether somebody is in two segments as a part of a profile, and as a person alone, beside who
/// stays; and then erased.
class ErasingTest : public testing::TestWithParam<bool> {
protected:
    static Member member_of(const std::string& id) { return {.id = identities::id_of(id)}; }

    void plant() {
        ASSERT_TRUE(world_.say(identities::link(1'790'000'000, {"mail:planted-a", "app:planted-b"}))
        );
        ASSERT_TRUE(
            world_.add("buyers", {member_of("mail:planted-a"), member_of("mail:planted-c"), stays_})
        );
        ASSERT_TRUE(world_.add("readers", {member_of("app:planted-b"), stays_}));
        ASSERT_TRUE(world_.derive());
        ASSERT_NO_FATAL_FAILURE(world_.expect_right());
    }

    bool erase() {
        return world_.erase(
            identities::ids_named({"app:planted-b", "mail:planted-a", "mail:planted-c"})
        );
    }

    Erasing make() {
        return {
            world_.store(),
            world_.ledger(),
            world_.segments(),
            world_.clock(),
            [this]() -> Result<Erasing::Hearers> { return hearers_; }
        };
    }

    /// Whether it comes to its end.
    bool sweep(Erasing& erasing) {
        for (int times = 0; times < 20; ++times) {
            if (!world_.derive()) {
                return false;
            }
            const auto done = erasing.sweep({});
            if (!done || *done != erasure::Swept::open) {
                return done && *done == erasure::Swept::done;
            }
            world_.clock().advance(seconds{1});
        }
        return false;
    }

    /// The tables that have rows with this text.
    std::vector<std::string> tables_with(const std::string& text) {
        std::vector<std::string> found;
        for (const storage::Table* const table : all_tables) {
            const auto page = storage::scan_page(world_.inner(), {.table = table});
            bool has_it = false;
            for (std::size_t row = 0; page && row < page->rows.size(); ++row) {
                for (std::size_t column = 0; column < table->width(); ++column) {
                    if (!is_number(table->column(column).type)) {
                        has_it |= page->rows.at(row, column).text().contains(text);
                    }
                }
            }
            if (has_it) {
                found.emplace_back(table->name);
            }
        }
        return found;
    }

    std::uint64_t people(const std::string& name) {
        const auto found = world_.segments().size(name);
        EXPECT_TRUE(found);
        return found ? found->people : 0;
    }

    const Member stays_ = member_of("mail:stays");
    SegmentsWorld world_{1, GetParam()};
    Erasing::Hearers hearers_;
};

TEST_P(ErasingTest, leaves_no_row_with_them_and_numbers_without_a_gap) {
    plant();
    EXPECT_GE(tables_with("planted").size(), 5);
    ASSERT_TRUE(erase());
    ASSERT_TRUE(world_.derive());
    EXPECT_EQ(people("buyers"), 1);
    EXPECT_EQ(people("readers"), 1);
    ASSERT_NO_FATAL_FAILURE(world_.expect_right()) << "who follows is told that they left";
    Erasing erasing = make();
    ASSERT_TRUE(sweep(erasing));
    EXPECT_EQ(tables_with("planted"), std::vector<std::string>{});
    EXPECT_FALSE(tables_with("stays").empty());
    const auto changes = world_.segments().changes("buyers", 0, "", 100);
    ASSERT_TRUE(changes);
    ASSERT_EQ(changes->rows.size(), 7);
    std::size_t erased = 0;
    for (std::size_t at = 0; at < changes->rows.size(); ++at) {
        EXPECT_EQ(changes->rows[at].number, at + 1);
        EXPECT_FALSE(changes->rows[at].id.identifier.empty());
        erased += changes->rows[at].is_erased() ? 1 : 0;
    }
    EXPECT_EQ(erased, 6);
    world_.expect_verified();
    world_.restart();
    ASSERT_TRUE(world_.derive());
    EXPECT_EQ(people("buyers"), 1);
    world_.expect_verified();
}

TEST_P(ErasingTest, waits_for_whoever_is_sent_changes) {
    plant();
    const auto number = world_.segments().find("buyers").value().value_or(Segment{}).number;
    ASSERT_TRUE(erase());
    hearers_[number] = {{.network = "app", .after = 100}, {.network = "mail", .after = 4}};
    Erasing erasing = make();
    EXPECT_FALSE(sweep(erasing));
    EXPECT_EQ(tables_with("planted"), std::vector<std::string>{"segment_change"});
    hearers_[number][1].after = 7;
    EXPECT_TRUE(sweep(erasing));
    EXPECT_EQ(tables_with("planted"), std::vector<std::string>{});
}

TEST_P(ErasingTest, keeps_who_comes_again) {
    plant();
    ASSERT_TRUE(erase());
    ASSERT_TRUE(world_.derive());
    world_.clock().advance(std::chrono::minutes{2});
    ASSERT_TRUE(world_.add("buyers", {member_of("mail:planted-a")}));
    ASSERT_TRUE(world_.derive());
    Erasing erasing = make();
    ASSERT_TRUE(sweep(erasing));
    EXPECT_EQ(people("buyers"), 2);
    EXPECT_FALSE(tables_with("planted-a").empty());
    EXPECT_EQ(tables_with("planted-c"), std::vector<std::string>{});
    const auto changes = world_.segments().changes("buyers", 7, "", 100);
    ASSERT_TRUE(changes);
    ASSERT_EQ(changes->rows.size(), 1);
    EXPECT_EQ(changes->rows[0].id.id_value, "planted-a");
    world_.expect_verified();
}

TEST_P(ErasingTest, is_for_whoever_derives_and_members_go_before) {
    plant();
    world_.segments().end();
    ASSERT_TRUE(erase());
    Erasing erasing = make();
    EXPECT_EQ(erasing.sweep({}).value(), erasure::Swept::elsewhere);
    const auto left = tables_with("planted");
    EXPECT_EQ(std::ranges::count(left, "segment_member"), 0);
    EXPECT_EQ(std::ranges::count(left, "segment_of"), 0);
    world_.restart();
    Erasing again = make();
    ASSERT_TRUE(sweep(again));
    EXPECT_EQ(tables_with("planted"), std::vector<std::string>{});
    EXPECT_EQ(people("buyers"), 1);
    world_.expect_verified();
}

TEST_P(ErasingTest, forgets_what_rules_counted_of_them_by_then) {
    plant();
    const Instant before = world_.clock().now() - seconds{60};
    const Instant since = world_.clock().now() + seconds{60};
    storage::Batch batch;
    const auto did = [&](std::string_view name, std::initializer_list<Instant> times) {
        segment_rules::LatestEvents events{segment_rules::times_max};
        for (const Instant each : times) {
            events.add({.time = each, .lane = 3, .offset = 7});
        }
        const std::string bytes = events.bytes();
        batch.upsert(
            segment_events::segment_did_table,
            {"mail",
             "user",
             name,
             std::int64_t{5},
             "writer",
             std::string_view{bytes},
             std::int64_t{0}}
        );
    };
    did("planted-a", {before, since});
    did("planted-c", {before});
    did("stays", {before});
    ASSERT_TRUE(storage::write_durably(world_.inner(), batch));
    ASSERT_TRUE(erase());
    Erasing erasing = make();
    ASSERT_TRUE(sweep(erasing));
    const auto page =
        storage::scan_page(world_.inner(), {.table = &segment_events::segment_did_table});
    ASSERT_TRUE(page);
    std::map<std::string, std::size_t> left;
    for (std::size_t row = 0; row < page->rows.size(); ++row) {
        const auto events = segment_rules::LatestEvents::read(
            page->rows.at(row, 5).text(), segment_rules::times_max
        );
        ASSERT_TRUE(events);
        left[std::string{page->rows.at(row, 2).text()}] = events->marks().size();
    }
    EXPECT_EQ(left, (std::map<std::string, std::size_t>{{"planted-a", 1}, {"stays", 1}}));
}

/// Between any two writes, as a kill -9 comes.
TEST_P(ErasingTest, goes_on_after_kills) {
    for (std::size_t writes = 0; writes < 40; ++writes) {
        SCOPED_TRACE(fmt::format("after {} writes", writes));
        SegmentsWorld world{writes, GetParam()};
        ASSERT_TRUE(world.say(identities::link(1'790'000'000, {"mail:planted-a", "app:planted-b"}))
        );
        ASSERT_TRUE(world.add("buyers", {member_of("mail:planted-a"), stays_}));
        ASSERT_TRUE(world.derive());
        ASSERT_TRUE(world.erase(identities::ids_named({"app:planted-b", "mail:planted-a"})));
        const auto sweep_in = [&] {
            Erasing erasing{world.store(), world.ledger(), world.segments(), world.clock(), [] {
                                return Result<Erasing::Hearers>{Erasing::Hearers{}};
                            }};
            for (int times = 0; times < 20 && world.derive(); ++times) {
                const auto done = erasing.sweep({});
                if (!done || *done != erasure::Swept::open) {
                    return done && *done == erasure::Swept::done;
                }
                world.clock().advance(seconds{1});
            }
            return false;
        };
        world.store().cut_after(writes);
        (void)sweep_in();
        ASSERT_NO_FATAL_FAILURE(world.restart());
        ASSERT_TRUE(sweep_in());
        ASSERT_NO_FATAL_FAILURE(world.expect_verified());
        for (const auto& each : world.segments().changes("buyers", 0, "", 100)->rows) {
            EXPECT_TRUE(each.is_erased() || each.id == stays_.id);
        }
        EXPECT_EQ(world.segments().size("buyers")->people, 1);
    }
}

INSTANTIATE_TEST_SUITE_P(, ErasingTest, testing::Bool(), [](const auto& shared) {
    return shared.param ? "beside_others" : "alone";
});

}  // namespace
}  // namespace footfall::segments
