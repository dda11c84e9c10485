#include "tokens/object_load.h"

#include "tokens/size_class.h"
#include "tokens/test_world.h"

#include <gtest/gtest.h>

namespace footfall::tokens {
namespace {

class ObjectLoadTest : public testing::Test {
protected:
    void store_token(const std::string& token, std::int64_t expiry) {
        batch_.upsert(
            token_table,
            {config_.name,
             "page",
             std::int64_t{0},
             std::int64_t{0},
             span_of(config_, expiry),
             token,
             expiry == never ? 0 : expiry * 1000}
        );
        if (!config_.ttl && expiry != never) {
            const std::int64_t span = span_of(config_, expiry);
            batch_.upsert(
                token_span_table, {config_.name, "page", span, span_end(config_, span) * 1000}
            );
        }
    }

    CountedObject load() {
        EXPECT_TRUE(disk_.submit(batch_));
        ObjectLoad load{disk_, config_, "page", {}, clock_.now()};
        std::optional<Result<CountedObject>> loaded = load.read_now();
        was_now_ = loaded.has_value();
        if (!loaded) {
            ObjectLoad::read_on(std::move(load), [&](Result<CountedObject> object) {
                loaded = std::move(object);
            });
        }
        return **std::move(loaded);
    }

    CounterConfig config_;
    bool was_now_ = false;  ///< The last load did not have to wait.
    ManualClock clock_{test_start};
    const std::int64_t now_ = to_milliseconds(test_start);
    storage::MemoryStore disk_{token_tables, clock_};
    storage::Batch batch_;
};

TEST_F(ObjectLoadTest, unites_the_spans_and_the_later_expiry_wins) {
    const std::int64_t day = 86'400'000;
    store_token("a", now_ + 1000);
    store_token("a", now_ + 40 * day);
    store_token("b", now_ + 2 * day);
    store_token("c", never);
    store_token("c", now_ + 2 * day);
    store_token("expired", now_);
    CountedObject object = load();
    EXPECT_EQ(object.set.count(now_), 3U);
    EXPECT_EQ(object.set.count(now_ + 2 * day), 2U);
    EXPECT_EQ(object.set.count(now_ + 40 * day), 1U);
    EXPECT_EQ(object.rare->known_spans.size(), 3U);
    EXPECT_FALSE(object.saturated());
    EXPECT_EQ(object.directory.size_class, 0);
    EXPECT_EQ(object.directory.expiry, never);
    EXPECT_TRUE(object.directory.confirmed) << "this store never parts what was written together";
}

TEST_F(ObjectLoadTest, reads_no_more_than_a_few_hundred_rows_on_the_callers_thread) {
    for (int token = 0; token < 255; ++token) {
        store_token(std::to_string(token), never);
    }
    EXPECT_EQ(load().set.count(now_), 255U);
    EXPECT_TRUE(was_now_);
    for (int token = 255; token < 9000; ++token) {
        store_token(std::to_string(token), never);
    }
    EXPECT_EQ(load().set.count(now_), 9000U) << "read on from where it stopped";
    EXPECT_FALSE(was_now_);
}

TEST_F(ObjectLoadTest, looks_at_no_more_spans_than_twice_the_limit) {
    config_.limit = 10;
    for (int day = 0; day < 30; ++day) {
        store_token("a", now_ + day * std::int64_t{86'400'000} + 1);
    }
    CountedObject object = load();
    EXPECT_EQ(object.set.count(now_), 1U);
    EXPECT_TRUE(object.saturated());
    EXPECT_EQ(object.rare->known_spans.size(), 20U);
}

TEST_F(ObjectLoadTest, finds_nothing_of_an_object_without_rows) {
    CountedObject object = load();
    EXPECT_TRUE(was_now_);
    EXPECT_EQ(object.set.count(now_), 0U);
    EXPECT_EQ(object.directory.size_class, -1);
}

TEST_F(ObjectLoadTest, holds_no_more_than_the_limit) {
    config_.limit = 5;
    for (int token = 0; token < 5; ++token) {
        store_token(std::to_string(token), never);
    }
    CountedObject full = load();
    EXPECT_EQ(full.set.count(now_), 5U);
    EXPECT_FALSE(full.saturated());
    store_token("one more", never);
    CountedObject above = load();
    EXPECT_EQ(above.set.count(now_), 5U);
    EXPECT_TRUE(above.saturated());
    EXPECT_EQ(above.rare->reload_below, 3U);
    EXPECT_EQ(above.rare->reload_at, never);
}

TEST_F(ObjectLoadTest, gives_up_after_twice_the_limit_of_rows_and_says_until_when) {
    config_ = {.name = "hourly", .ttl = 3600s, .limit = 10};
    clock_.advance(1800s);
    const std::int64_t now = now_ + 1'800'000;
    for (int token = 0; token < 20; ++token) {
        store_token(fmt::format("a{}", token), now - 1);
    }
    store_token("b", now + 1000);
    CountedObject object = load();
    EXPECT_EQ(object.set.count(now), 0U);
    EXPECT_TRUE(object.saturated());
    EXPECT_EQ(object.rare->reload_at, now_ + 3'600'000);
    EXPECT_EQ(object.directory.size_class, 0) << "there is something of it";
}

TEST_F(ObjectLoadTest, is_exact_at_the_usual_limit_with_usual_names) {
    config_.name = "visitors";
    for (int token = 0; token < 100'000; ++token) {
        store_token(fmt::format("visitor-{:056}", token), never);
        if (batch_.size() == 1000) {
            ASSERT_TRUE(disk_.submit(batch_));
            batch_.clear();
        }
    }
    CountedObject object = load();
    EXPECT_EQ(object.set.count(now_), 100'000U);
    EXPECT_FALSE(object.saturated());
}

TEST_F(ObjectLoadTest, gives_up_after_16_mib_of_tokens) {
    for (int token = 0; token < 30'000; ++token) {
        store_token(fmt::format("{:01024}", token), never);
        if (batch_.size() == 1000) {
            ASSERT_TRUE(disk_.submit(batch_));
            batch_.clear();
        }
    }
    CountedObject object = load();
    EXPECT_GE(object.set.count(now_), 16'384U);
    EXPECT_LE(object.set.count(now_), 16'384U + 4096U) << "it stops at the end of a page";
    EXPECT_TRUE(object.saturated());
}

TEST_F(ObjectLoadTest, hands_on_what_went_wrong) {
    storage::FaultyStore broken{disk_, 1, {.fail_read = 1}};
    for (const CounterConfig& config : {CounterConfig{}, CounterConfig{.ttl = 10s}}) {
        std::optional<ErrorKind> kind;
        ObjectLoad load{broken, config, "page", {}, clock_.now()};
        ASSERT_FALSE(load.read_now());
        ObjectLoad::read_on(std::move(load), [&](Result<CountedObject> object) {
            kind = object.error().kind;
        });
        EXPECT_EQ(kind, ErrorKind::timed_out);
    }
}

}  // namespace
}  // namespace footfall::tokens
