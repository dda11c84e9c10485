// What the token counters cost beside the store: CPU an operation on objects in memory, on new
// ones, and while objects are evicted; bytes an object; the worst single add of a growing set.
//
//     cmake --preset release -DFOOTFALL_BENCHMARKS=ON && ninja -C build/release tokens_bench
//     build/release/benchmarks/tokens_bench

#include "foundation/random.h"
#include "metrics/metrics.h"
#include "no_store.h"
#include "storage/store.h"
#include "tokens/object_entry.h"
#include "tokens/token_counters.h"
#include "tokens/token_set.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <malloc.h>
#include <optional>
#include <string>
#include <vector>

namespace footfall::tokens {
namespace {

/// Counters without a store, and names and tokens made beforehand.
struct Bench {
    explicit Bench(std::size_t objects, std::size_t memory_bytes = std::size_t{8} << 30)
        : counters{
              store,
              clock,
              {.k0 = 1, .k1 = 2},
              metrics,
              {.counters = {{.name = "open"}, {.name = "day", .ttl = std::chrono::days{1}}},
               .memory_bytes = memory_bytes}
          } {
        names.reserve(objects);
        for (std::size_t object = 0; object < objects; ++object) {
            names.push_back(fmt::format("/articles/{:06}", object));
        }
    }

    void put(const std::string& counter, const std::string& name) {
        const std::uint64_t token = random();
        const auto count = counters.put_now(
            **counters.counter(counter),
            name,
            {reinterpret_cast<const char*>(&token), sizeof token},
            std::nullopt
        );
        benchmark::DoNotOptimize(count.has_value());
    }

    const std::string& some_name() { return names[random.below(names.size())]; }

    benchmarks::NoStore store;
    SystemClock clock;
    metrics::Metrics metrics;
    TokenCounters counters;
    std::vector<std::string> names;
    Random random{7};
};

void put_new_token(benchmark::State& state) {
    Bench bench{static_cast<std::size_t>(state.range(0))};
    const CounterConfig& config = **bench.counters.counter(state.range(1) != 0 ? "day" : "open");
    for (const std::string& name : bench.names) {
        bench.put(config.name, name);
    }
    for (auto _ : state) {
        bench.put(config.name, bench.some_name());
    }
}

BENCHMARK(put_new_token)
    ->ArgsProduct({{1000, 100'000, 1'000'000}, {0, 1}})
    ->ArgNames({"objects", "ttl"});

void get_count(benchmark::State& state) {
    Bench bench{static_cast<std::size_t>(state.range(0))};
    const CounterConfig& config = **bench.counters.counter("open");
    for (const std::string& name : bench.names) {
        bench.put(config.name, name);
    }
    for (auto _ : state) {
        const auto count = bench.counters.get_now(config, bench.some_name());
        benchmark::DoNotOptimize(count.has_value());
    }
}

BENCHMARK(get_count)->Arg(1000)->Arg(100'000)->Arg(1'000'000)->ArgName("objects");

/// Most objects are not in memory: each PUT loads one and pushes one out.
void put_while_objects_are_evicted(benchmark::State& state) {
    Bench bench{1'000'000, 16 << 20};
    for (auto _ : state) {
        bench.put("open", bench.some_name());
    }
}

BENCHMARK(put_while_objects_are_evicted);

std::size_t heap_bytes() {
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

/// What the heap holds for a million objects of so many tokens, and what we think it holds.
void bytes_an_object(benchmark::State& state) {
    constexpr std::size_t objects = 1'000'000;
    for (auto _ : state) {
        Bench bench{objects};
        const std::size_t before = heap_bytes();
        for (std::int64_t token = 0; token < state.range(0); ++token) {
            for (const std::string& name : bench.names) {
                bench.put(state.range(1) != 0 ? "day" : "open", name);
            }
        }
        state.counters["heap"] = static_cast<double>(heap_bytes() - before) / objects;
        state.counters["counted"] =
            static_cast<double>(bench.counters.memory_use().bytes) / objects;
    }
}

BENCHMARK(bytes_an_object)
    ->ArgsProduct({{1, 2, 3}, {0, 1}})
    ->ArgNames({"tokens", "ttl"})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// Takes the state out of an entry and gives it back.
void take_and_give_state(benchmark::State& state) {
    Random random{1};
    CountedObject object;
    for (std::int64_t token = 0; token < state.range(0); ++token) {
        object.set.add(random(), never, 0, 1000);
    }
    ObjectEntry::Owner entry = ObjectEntry::make(0, "/articles/000123");
    ObjectEntry::give_state(entry, std::move(object));
    for (auto _ : state) {
        ObjectEntry::give_state(entry, entry->take_state());
    }
}

BENCHMARK(take_and_give_state)->Arg(1)->Arg(3)->Arg(10)->Arg(32)->Arg(33);

/// Adds up to so many tokens, one by one: the mean and the worst of them.
void grow_a_set(benchmark::State& state) {
    using Clock = std::chrono::steady_clock;
    const auto tokens = static_cast<std::size_t>(state.range(0));
    Random random{1};
    double worst_us = 0;
    for (auto _ : state) {
        TokenSet set;
        for (std::size_t token = 0; token < tokens; ++token) {
            const Clock::time_point start = Clock::now();
            set.add(random(), never, 0, tokens);
            const std::chrono::duration<double, std::micro> took = Clock::now() - start;
            worst_us = std::max(worst_us, took.count());
        }
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
    state.counters["worst_us"] = worst_us;
}

BENCHMARK(grow_a_set)->RangeMultiplier(10)->Range(10, 1'000'000)->Unit(benchmark::kMicrosecond);

/// One pass over a set of which a ten-thousandth has expired.
void expire_a_set(benchmark::State& state) {
    constexpr std::int64_t moments = 10'000;
    constexpr std::int64_t start = 1'800'000'000'000;
    Random random{1};
    TokenSet set;
    const auto tokens = static_cast<std::size_t>(state.range(0));
    for (std::size_t token = 0; token < tokens; ++token) {
        const auto moment = static_cast<std::int64_t>(random.below(moments));
        set.add(random(), start + moments + moment, start, tokens);
    }
    std::int64_t now = start + moments;
    for (auto _ : state) {
        benchmark::DoNotOptimize(set.count(now++));
    }
}

BENCHMARK(expire_a_set)
    ->Arg(1000)
    ->Arg(100'000)
    ->Arg(1'000'000)
    ->Iterations(1000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace footfall::tokens

BENCHMARK_MAIN();
