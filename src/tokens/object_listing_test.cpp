#include "tokens/object_listing.h"

#include "storage_testing/random_rows.h"
#include "tokens/test_world.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace footfall::tokens {
namespace {

using testing::ElementsAre;

class ObjectListingTest : public testing::Test {
protected:
    void put(const std::string& object, int tokens, std::optional<std::chrono::seconds> ttl = {}) {
        for (int token = 0; token < tokens; ++token) {
            ASSERT_TRUE(world_.put("few", object, std::to_string(token), ttl));
        }
    }

    ObjectsByName by_name(
        const std::string& after,
        std::size_t limit,
        std::size_t rows_max = 2000,
        const std::stop_token& stop = {}
    ) {
        return *list_by_name(
            world_.store(), world_.counters(), world_.config("few"), after, limit, stop, rows_max
        );
    }

    /// All of them, page by page.
    std::vector<std::string> names(std::size_t page, std::size_t rows_max = 2000) {
        std::vector<std::string> all;
        std::optional<std::string> cursor{""};
        for (int pages = 0; cursor && pages < 1000; ++pages) {
            const ObjectsByName listed = by_name(*cursor, page, rows_max);
            EXPECT_LE(listed.objects.size(), page);
            for (const ListedObject& object : listed.objects) {
                all.push_back(object.object);
            }
            EXPECT_TRUE(!listed.next || *listed.next > *cursor) << "it goes on";
            cursor = listed.next;
        }
        EXPECT_FALSE(cursor) << "it comes to an end";
        return all;
    }

    LargestObjects largest(std::size_t limit, std::size_t rows_max = 20'000) {
        return *list_largest(
            world_.store(), world_.counters(), world_.config("few"), limit, {}, rows_max
        );
    }

    std::vector<std::uint64_t> counts(std::size_t limit) {
        std::vector<std::uint64_t> all;
        for (const ListedObject& object : largest(limit).objects) {
            all.push_back(object.count.count);
        }
        return all;
    }

    World world_{{{.name = "few", .ttl = 1000s, .limit = 200}, {.name = "open"}}};
};

TEST_F(ObjectListingTest, lists_objects_by_name_and_by_count) {
    put("b", 3);
    put("a", 1);
    put("c", 70);
    put("d", 201);
    EXPECT_THAT(names(1), ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(counts(3), ElementsAre(200, 70, 3));
    EXPECT_TRUE(largest(1).objects[0].count.at_least);
    EXPECT_TRUE(largest(0).objects.empty());
}

TEST_F(ObjectListingTest, leaves_out_objects_whose_tokens_have_expired) {
    put("brief", 5, 10s);
    put("lasting", 2);
    world_.clock().advance(11s);
    EXPECT_THAT(names(10), ElementsAre("lasting"));
    EXPECT_THAT(counts(10), ElementsAre(2));
    world_.restart();
    EXPECT_THAT(names(10), ElementsAre("lasting"));
}

TEST_F(ObjectListingTest, lists_what_never_expires) {
    ASSERT_TRUE(world_.put("open", "for ever", "a"));
    world_.clock().advance(std::chrono::hours{100'000});
    const CounterConfig& config = world_.config("open");
    const auto listed = list_by_name(world_.store(), world_.counters(), config, "", 10);
    ASSERT_EQ(listed->objects.size(), 1U);
    EXPECT_EQ(listed->objects[0].object, "for ever");
    EXPECT_FALSE(listed->next);
    EXPECT_EQ(list_largest(world_.store(), world_.counters(), config, 10)->objects.size(), 1U);
}

TEST_F(ObjectListingTest, says_when_it_has_not_looked_at_enough) {
    for (int object = 0; object < 20; ++object) {
        put(std::to_string(object), 1 + object % 3);
    }
    EXPECT_FALSE(largest(30, 19).complete);
    EXPECT_TRUE(largest(30, 20).complete);
}

TEST_F(ObjectListingTest, a_page_looks_at_so_many_rows_and_says_where_to_go_on) {
    for (int object = 100; object < 150; ++object) {
        put(std::to_string(object), 1, 10s);
    }
    put("200", 1);
    world_.clock().advance(15s);  // the tokens have expired, their rows of the directory not yet
    world_.restart();
    const ObjectsByName first = by_name("", 10, 20);
    EXPECT_TRUE(first.objects.empty());
    EXPECT_EQ(first.next, "119");
    EXPECT_EQ(world_.loads(), 20U);
    EXPECT_EQ(by_name("119", 10, 20).next, "139");
    const ObjectsByName last = by_name("139", 10, 20);
    ASSERT_EQ(last.objects.size(), 1U);
    EXPECT_EQ(last.objects[0].object, "200");
    EXPECT_FALSE(last.next);
    EXPECT_EQ(world_.loads(), 51U) << "each was looked at once";
}

TEST_F(ObjectListingTest, rows_that_have_expired_are_looked_at_too) {
    for (int object = 100; object < 150; ++object) {
        put(std::to_string(object), 1, 10s);
    }
    // A store may keep such rows for an hour.
    world_.clock().advance(1015s);
    put("200", 1);
    world_.restart();
    std::size_t pages = 1;
    for (auto cursor = by_name("", 10, 20).next; cursor; cursor = by_name(*cursor, 10, 20).next) {
        ++pages;
    }
    EXPECT_EQ(pages, 3U);
    EXPECT_EQ(world_.loads(), 1U);
    EXPECT_FALSE(largest(10, 20).complete);
    EXPECT_TRUE(largest(10, 60).complete);
}

TEST_F(ObjectListingTest, a_list_that_nobody_waits_for_ends) {
    put("a", 1);
    put("b", 2);
    std::stop_source left;
    left.request_stop();
    const CounterConfig& config = world_.config("few");
    const auto by_name =
        list_by_name(world_.store(), world_.counters(), config, "", 10, left.get_token());
    const auto by_count =
        list_largest(world_.store(), world_.counters(), config, 10, left.get_token());
    EXPECT_EQ(by_name.error().kind, ErrorKind::cancelled);
    EXPECT_EQ(by_count.error().kind, ErrorKind::cancelled);
}

TEST_F(ObjectListingTest, stops_at_the_class_that_cannot_hold_a_larger_one) {
    put("large", 70);
    for (int object = 0; object < 20; ++object) {
        put(std::to_string(object), 1);
    }
    world_.restart();
    EXPECT_TRUE(largest(1, 1).complete);
    EXPECT_EQ(world_.loads(), 1U);
}

TEST_F(ObjectListingTest, keeps_listing_everything_when_the_limit_changes) {
    put("large", 100);
    put("larger", 201);
    world_.configure({{.name = "few", .ttl = 1000s, .limit = 5}});
    world_.restart();
    EXPECT_THAT(names(10), ElementsAre("large", "larger"));
    for (int token = 0; token < 150; ++token) {
        ASSERT_TRUE(world_.put("few", "grown", std::to_string(token)));
    }
    world_.configure({{.name = "few", .ttl = 1000s, .limit = 1000}});
    world_.restart();
    EXPECT_THAT(counts(3), ElementsAre(201, 150, 100));
    world_.restart();
    EXPECT_EQ(largest(2).objects[1].object, "grown");
}

TEST_F(ObjectListingTest, hands_on_what_went_wrong) {
    put("a", 1);
    world_.restart({.fail_read = 1});
    const CounterConfig& config = world_.config("few");
    EXPECT_FALSE(list_by_name(world_.store(), world_.counters(), config, "", 10));
    EXPECT_FALSE(list_largest(world_.store(), world_.counters(), config, 10));
}

TEST_F(ObjectListingTest, agrees_with_sorting_everything) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    Random random{seed};
    world_.configure({{.name = "few", .ttl = 1000s, .limit = 1000}});
    world_.restart();
    std::map<std::string, std::map<std::string, std::int64_t>> oracle;
    for (int round = 0; round < 25; ++round) {
        SCOPED_TRACE(round);
        for (int step = 0; step < 12; ++step) {
            const std::string object = fmt::format("{}", random.below(150));
            const auto tokens = 1 + random.below(std::uint64_t{1} << random.below(8));
            const std::chrono::seconds ttl{1 + random.below(1000)};
            for (std::uint64_t token = 0; token < tokens; ++token) {
                const std::string name = fmt::format("{} {}", round % 4, token);
                std::int64_t& expiry = oracle[object][name];
                expiry = std::max(expiry, expiry_of(world_.clock().now(), ttl));
                ASSERT_TRUE(world_.put("few", object, name, ttl));
            }
        }
        world_.clock().advance(std::chrono::milliseconds{random.below(200'000)});
        if (random.below(4) == 0) {
            world_.restart();
        }
        std::vector<std::string> expected_names;
        std::vector<std::uint64_t> expected_counts;
        for (const auto& [object, tokens] : oracle) {
            const auto live = std::ranges::count_if(tokens, [&](const auto& token) {
                return token.second > world_.now_ms();
            });
            if (live > 0) {
                expected_names.push_back(object);
                expected_counts.push_back(static_cast<std::uint64_t>(live));
            }
        }
        ASSERT_EQ(names(1 + random.below(40), 20 + random.below(80)), expected_names);
        std::ranges::sort(expected_counts, std::greater<>{});
        const std::size_t limit = 1 + random.below(30);
        const std::vector<std::uint64_t> found = counts(limit);
        ASSERT_EQ(found.size(), std::min(limit, expected_counts.size()));
        for (std::size_t at = 0; at < found.size(); ++at) {
            ASSERT_EQ(found[at], expected_counts[at]);
        }
    }
}

}  // namespace
}  // namespace footfall::tokens
