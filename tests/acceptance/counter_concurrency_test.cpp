// Many clients put the same tokens at once, by PUT and by POST, on objects that are in memory and
// on objects that have to be loaded: each token counts once.

#include "foundation/random.h"
#include "test_support/random_seed.h"
#include "test_support/running_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using namespace test_support;

constexpr std::size_t clients = 8;
constexpr std::size_t objects = 40;
constexpr std::size_t tokens_an_object = 50;

std::string object_name(std::size_t object) {
    return fmt::format("object-{}", object);
}

class Concurrency : public RunningServer {
protected:
    /// Every token of every object, in an order of its own for each client.
    static std::vector<std::pair<std::size_t, std::size_t>> shuffled(std::uint64_t seed) {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        for (std::size_t object = 0; object < objects; ++object) {
            for (std::size_t token = 0; token < tokens_an_object; ++token) {
                pairs.emplace_back(object, token);
            }
        }
        Random random{seed};
        std::ranges::shuffle(pairs, random);
        return pairs;
    }

    /// One client: PUTs, and each count answered is at least what this client alone has put there.
    void put_all(std::uint64_t seed, const std::string& prefix) {
        Api api{server_};
        std::vector<std::uint64_t> own(objects);
        for (const auto& [object, token] : shuffled(seed)) {
            const std::uint64_t count =
                api.put(object_name(object), fmt::format("{}-{}", prefix, token));
            ++own[object];
            if (count < own[object] || count > 2 * tokens_an_object) {
                ++wrong_answers_;
            }
        }
    }

    /// One client: the same by batches.
    void post_all(std::uint64_t seed, const std::string& prefix) {
        Api api{server_};
        std::string lines;
        std::size_t gathered = 0;
        for (const auto& [object, token] : shuffled(seed)) {
            lines += fmt::format(
                "{{\"object\":\"{}\",\"token\":\"{}-{}\"}}\n", object_name(object), prefix, token
            );
            if (++gathered % 200 == 0) {
                api.post_lines(std::exchange(lines, {}));
            }
        }
    }

    void put_from_all_sides(const std::string& prefix) {
        std::vector<std::jthread> threads;
        threads.reserve(clients);
        for (std::size_t client = 0; client < clients; ++client) {
            threads.emplace_back([this, client, &prefix] {
                if (client % 2 == 0) {
                    put_all(seed_ + client, prefix);
                } else {
                    post_all(seed_ + client, prefix);
                }
            });
        }
    }

    const std::uint64_t seed_ = random_seed();
    std::atomic<int> wrong_answers_ = 0;
};

TEST_F(Concurrency, one_token_put_by_many_at_once_counts_once) {
    const std::uint64_t before = api_.metric("footfall_tokens_added_total");
    put_from_all_sides("first");
    EXPECT_EQ(wrong_answers_, 0);
    EXPECT_EQ(api_.metric("footfall_tokens_added_total") - before, objects * tokens_an_object);
    for (std::size_t object = 0; object < objects; ++object) {
        EXPECT_EQ(api_.count(object_name(object)), tokens_an_object) << object_name(object);
    }
}

TEST_F(Concurrency, one_token_put_by_many_at_once_on_objects_being_loaded_counts_once) {
    put_from_all_sides("first");
    server_.kill();
    server_.restart();  // nothing is in memory now
    put_from_all_sides("second");
    EXPECT_EQ(wrong_answers_, 0);
    Api api{server_};
    EXPECT_EQ(api.metric("footfall_tokens_added_total"), objects * tokens_an_object);
    for (std::size_t object = 0; object < objects; ++object) {
        EXPECT_EQ(api.count(object_name(object)), 2 * tokens_an_object) << object_name(object);
    }
}

}  // namespace
}  // namespace footfall
