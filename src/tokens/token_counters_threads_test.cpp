#include "storage_testing/random_rows.h"
#include "tokens/test_world.h"
#include "tokens/token_counters.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace footfall::tokens {
namespace {

constexpr std::uint64_t objects = 200;
constexpr std::uint64_t tokens_an_object = 40;
constexpr int steps = 4000;

using Puts = std::map<std::string, std::set<std::string>>;

/// What a client does: puts and gets, all objects and tokens shared with the others, and checks
/// that a count never falls behind what it put itself.
class Client {
public:
    Client(World& world, std::uint64_t seed, std::atomic<int>& unanswered)
        : world_{&world}, random_{seed}, unanswered_{&unanswered} {}

    void run() {
        for (int step = 0; step < steps; ++step) {
            const std::string object = fmt::format("object {}", random_.below(objects));
            const CounterConfig& config = world_->config("open");
            ++*unanswered_;
            if (random_.below(4) == 0) {
                world_->counters().get(config, object, expect(puts[object].size()));
                continue;
            }
            const std::string token = std::to_string(random_.below(tokens_an_object));
            const bool with_ttl = random_.below(3) == 0;
            puts[object].insert(token);
            world_->counters().put(
                config,
                object,
                token,
                with_ttl ? std::optional{std::chrono::seconds{3600 + random_.below(1'000'000)}}
                         : std::nullopt,
                expect(puts[object].size())
            );
        }
    }

    Puts puts;

private:
    CountDone expect(std::size_t least) {
        return [this, least](const Result<Count>& count) {
            EXPECT_TRUE(count) << text_of(count);
            if (count) {
                EXPECT_GE(count->count, least);
            }
            --*unanswered_;
        };
    }

    World* world_;
    Random random_;
    std::atomic<int>* unanswered_;
};

/// Clients put at the same time while objects come and go, and the store answers late.
void check_threads(const storage::FaultOptions& faults, std::size_t memory_bytes) {
    const std::uint64_t seed = storage::test_seed();
    SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed));
    World world{{{.name = "open"}}, seed, 100'000, memory_bytes};
    world.store().set_options(faults);
    std::atomic<int> unanswered = 0;
    constexpr std::uint64_t how_many = 4;
    std::vector<std::unique_ptr<Client>> clients;
    clients.reserve(how_many);
    for (std::uint64_t client = 0; client < how_many; ++client) {
        clients.push_back(std::make_unique<Client>(world, seed + client, unanswered));
    }
    {
        std::atomic<int> running = static_cast<int>(clients.size());
        const std::jthread disk{[&] {
            while (running > 0 || unanswered > 0) {
                world.store().release_writes(50);
                world.store().release_reads(5);
                std::this_thread::yield();
            }
        }};
        std::vector<std::jthread> threads;
        threads.reserve(clients.size());
        for (const auto& client : clients) {
            threads.emplace_back([&] {
                client->run();
                --running;
            });
        }
    }
    Puts all;
    for (const auto& client : clients) {
        for (auto& [object, tokens] : client->puts) {
            all[object].insert(tokens.begin(), tokens.end());
        }
    }
    world.store().set_options({});
    world.store().release_writes();
    world.check_account();
    std::uint64_t distinct = 0;
    for (const auto& [object, tokens] : all) {
        distinct += tokens.size();
        ASSERT_EQ(text_of(world.get("open", object)), std::to_string(tokens.size())) << object;
    }
    EXPECT_EQ(world.metric("footfall_tokens_added_total"), distinct) << "each counted once as new";
    if (memory_bytes < 1 << 20) {
        EXPECT_GT(world.metric("footfall_token_evictions_total"), 50U);
    }
}

TEST(TokenCountersThreads, count_once_what_many_put_while_everything_stays_in_memory) {
    check_threads({}, 128 << 20);
}

TEST(TokenCountersThreads, count_once_what_many_put_while_objects_are_evicted) {
    check_threads({}, 8 << 10);
}

TEST(TokenCountersThreads, count_once_what_many_put_while_the_store_is_slow) {
    check_threads({.hold_writes = true, .hold_reads = true}, 8 << 10);
}

}  // namespace
}  // namespace footfall::tokens
