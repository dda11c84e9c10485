// Token counters on the real store, in far less memory than their objects take: many threads put
// and get at once, and everything is compared with what was put, also after a restart.

#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "metrics/metrics.h"
#include "storage/blocking.h"
#include "storage_rocksdb/rocks_store.h"
#include "test_support/random_seed.h"
#include "tokens/schema.h"
#include "tokens/token_counters.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace footfall {
namespace {

using tokens::CounterConfig;
using tokens::TokenCounters;
using Puts = std::map<std::string, std::set<std::string>>;

constexpr std::uint64_t objects = 3000;
constexpr int clients = 4;
constexpr int steps = 10'000;

/// A process: opened on the directory, closed like a program that ends.
class Program {
public:
    explicit Program(const std::filesystem::path& directory) {
        auto opened = storage_rocksdb::RocksStore::open(
            {.directory = directory,
             .tables =
                 {&tokens::token_table,
                  &tokens::token_span_table,
                  &tokens::token_object_table,
                  &tokens::counter_table}},
            clock_,
            metrics_
        );
        EXPECT_TRUE(opened) << opened.error().message;
        store_ = *std::move(opened);
        counters_ = std::make_unique<TokenCounters>(
            *store_,
            clock_,
            SipKey{.k0 = 1, .k1 = 2},
            metrics_,
            TokenCounters::Options{
                .counters = {{.name = "open"}, {.name = "day", .ttl = std::chrono::days{1}}},
                .memory_bytes = 64 << 10
            }
        );
    }

    ~Program() { store_->close(); }

    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    TokenCounters& counters() { return *counters_; }

    std::uint64_t metric(const std::string& name) const {
        const std::string text = metrics_.text();
        const std::size_t at = text.find("\n" + name + " ");
        return at == std::string::npos ? 0 : std::stoull(text.substr(at + name.size() + 2));
    }

    /// As a connection answers it: once it is durable.
    std::uint64_t count(const std::string& counter, const std::string& object) {
        std::promise<Result<tokens::Count>> answer;
        counters_->get(
            **counters_->counter(counter),
            object,
            [&answer](Result<tokens::Count> count) { answer.set_value(std::move(count)); }
        );
        const Result<tokens::Count> count = answer.get_future().get();
        EXPECT_TRUE(count && !count->at_least);
        EXPECT_TRUE(storage::wait_durable(*store_, count->position));
        return count->count;
    }

private:
    SystemClock clock_;
    metrics::Metrics metrics_;
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    std::unique_ptr<TokenCounters> counters_;
};

/// Puts and gets at random on objects that all clients share; answers what it put.
Puts run_client(Program& program, const std::string& counter, std::uint64_t seed) {
    Random random{seed};
    Puts puts;
    std::atomic<int> unanswered = 0;
    TokenCounters& counters = program.counters();
    const CounterConfig& config = **counters.counter(counter);
    for (int step = 0; step < steps; ++step) {
        const std::string object = fmt::format("/articles/{}", random.below(objects));
        std::set<std::string>& tokens = puts[object];
        const std::string token = std::to_string(random.below(6));
        const bool get = random.below(4) == 0;
        if (!get) {
            tokens.insert(token);
        }
        auto done = [&unanswered, least = tokens.size()](const Result<tokens::Count>& count) {
            EXPECT_TRUE(count);
            EXPECT_GE(count ? count->count : 0, least);
            --unanswered;
            unanswered.notify_one();
        };
        ++unanswered;
        if (get) {
            counters.get(config, object, std::move(done));
        } else {
            const std::chrono::seconds ttl{7200 + random.below(70'000)};
            counters.put(
                config,
                object,
                token,
                random.below(2) == 0 ? std::optional{ttl} : std::nullopt,
                std::move(done)
            );
        }
        for (int waiting = unanswered; waiting > 100; waiting = unanswered) {
            unanswered.wait(waiting);
        }
    }
    for (int waiting = unanswered; waiting > 0; waiting = unanswered) {
        unanswered.wait(waiting);
    }
    return puts;
}

class EvictionTest : public testing::TestWithParam<std::string> {};

TEST_P(EvictionTest, threads_count_each_token_once_while_objects_come_and_go) {
    const std::uint64_t seed = test_support::random_seed();
    const TemporaryDirectory directory;
    Puts all;
    {
        Program program{directory.path()};
        std::vector<Puts> puts(clients);
        {
            std::vector<std::jthread> threads;
            threads.reserve(clients);
            for (std::uint64_t client = 0; client < clients; ++client) {
                threads.emplace_back([&, client] {
                    puts[client] = run_client(program, GetParam(), seed + client);
                });
            }
        }
        for (auto& each : puts) {
            for (auto& [object, tokens] : each) {
                all[object].insert(tokens.begin(), tokens.end());
            }
        }
        std::uint64_t distinct = 0;
        for (const auto& [object, tokens] : all) {
            distinct += tokens.size();
            ASSERT_EQ(program.count(GetParam(), object), tokens.size()) << object;
        }
        EXPECT_EQ(program.metric("footfall_tokens_added_total"), distinct);
        EXPECT_GT(program.metric("footfall_token_evictions_total"), objects);
        EXPECT_LE(program.counters().memory_use().bytes, 200U << 10);
    }
    Program again{directory.path()};
    for (const auto& [object, tokens] : all) {
        ASSERT_EQ(again.count(GetParam(), object), tokens.size()) << object << " after a restart";
    }
}

INSTANTIATE_TEST_SUITE_P(
    Counters,
    EvictionTest,
    testing::Values("open", "day"),
    [](const auto& counter) { return counter.param; }
);

}  // namespace
}  // namespace footfall
