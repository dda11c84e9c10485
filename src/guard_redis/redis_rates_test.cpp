// What two processes share by a real Redis, held to a plain model of what it has to be.
#include "guard_redis/redis_rates.h"

#include "foundation/random.h"
#include "guard_redis/commands.h"
#include "guard_redis_testing/redis_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace footfall::guard_redis {
namespace {

using namespace std::chrono_literals;
using guard::EventPlace;
using guard::RateKey;
using guard::RateLimit;
using guard::RateNote;

constexpr SipKey secret{.k0 = 1, .k1 = 2};
constexpr RateLimit eight{.count = 8, .window = 100us};

RedisRates::Options options_for(const RedisServer& redis, std::uint64_t log) {
    return {
        .address = RedisServer::address(),
        .port = redis.port(),
        .deployment = "test",
        .log = log,
        .deadline = 10s  // the machine may be busy
    };
}

/// What one process has: its memory, and what it shares.
struct Sharer {
    Sharer(const RedisServer& redis, std::uint64_t log) : rates{options_for(redis, log)} {}

    void note(const RateNote& note) {
        own.note(note.of.key, note.of.limit, note.time, note.place);
        rates.note({&note, 1});
    }

    /// As a rule does, after it asked.
    std::size_t counted(RateKey of, Instant time, std::optional<EventPlace> self = {}) {
        const guard::RateQuestion question{.of = of, .after = time - of.limit.window};
        EXPECT_TRUE(rates.ask({&question, 1}, own));
        return own.counted(of.key, of.limit, time, self);
    }

    guard::RateState own{secret, 1 << 22};
    RedisRates rates;
};

/// All events of a key, wherever they were counted.
class PlainKey {
public:
    using Place = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>;  ///< Log, lane, offset.

    void note(Instant time, Place place) { events_.emplace(time, place); }

    std::size_t counted(Instant time, std::optional<Place> self) const {
        std::map<std::int64_t, std::size_t> ranks;  // by part of time
        std::size_t counted = 0;
        for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
            const std::size_t rank = ranks[guard::rate_part(event->first, eight.window)]++;
            const bool in_window = event->first <= time && time - event->first < eight.window;
            counted += rank <= eight.count && in_window && event->second != self ? 1 : 0;
        }
        return std::min<std::size_t>(counted, eight.count + 1);
    }

private:
    std::set<std::pair<Instant, Place>> events_;
};

RateNote note_at(std::uint64_t key, std::int64_t time, std::uint32_t lane, std::uint64_t offset) {
    return {
        .of = {.key = key, .limit = eight},
        .time = Instant{std::chrono::microseconds{time}},
        .place = {.lane = lane, .offset = offset}
    };
}

/// Two processes count events of a few keys, in any order and some of them again; after both told,
/// whoever asks knows of all of them. With `logs` of their own, or as two owners of lanes of one.
void hold_to_the_model(std::array<std::uint64_t, 2> logs, std::uint64_t seed) {
    const RedisServer redis;
    Sharer first{redis, logs[0]};
    Sharer second{redis, logs[1]};
    const std::array<Sharer*, 2> sharers{&first, &second};
    std::map<std::uint64_t, PlainKey> plain;
    std::array<std::vector<RateNote>, 2> noted;
    Random random{seed};
    for (std::uint64_t step = 0; step < 1500; ++step) {
        const std::size_t who = random.below(2);
        const std::uint64_t key = random.below(5);
        for (std::uint64_t events = random.below(4); events > 0; --events) {
            const bool again = !noted[who].empty() && random.below(4) == 0;
            const auto time = static_cast<std::int64_t>(step / 3 + random.below(150));
            const auto lane = static_cast<std::uint32_t>(2 * random.below(32) + who);
            const RateNote note = again ? noted[who][random.below(noted[who].size())]
                                        : note_at(key, time, lane, noted[who].size());
            noted[who].push_back(note);
            sharers[who]->note(note);
            plain[note.of.key].note(note.time, {logs[who], note.place.lane, note.place.offset});
        }
        for (Sharer* each : sharers) {
            each->rates.settle();
        }
        const std::size_t asker = random.below(2);
        const Instant time{std::chrono::microseconds{step / 3 + random.below(250)}};
        std::optional<EventPlace> self;
        std::optional<PlainKey::Place> plain_self;
        // Of two logs, which of events at one moment is kept is each process's own matter.
        if (logs[0] == logs[1] && !noted[asker].empty() && random.below(2) == 0) {
            self = noted[asker][random.below(noted[asker].size())].place;
            plain_self = {logs[asker], self->lane, self->offset};
        }
        ASSERT_EQ(
            sharers[asker]->counted({.key = key, .limit = eight}, time, self),
            plain[key].counted(time, plain_self)
        ) << "step "
          << step;
    }
    EXPECT_EQ(first.rates.figures().failures, 0U);
    EXPECT_EQ(second.rates.figures().dropped, 0U);
}

TEST(RedisRates, are_those_of_all_events_of_two_logs) {
    hold_to_the_model({11, 12}, 1);
}

TEST(RedisRates, are_those_of_all_events_of_two_owners_of_one_log) {
    hold_to_the_model({11, 11}, 2);
}

/// The one that knows nothing yet: after a start without its log, say.
TEST(RedisRates, are_known_to_who_comes_new) {
    const RedisServer redis;
    Sharer first{redis, 11};
    for (std::uint64_t offset = 0; offset < 5000; ++offset) {
        first.note(note_at(offset % 500, 1000 + static_cast<std::int64_t>(offset % 50), 1, offset));
    }
    first.rates.settle();
    Sharer second{redis, 12};
    std::vector<guard::RateQuestion> questions;
    questions.reserve(3000);
    for (std::uint64_t key = 0; key < 3000; ++key) {  // more than go at once
        questions.push_back({.of = {.key = key, .limit = eight}, .after = Instant{900us}});
    }
    ASSERT_TRUE(second.rates.ask(questions, second.own));
    for (std::uint64_t key = 0; key < 3000; ++key) {
        ASSERT_EQ(
            second.own.counted(key, eight, Instant{1050us}, {}),
            first.own.counted(key, eight, Instant{1050us}, {})
        ) << key;
    }
    EXPECT_EQ(second.own.counted(7, eight, Instant{1050us}, {}), 9U) << "one more than the limit";
    EXPECT_EQ(second.rates.figures().answers, 1U);
}

/// Whatever is noted, however often.
TEST(RedisRates, take_bounded_room_that_is_given_back) {
    const RedisServer redis;
    {
        Sharer first{redis, 11};
        for (std::uint64_t offset = 0; offset < 2000; ++offset) {
            first.note(note_at(1, static_cast<std::int64_t>(offset % 777), 1, offset));
        }
    }
    const Deadline deadline = std::chrono::steady_clock::now() + 10s;
    const auto connection =
        Connection::open(RedisServer::address(), redis.port(), deadline).value();
    const std::string key = RateWords{"test", 11}.key(1, 7);
    std::string commands;
    append_command(commands, {"KEYS", "*"});
    append_command(commands, {"ZCARD", key});
    append_command(commands, {"PTTL", key});
    std::vector<std::string> answers;
    const auto note_answer = [&](std::size_t number, const Reply& reply) {
        answers.emplace_back(number == 0 ? fmt::to_string(reply.size()) : std::string{reply[0]});
        return Result<void>{};
    };
    ASSERT_TRUE(connection->exchange(commands, 3, deadline, note_answer));
    EXPECT_EQ(answers[0], "8") << "parts of time";
    EXPECT_EQ(answers[1], "9") << "one more than the limit";
    EXPECT_GT(std::stoi(answers[2]), 3'500'000);
    EXPECT_LE(std::stoi(answers[2]), 3'600'002);
}

TEST(RedisRates, are_each_deployments_own) {
    const RedisServer redis;
    Sharer first{redis, 11};
    first.note(note_at(1, 1000, 1, 0));
    first.rates.settle();
    RedisRates::Options options = options_for(redis, 12);
    options.deployment = "another";
    RedisRates other{options};
    guard::RateState own{secret, 1 << 20};
    const guard::RateQuestion question{.of = {.key = 1, .limit = eight}, .after = Instant{0us}};
    ASSERT_TRUE(other.ask({&question, 1}, own));
    EXPECT_EQ(own.counted(1, eight, Instant{1000us}, {}), 0U);
}

TEST(RedisRates, are_told_also_at_the_end) {
    const RedisServer redis;
    {
        Sharer first{redis, 11};
        for (std::uint64_t offset = 0; offset < 3000; ++offset) {
            first.note(note_at(offset, 1000, 1, offset));
        }
    }
    Sharer second{redis, 12};
    EXPECT_EQ(second.counted({.key = 2999, .limit = eight}, Instant{1000us}), 1U);
}

/// Threads ask and note at once; in the end everybody knows everything.
TEST(RedisRates, can_be_used_by_many_threads) {
    const RedisServer redis;
    Sharer first{redis, 11};
    Sharer second{redis, 12};
    {
        std::vector<std::jthread> threads;
        threads.reserve(4);
        for (std::uint32_t thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&, thread] {
                Sharer& sharer = thread % 2 == 0 ? first : second;
                for (std::uint64_t offset = 0; offset < 300; ++offset) {
                    sharer.note(note_at(offset % 100, 1000, thread, offset));
                    sharer.counted({.key = offset % 100, .limit = eight}, Instant{1000us});
                    if (offset % 50 == 0) {
                        sharer.rates.settle();
                    }
                }
            });
        }
    }
    first.rates.settle();
    second.rates.settle();
    for (std::uint64_t key = 0; key < 100; ++key) {
        ASSERT_EQ(first.counted({.key = key, .limit = eight}, Instant{1000us}), 9U);
        ASSERT_EQ(second.counted({.key = key, .limit = eight}, Instant{1000us}), 9U);
    }
    EXPECT_EQ(first.rates.figures().told, 600U);
    EXPECT_EQ(first.rates.figures().waiting, 0U);
    EXPECT_EQ(first.rates.figures().asks, first.rates.figures().answers);
}

}  // namespace
}  // namespace footfall::guard_redis
