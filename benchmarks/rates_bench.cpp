// What rules on rates cost an event by the public door, in CPU of this process and all its threads:
// with its own memory alone, and shared by a Redis on this machine, in batches of 1 and of 500.
//
//     cmake --preset release -DFOOTFALL_BENCHMARKS=ON && ninja -C build/release rates_bench
//     redis-server --port 16379 --save "" & build/release/benchmarks/rates_bench

#include "foundation/random.h"
#include "guard/rules.h"
#include "guard_redis/redis_rates.h"
#include "intake/arriving.h"
#include "intake/questions.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace {

using footfall::Random;
using footfall::guard::RateKey;
using footfall::guard::RateNote;
using footfall::guard_redis::RedisRates;
using footfall::intake::Arriving;

constexpr footfall::Instant now{std::chrono::seconds{1'790'000'000}};
constexpr footfall::SipKey secret{1, 2};
constexpr std::uint16_t redis_port = 16379;

/// Events of people at random, each by an address of its own.
std::vector<Arriving> events_of(std::uint64_t people) {
    Random random{1};
    std::vector<Arriving> events(1 << 16);
    for (Arriving& each : events) {
        const std::uint64_t who = random.below(people);
        each.judged.door = footfall::events::Door::public_door;
        each.judged.event = {
            .action = "view",
            .object = "/articles/1",
            .actor = fmt::format("person {}", who),
            .address = fmt::format("10.{}.{}.{}", who >> 16 & 255, who >> 8 & 255, who & 255)
        };
    }
    return events;
}

void judge(benchmark::State& state) {
    const auto size = static_cast<std::size_t>(state.range(0));
    const auto people = static_cast<std::uint64_t>(state.range(1));
    const bool shared = state.range(2) != 0;
    const auto rules = footfall::guard::RuleSet::standard();
    footfall::guard::RateState own{secret, std::size_t{256} << 20};
    const auto redis = std::make_unique<RedisRates>(RedisRates::Options{
        .port = redis_port,
        .deployment = fmt::format("bench {} {}", size, people),
        .log = 1,
        .deadline = std::chrono::seconds{1}
    });
    std::vector<Arriving> events = events_of(people);
    std::uint64_t offset = 0;
    std::vector<Arriving*> pointers(size);
    std::vector<RateKey> keys;
    std::vector<RateNote> notes;
    for (auto _ : state) {
        for (std::size_t at = 0; at < size; ++at) {  // a millisecond apart
            pointers[at] = &events[(offset + at) % events.size()];
            pointers[at]->judged.event.time =
                now + std::chrono::milliseconds{static_cast<std::int64_t>(offset + at)};
        }
        if (shared) {
            footfall::intake::ask_for_rates(*redis, rules, own, pointers);
        }
        for (const Arriving* each : pointers) {
            const footfall::guard::EventPlace place{.lane = 1, .offset = offset++};
            const auto verdict = rules.judge(
                each->event(),
                {.arrival = each->event().time,
                 .door = each->judged.door,
                 .nearest = footfall::guard::NearestCounted{},
                 .rates = &own,
                 .rates_away = each->rates_away}
            );
            if (!verdict || !verdict->counted()) {
                continue;
            }
            rules.note_counted(each->event(), each->judged.door, place, own);
            keys.clear();
            notes.clear();
            if (shared) {
                rules.append_rate_keys(each->event(), each->judged.door, own, keys);
                for (const RateKey& of : keys) {
                    notes.push_back({.of = of, .time = each->event().time, .place = place});
                }
                redis->note(notes);
            }
        }
        if (shared && offset % 10'000 < size) {
            redis->settle();  // faster than Redis nobody can count for long
        }
    }
    redis->settle();
    const RedisRates::Figures figures = redis->figures();
    if (shared && (figures.answers != figures.asks || figures.dropped > 0)) {
        state.SkipWithError("Redis was away; is one on port 16379?");
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(size));
    state.counters["cpu_per_event"] = benchmark::Counter(
        static_cast<double>(size),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert
    );
}

BENCHMARK(judge)
    ->ArgNames({"batch", "people", "shared"})
    ->ArgsProduct({{1, 500}, {100'000, 100}, {0, 1}})
    ->MeasureProcessCPUTime();

}  // namespace

BENCHMARK_MAIN();
