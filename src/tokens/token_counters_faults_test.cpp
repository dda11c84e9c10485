#include "tokens/test_world.h"
#include "tokens/token_counters.h"

#include <gmock/gmock.h>

namespace footfall::tokens {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class TokenCountersFaultsTest : public testing::Test {
protected:
    void TearDown() override { world_.check_account(); }

    /// Answers go to answers_ in the order they come.
    void put(const std::string& token, std::optional<std::chrono::seconds> ttl = {}) {
        world_.counters().put(world_.config("few"), "page", token, ttl, taker(token));
    }

    void get() { world_.counters().get(world_.config("few"), "page", taker("?")); }

    CountDone taker(const std::string& name) {
        return [this, name](const Result<Count>& count) {
            answers_.push_back(name + ": " + text_of(count));
        };
    }

    std::vector<std::string> take() { return std::exchange(answers_, {}); }

    void fill(int tokens, std::chrono::seconds ttl) {
        for (int token = 0; token < tokens; ++token) {
            put(fmt::format("{} {}", ttl.count(), token), ttl);
        }
        take();
    }

    World world_{{{.name = "few", .ttl = 100s, .limit = 5}}, 1, 4};
    std::vector<std::string> answers_;
};

TEST_F(TokenCountersFaultsTest, answers_what_waited_for_the_load_in_order_and_refuses_the_rest) {
    world_.store().set_options({.hold_reads = true});
    put("a");
    get();
    put("b");
    put("a");
    put("too many");
    EXPECT_THAT(take(), ElementsAre("too many: overloaded"));
    EXPECT_EQ(world_.loads(), 1U);
    EXPECT_FALSE(world_.counters().get_now(world_.config("few"), "page"));
    world_.store().set_options({});
    world_.store().release_reads();
    EXPECT_THAT(take(), ElementsAre("a: 1", "?: 1", "b: 2", "a: 2"));
}

TEST_F(TokenCountersFaultsTest, tells_all_who_wait_that_a_load_failed_and_tries_again_next_time) {
    world_.store().set_options({.fail_read = 1, .hold_reads = true});
    put("a");
    get();
    world_.store().set_options({});
    world_.store().release_reads();
    EXPECT_THAT(take(), ElementsAre("a: timed-out", "?: timed-out"));
    get();
    put("a");
    EXPECT_THAT(take(), ElementsAre("?: 0", "a: 1"));
}

TEST_F(TokenCountersFaultsTest, is_as_before_when_the_store_refuses_a_write) {
    fill(4, 50s);
    world_.store().set_options({.refuse_submit = 1});
    put("new");
    put("50 0", 90s);
    get();
    EXPECT_THAT(take(), ElementsAre("new: overloaded", "50 0: overloaded", "?: 4"));
    world_.store().set_options({});
    put("new");
    world_.store().set_options({.refuse_submit = 1});
    put("past the limit");
    get();
    EXPECT_THAT(take(), ElementsAre("new: 5", "past the limit: overloaded", "?: 5"));
    world_.clock().advance(51s);
    get();
    EXPECT_THAT(take(), ElementsAre("?: 1")) << "the refused extension did not happen";
}

TEST_F(TokenCountersFaultsTest, answers_with_the_position_that_has_to_be_durable) {
    world_.store().set_options({.hold_writes = true});
    const auto first = world_.put("few", "page", "a");
    const auto again = world_.put("few", "page", "a");
    const auto read = world_.get("few", "page");
    EXPECT_GT(first->position, 0U);
    EXPECT_EQ(again->position, first->position);
    EXPECT_EQ(read->position, first->position);
    EXPECT_FALSE(world_.store().durable(first->position));
    world_.store().release_writes();
    EXPECT_TRUE(world_.store().durable(first->position));
}

TEST_F(TokenCountersFaultsTest, drops_and_reloads_objects_when_writes_were_lost) {
    fill(2, 90s);
    world_.store().set_options({.lost_but_written = 0, .hold_writes = true});
    put("lost");
    put("lost too");
    get();
    EXPECT_THAT(take(), ElementsAre("lost: 3", "lost too: 4", "?: 4"));
    world_.store().lose_writes();
    world_.store().set_options({});
    get();
    put("lost");
    EXPECT_THAT(take(), ElementsAre("?: 2", "lost: 3"));
}

TEST_F(TokenCountersFaultsTest, does_not_believe_what_was_read_before_writes_were_lost) {
    fill(2, 90s);
    world_.restart({.lost_but_written = 1, .hold_writes = true, .hold_reads = true});
    get();                 // read already: 2
    storage::Batch batch;  // of another process, say
    batch.upsert(
        token_table,
        {"few",
         "page",
         std::int64_t{0},
         std::int64_t{0},
         span_of(world_.config("few"), world_.now_ms() + 100'000),
         "third",
         (world_.now_ms() + 100'000) * 1000}
    );
    ASSERT_TRUE(world_.store().submit(batch));
    world_.store().lose_writes();
    world_.store().set_options({});
    world_.store().release_reads();
    EXPECT_THAT(take(), ElementsAre("?: 3"));
}

TEST_F(TokenCountersFaultsTest, reloads_only_after_its_own_writes_have_arrived) {
    world_.store().set_options({.hold_writes = true});
    fill(5, 10s);
    put("y");
    put("z");
    EXPECT_THAT(take(), ElementsAre("y: 5+", "z: 5+"));
    world_.clock().advance(11s);
    get();
    put("x");
    EXPECT_THAT(take(), IsEmpty());
    EXPECT_EQ(world_.loads(), 1U);
    world_.store().set_options({});
    world_.store().release_writes();
    EXPECT_THAT(take(), ElementsAre("?: 2", "x: 3"));
}

TEST_F(TokenCountersFaultsTest, reloads_when_the_writes_it_waited_for_are_lost) {
    world_.store().set_options({.lost_but_written = 0, .hold_writes = true});
    fill(5, 10s);
    put("y");
    put("z");
    EXPECT_THAT(take(), ElementsAre("y: 5+", "z: 5+"));
    world_.clock().advance(11s);
    get();
    world_.store().lose_writes();
    EXPECT_THAT(take(), ElementsAre("?: 0"));
    world_.store().set_options({});
    put("x");
    EXPECT_THAT(take(), ElementsAre("x: 1"));
}

TEST_F(TokenCountersFaultsTest, keeps_the_order_while_a_stored_row_is_looked_at) {
    fill(5, 40s);
    put("past", 90s);
    world_.store().set_options({.hold_reads = true});
    put("past", 60s);
    get();
    put("past", 95s);
    EXPECT_THAT(take(), ElementsAre("past: 5+"));
    world_.store().release_reads(1);
    EXPECT_THAT(take(), ElementsAre("past: 5+", "?: 5+")) << "the next one has to look as well";
    world_.store().set_options({});
    world_.store().release_reads();
    EXPECT_THAT(take(), ElementsAre("past: 5+"));
    world_.clock().advance(94s);
    get();
    EXPECT_THAT(take(), ElementsAre("?: 1"));
}

TEST_F(TokenCountersFaultsTest, fails_one_put_when_its_row_cannot_be_looked_at) {
    fill(6, 40s);
    world_.store().set_options({.fail_read = 1, .hold_reads = true});
    put("past", 60s);
    get();
    world_.store().set_options({});
    world_.store().release_reads();
    EXPECT_THAT(take(), ElementsAre("past: timed-out", "?: 5+"));
}

TEST_F(TokenCountersFaultsTest, survives_losing_writes_while_a_row_is_looked_at) {
    fill(6, 40s);
    world_.store().set_options({.lost_but_written = 0, .hold_writes = true, .hold_reads = true});
    put("past", 60s);
    get();
    world_.counters().put(world_.config("few"), "other page", "x", {}, taker("other"));
    world_.store().release_reads();
    ASSERT_GT(world_.store().held_writes(), 0U);
    world_.store().lose_writes();
    world_.store().set_options({});
    while (world_.store().held_reads() > 0) {
        world_.store().release_reads();
    }
    get();
    EXPECT_EQ(take().back(), "?: 5+");
}

TEST_F(TokenCountersFaultsTest, looks_again_when_the_put_moved_into_another_span) {
    fill(5, 99s);
    const std::int64_t ms = 1000 * 100;
    world_.clock().set(Instant{std::chrono::milliseconds{(world_.now_ms() / ms + 1) * ms - 60'050}}
    );
    fill(5, 100s);
    put("past", 61s);  // in the next span, ending a second later than what is asked below
    world_.store().set_options({.hold_reads = true});
    put("past", 60s);  // looks into the span that is about to end
    world_.clock().advance(100ms);
    world_.store().set_options({});
    world_.store().release_reads();
    const CounterConfig& config = world_.config("few");
    const auto row = storage::read_one(
        world_.disk(),
        token_table,
        {"few",
         "page",
         std::int64_t{0},
         std::int64_t{0},
         span_of(config, world_.now_ms() + 60'500),
         "past"}
    );
    ASSERT_TRUE(row);
    const std::vector<storage::Value> values = row->value_or(std::vector<storage::Value>(7));
    EXPECT_GE(std::get<std::int64_t>(values[6]), (world_.now_ms() + 60'850) * 1000);
}

}  // namespace
}  // namespace footfall::tokens
