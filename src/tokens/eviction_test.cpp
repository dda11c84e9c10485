#include "tokens/test_world.h"
#include "tokens/token_counters.h"

#include <gtest/gtest.h>

namespace footfall::tokens {
namespace {

constexpr std::size_t share = 64 << 10;
/// So much an operation may add above the share before the hand has taken it away again.
constexpr std::size_t slack = 4 << 10;

class EvictionTest : public testing::Test {
protected:
    explicit EvictionTest(std::size_t memory = share)
        : world_{{{.name = "open"}}, 1, 10'000, memory} {}

    void TearDown() override { world_.check_account(); }

    std::string put(int object, const std::string& token = "a") {
        return text_of(world_.put("open", name_of(object), token));
    }

    std::string get(int object) { return text_of(world_.get("open", name_of(object))); }

    /// Whether the object is in memory: it then needs no load.
    bool in_memory(int object) {
        const std::uint64_t before = world_.loads();
        get(object);
        return world_.loads() == before;
    }

    static std::string name_of(int object) { return fmt::format("object {}", object); }

    MemoryUse use() { return world_.counters().memory_use(); }

    World world_;
};

TEST_F(EvictionTest, keeps_within_the_share_and_forgets_nothing) {
    constexpr int objects = 5000;
    std::size_t most = 0;
    for (int object = 0; object < objects; ++object) {
        ASSERT_EQ(put(object), "1");
        most = std::max(most, use().bytes);
    }
    EXPECT_LE(most, share + slack);
    EXPECT_GT(use().bytes, share / 2);
    EXPECT_GT(use().objects, share / 150);
    EXPECT_EQ(world_.metric("footfall_token_objects"), use().objects);
    EXPECT_EQ(world_.metric("footfall_token_bytes"), use().bytes);
    EXPECT_EQ(world_.metric("footfall_token_evictions_total") + use().objects, objects);
    for (int object = 0; object < objects; ++object) {
        ASSERT_EQ(put(object), "1");
        ASSERT_EQ(put(object, "b"), "2");
        ASSERT_EQ(get(object), "2");
    }
    EXPECT_LE(use().bytes, share + slack);
}

TEST_F(EvictionTest, a_scan_does_not_push_out_what_is_used) {
    constexpr int hot = 50;
    for (int object = 0; object < 5000; ++object) {
        put(object);
    }
    for (int object = 0; object < hot; ++object) {
        get(object);
    }
    std::uint64_t reloads = 0;
    for (int cold = hot; cold < 5000; ++cold) {
        reloads += in_memory(cold % hot) ? 0 : 1;
        get(cold);
    }
    EXPECT_LE(reloads, static_cast<std::uint64_t>(hot)) << "once each, at most";
}

TEST_F(EvictionTest, what_is_not_durable_stays) {
    world_.store().set_options({.hold_writes = true});
    for (int object = 0; object < 2000; ++object) {
        ASSERT_EQ(put(object), "1");
    }
    EXPECT_EQ(use().objects, 2000U);
    EXPECT_GT(use().bytes, 2 * share);
    world_.store().set_options({});
    world_.store().release_writes();
    for (int step = 0; step < 2000; ++step) {
        ASSERT_EQ(get(0), "1");
    }
    EXPECT_LE(use().bytes, share + slack) << "other lanes gave way, though only one was used";
    for (int object = 0; object < 2000; ++object) {
        ASSERT_EQ(put(object), "1");
    }
}

TEST_F(EvictionTest, counts_what_an_object_grows_by) {
    put(0);
    const std::size_t before = use().bytes;
    for (int token = 0; token < 1000; ++token) {
        put(0, std::to_string(token));
    }
    EXPECT_NEAR(static_cast<double>(use().bytes - before), 12'000, 2'000);
    world_.store().set_options({.hold_writes = true});
    put(0, "lost");
    world_.store().lose_writes();
    EXPECT_EQ(use().objects, 0U);
    EXPECT_LE(use().bytes, 600U) << "of the lane's table";
}

TEST_F(EvictionTest, counts_nothing_twice_of_an_object_that_was_waited_for) {
    put(0, "a");
    put(0, "b");
    world_.restart();
    EXPECT_EQ(get(0), "2");
    const std::size_t alone = use().bytes;
    world_.restart({.hold_reads = true});
    EXPECT_EQ(get(0), "cancelled") << "it waits";
    EXPECT_EQ(put(0, "a"), "cancelled");
    world_.store().release_reads();
    world_.store().set_options({});
    EXPECT_EQ(get(0), "2");
    EXPECT_EQ(use().bytes, alone);
}

TEST_F(EvictionTest, an_object_of_three_tokens_takes_at_most_100_bytes_and_140_with_expiry) {
    World world{{{.name = "open"}, {.name = "day", .ttl = 86'400s}}};
    for (const char* counter : {"open", "day"}) {
        const MemoryUse before = world.counters().memory_use();
        constexpr int objects = 10'000;
        for (int object = 0; object < objects; ++object) {
            for (const char* token : {"a", "b", "c"}) {
                ASSERT_TRUE(world.put(counter, fmt::format("/articles/{:06}", object), token));
            }
        }
        const MemoryUse after = world.counters().memory_use();
        ASSERT_EQ(after.objects - before.objects, static_cast<std::size_t>(objects));
        const std::size_t each = (after.bytes - before.bytes) / objects;
        fmt::print("counter {}: {} bytes an object of three tokens\n", counter, each);
        EXPECT_LE(each, counter == std::string_view{"open"} ? 100U : 140U);
    }
}

/// With enough memory for objects to become cold before they go.
class ColdTest : public EvictionTest {
protected:
    static constexpr std::size_t large_share = 2 << 20;

    ColdTest() : EvictionTest{large_share} {}
};

TEST_F(ColdTest, many_more_objects_stay_and_none_is_loaded_for_a_new_token) {
    constexpr int objects = 20'000;
    for (int object = 0; object < objects; ++object) {
        ASSERT_EQ(put(object), "1");
    }
    EXPECT_EQ(use().objects, static_cast<std::size_t>(objects));
    EXPECT_LE(use().bytes, large_share + slack);
    const std::uint64_t before = world_.loads();
    for (int object = 0; object < objects; ++object) {
        ASSERT_EQ(get(object), "1");
        ASSERT_EQ(put(object, "b"), "2");
    }
    // Of two tokens one time in 65,536 the short hashes are alike.
    EXPECT_LE(world_.loads() - before, 10U);
    EXPECT_LE(use().bytes, large_share + slack);
    for (int object = 0; object < objects; ++object) {
        ASSERT_EQ(put(object), "2") << "a token that is there already";
        ASSERT_EQ(put(object, "c"), "3");
    }
    EXPECT_GT(world_.loads() - before, 100U) << "which only the store knows";
    EXPECT_LE(use().bytes, large_share + slack);
    EXPECT_EQ(world_.metric("footfall_token_objects"), use().objects);
    EXPECT_EQ(world_.metric("footfall_token_bytes"), use().bytes);
}

TEST_F(ColdTest, counts_both_of_two_tokens_whose_short_hashes_are_alike) {
    constexpr int objects = 8'000;
    constexpr int tokens = 30;
    for (int token = 0; token < tokens; ++token) {
        for (int object = 0; object < objects; ++object) {
            // About one time in 65,536 / token the object holds one that is alike by 16 bits.
            const std::string name = fmt::format("{} of {}", token, object);
            ASSERT_EQ(put(object, name), std::to_string(token + 1));
        }
    }
    EXPECT_GT(world_.metric("footfall_token_cold_objects"), objects / 2U);
}

TEST_F(ColdTest, forgets_nothing_of_what_goes_at_last) {
    constexpr int objects = 100'000;
    for (int object = 0; object < objects; ++object) {
        ASSERT_EQ(put(object), "1");
    }
    EXPECT_LE(use().bytes, large_share + slack);
    EXPECT_GT(use().objects, large_share / 80);
    EXPECT_EQ(world_.metric("footfall_token_evictions_total") + use().objects, objects);
    for (int object = 0; object < objects; ++object) {
        ASSERT_EQ(put(object, object % 2 == 0 ? "a" : "b"), object % 2 == 0 ? "1" : "2");
    }
    EXPECT_LE(use().bytes, large_share + slack);
}

TEST_F(ColdTest, repeated_tokens_get_the_memory) {
    constexpr int objects = 12'000;  // 100 bytes each in full would fit, with few others
    constexpr int others = 20'000;
    for (int object = 0; object < objects + others; ++object) {
        ASSERT_EQ(put(object), "1");
    }
    std::uint64_t last = 0;
    for (int round = 0; round < 20; ++round) {
        const std::uint64_t before = world_.loads();
        for (int object = 0; object < objects; ++object) {
            ASSERT_EQ(put(object), "1");
        }
        last = world_.loads() - before;
    }
    EXPECT_LT(last, objects / 10U);
}

TEST_F(ColdTest, small_objects_give_way_to_large_ones_whatever_share_they_have) {
    constexpr int small = 16'000;
    for (int round = 0; round < 20; ++round) {
        for (int object = 0; object < small; ++object) {
            ASSERT_EQ(put(object), "1") << "again and again, which gives them nearly all there is";
        }
    }
    for (int token = 0; token < 100'000; ++token) {
        put(-1 - token % 10, std::to_string(token));  // 12 bytes each
        if (token % 1000 == 999) {
            for (int asked = 0; asked < 200; ++asked) {
                get(-1 - asked % 10);  // each makes some room: all ten tables may just have grown
            }
            ASSERT_LE(use().bytes, large_share + slack) << "after " << token << " tokens";
        }
    }
    for (int large = 0; large < 10; ++large) {
        EXPECT_EQ(get(-1 - large), "10000");
    }
    for (int object = 0; object < small; ++object) {
        ASSERT_EQ(put(object), "1");
    }
}

TEST_F(ColdTest, lost_writes_drop_the_cold_ones_too) {
    constexpr int objects = 30'000;
    for (int object = 0; object < objects; ++object) {
        put(object);
    }
    world_.store().set_options({.hold_writes = true});
    put(0, "lost");
    world_.store().lose_writes();
    EXPECT_EQ(use().objects, 0U);
    world_.store().set_options({});
    EXPECT_EQ(put(1, "b"), "2");
}

}  // namespace
}  // namespace footfall::tokens
