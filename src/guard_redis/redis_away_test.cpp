// What becomes of rates while Redis is killed, stands still, or was never there.
#include "foundation/log.h"
#include "guard_redis/redis_rates.h"
#include "guard_redis_testing/redis_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace footfall::guard_redis {
namespace {

using namespace std::chrono_literals;
using guard::RateLimit;
using guard::RateNote;

constexpr SipKey away_secret{.k0 = 1, .k1 = 2};
constexpr RateLimit five_a_minute{.count = 5, .window = 1min};
const Instant noon{std::chrono::hours{24 * 365 * 50 + 12}};

RateNote event_at(std::uint64_t offset) {
    return {
        .of = {.key = 1, .limit = five_a_minute},
        .time = noon,
        .place = {.lane = 1, .offset = offset}
    };
}

class RedisAway : public testing::Test {
protected:
    void SetUp() override { set_log_level(LogLevel::error); }

    RedisRates::Options options(std::uint64_t log, std::chrono::milliseconds deadline) const {
        return {
            .address = RedisServer::address(),
            .port = redis.port(),
            .deployment = "test",
            .log = log,
            .deadline = deadline,
            .pause = 20ms,
            .notes_max = 100
        };
    }

    static bool ask(RedisRates& rates, guard::RateState& own) {
        const guard::RateQuestion question{
            .of = {.key = 1, .limit = five_a_minute}, .after = noon - 1min
        };
        return rates.ask({&question, 1}, own);
    }

    static bool ask(RedisRates& rates) {
        guard::RateState own{away_secret, 1 << 20};
        return ask(rates, own);
    }

    /// Asks until it is answered.
    static bool comes_back(RedisRates& rates) {
        const auto patience_ends = std::chrono::steady_clock::now() + 20s;
        while (!ask(rates)) {
            if (std::chrono::steady_clock::now() > patience_ends) {
                return false;
            }
            std::this_thread::sleep_for(2ms);  // tidy-allow(sleep): another program has no event
        }
        return true;
    }

    static std::size_t known_to_another(const RedisRates::Options& options) {
        RedisRates other{options};
        guard::RateState own{away_secret, 1 << 20};
        EXPECT_TRUE(ask(other, own));
        return own.counted(1, five_a_minute, noon, {});
    }

    RedisServer redis;
};

TEST_F(RedisAway, from_the_beginning_is_no_failure_and_it_is_found_when_it_comes) {
    redis.kill();
    RedisRates rates{options(11, 5s)};
    EXPECT_FALSE(ask(rates));
    const RateNote note = event_at(0);
    rates.note({&note, 1});
    rates.settle();  // it does not wait for who is not there
    EXPECT_EQ(rates.figures().waiting, 1U);
    EXPECT_GT(rates.figures().away, 0us);
    redis.start();
    ASSERT_TRUE(comes_back(rates));
    rates.settle();
    EXPECT_EQ(rates.figures().waiting, 0U);
    const auto away = rates.figures().away;
    EXPECT_EQ(known_to_another(options(12, 5s)), 1U) << "what was noted meanwhile was told";
    EXPECT_EQ(rates.figures().away, away) << "it is there again";
}

TEST_F(RedisAway, for_a_moment_between_two_questions_is_not_noticed) {
    RedisRates rates{options(11, 5s)};
    ASSERT_TRUE(ask(rates));
    redis.kill();
    redis.start();
    EXPECT_TRUE(ask(rates)) << "by a new connection";
    redis.kill();
    redis.start();
    const RateNote note = event_at(0);
    rates.note({&note, 1});
    rates.settle();
    EXPECT_EQ(rates.figures().told, 1U);
    EXPECT_EQ(rates.figures().failures, 0U);
}

TEST_F(RedisAway, killed_is_not_asked_until_it_is_back) {
    RedisRates rates{options(11, 5s)};
    ASSERT_TRUE(ask(rates));
    redis.kill();
    EXPECT_FALSE(ask(rates));
    for (int times = 0; times < 1000; ++times) {
        EXPECT_FALSE(ask(rates));
    }
    const RedisRates::Figures figures = rates.figures();
    EXPECT_EQ(figures.asks, 1002U);
    EXPECT_EQ(figures.answers, 1U);
    EXPECT_LT(figures.failures, 100U) << "it is looked for, but not by who asks";
    redis.start();
    EXPECT_TRUE(comes_back(rates));
}

/// kill -9 and starts, again and again, while four threads ask and note: nobody crashes or waits
/// for ever, and afterwards what is told is known.
TEST_F(RedisAway, again_and_again_harms_nobody) {
    RedisRates rates{options(11, 5s)};
    {
        std::vector<std::jthread> threads;
        threads.reserve(4);
        for (std::uint64_t thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&rates, thread](const std::stop_token& stop) {
                for (std::uint64_t offset = 0; !stop.stop_requested(); ++offset) {
                    const RateNote note = event_at(offset % 3 + 3 * thread);
                    rates.note({&note, 1});
                    ask(rates);
                    rates.settle();
                }
            });
        }
        for (int times = 0; times < 5; ++times) {
            redis.kill();
            redis.start();
            ASSERT_TRUE(comes_back(rates));
        }
    }
    const RateNote note = event_at(99);
    rates.note({&note, 1});
    ASSERT_TRUE(comes_back(rates));
    rates.settle();
    EXPECT_GE(known_to_another(options(12, 5s)), 1U);
}

TEST_F(RedisAway, standing_still_costs_each_asker_one_deadline) {
    constexpr auto deadline = 100ms;
    RedisRates rates{options(11, deadline)};
    ASSERT_TRUE(ask(rates));
    redis.pause();
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(ask(rates));
    const auto first = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(first, deadline);
    EXPECT_LT(first, deadline + 2s) << "on a busy machine";
    const std::uint64_t answers = rates.figures().answers;
    for (int times = 0; times < 100; ++times) {
        EXPECT_FALSE(ask(rates));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, first + 2s) << "nobody waits again";
    EXPECT_EQ(rates.figures().answers, answers);
    redis.resume();
    EXPECT_TRUE(comes_back(rates));
}

TEST_F(RedisAway, leaves_a_bounded_queue_of_which_the_oldest_go) {
    RedisRates rates{options(11, 200ms)};
    ASSERT_TRUE(ask(rates));
    redis.pause();
    EXPECT_FALSE(ask(rates));
    for (std::uint64_t offset = 0; offset < 1000; ++offset) {
        const RateNote note = event_at(offset);
        rates.note({&note, 1});
    }
    RedisRates::Figures figures = rates.figures();
    EXPECT_LE(figures.waiting, 200U) << "and what was about to be told";
    EXPECT_EQ(figures.waiting + figures.dropped, 1000U);
    redis.resume();
    ASSERT_TRUE(comes_back(rates));
    rates.settle();
    figures = rates.figures();
    EXPECT_EQ(figures.waiting, 0U);
    EXPECT_EQ(figures.told + figures.dropped, 1000U);
    EXPECT_EQ(known_to_another(options(12, 5s)), 6U) << "the newest are there";
}

/// Whoever listens there: it is as if nobody did.
TEST_F(RedisAway, in_that_it_refuses_is_away_too) {
    RedisRates rates{options(11, 5s)};
    const auto connection =
        Connection::open(
            RedisServer::address(), redis.port(), std::chrono::steady_clock::now() + 5s
        )
            .value();
    const std::string command = "CONFIG SET requirepass secret\r\n";
    ASSERT_TRUE(connection->exchange(
        command,
        1,
        std::chrono::steady_clock::now() + 5s,
        [](std::size_t, const Reply& reply) {
            EXPECT_FALSE(reply.failed());
            return Result<void>{};
        }
    ));
    EXPECT_FALSE(ask(rates)) << "it wants a password";
}

}  // namespace
}  // namespace footfall::guard_redis
