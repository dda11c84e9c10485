// What counting an event costs beside the store, in batches of 500, and what an object takes in
// memory, by how many people saw it.
//
//     cmake --preset release -DFOOTFALL_BENCHMARKS=ON && ninja -C build/release views_bench
//     build/release/benchmarks/views_bench

#include "foundation/clock.h"
#include "foundation/random.h"
#include "no_store.h"
#include "views/views.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <malloc.h>
#include <string>
#include <vector>

namespace {

using footfall::Random;
using footfall::views::Fact;
using footfall::views::Views;

constexpr footfall::Instant now{std::chrono::seconds{1'790'000'000}};

struct World {
    footfall::ManualClock clock{now};
    footfall::benchmarks::NoStore store;
    Views views{store, 1, 1, clock, {.memory_bytes = std::size_t{8} << 30}};
};

std::vector<std::string> names(std::size_t count) {
    std::vector<std::string> names;
    names.reserve(count);
    for (std::size_t at = 0; at < count; ++at) {
        names.push_back(fmt::format("/articles/{:07}", at));
    }
    return names;
}

/// Events of people at random on so many objects, in batches of 500, with the writing that this
/// takes.
void apply(benchmark::State& state) {
    World world;
    Random random{1};
    const auto objects = names(static_cast<std::size_t>(state.range(0)));
    const auto people = static_cast<std::uint64_t>(state.range(1));
    std::uint64_t offset = 0;
    std::vector<Fact> facts(500);
    for (auto _ : state) {
        for (Fact& fact : facts) {
            fact = {
                .action = "view",
                .object = objects[random.below(objects.size())],
                .offset = offset++,
                .time = now,
                .person = random.below(people) * 0x9e3779b97f4a7c15
            };
        }
        world.views.wait_for_room().value();
        world.views.apply(0, facts);
        world.views.flush().value();
    }
    world.views.flush_all().value();
    state.SetItemsProcessed(state.iterations() * 500);
}

/// Bytes an object takes that was seen on one day, before it is written: of the heap as malloc
/// says, and as accounted; and `written`: what is left of it then.
void memory(benchmark::State& state) {
    const auto people = static_cast<std::size_t>(state.range(0));
    const auto objects = names(std::min<std::size_t>(100'000, 4'000'000 / people));
    for (auto _ : state) {
        World world;
        Random random{2};
        std::uint64_t offset = 0;
        const auto seen = [&](std::size_t times) {
            for (std::size_t at = 0; at < objects.size(); ++at) {
                for (std::size_t person = 0; person < times; ++person) {
                    const Fact fact{
                        .action = "view",
                        .object = objects[at],
                        .offset = offset++,
                        .time = now,
                        .person = random()
                    };
                    world.views.apply(at % 64, {&fact, 1});
                }
            }
            return static_cast<double>(world.views.figures().bytes) /
                   static_cast<double>(objects.size());
        };
        const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
        state.counters["accounted"] = seen(people);
        const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
        state.counters["heap"] =
            static_cast<double>(after - before) / static_cast<double>(objects.size());
        world.views.flush_all().value();
        state.counters["written"] =
            static_cast<double>(world.views.figures().bytes) / static_cast<double>(objects.size());
    }
}

}  // namespace

BENCHMARK(apply)
    ->ArgNames({"objects", "people"})
    ->Args({1, 1'000'000})
    ->Args({1000, 1'000'000})
    ->Args({1000, 10})
    ->Args({1'000'000, 10})
    ->Args({1'000'000, 1'000'000});
BENCHMARK(memory)->ArgName("people")->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(10'000)->Iterations(
    1
);

BENCHMARK_MAIN();
