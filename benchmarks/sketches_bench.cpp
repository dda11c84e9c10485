// What a sketch of people costs: adding, uniting, counting, packing and unpacking.

#include "foundation/random.h"
#include "sketches/coder.h"
#include "sketches/joint.h"
#include "sketches/sketch.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

namespace footfall::sketches {
namespace {

constexpr std::uint16_t key = 1;

Sketch sketch_of(std::int64_t people, std::uint64_t seed) {
    Random random{seed};
    Sketch sketch;
    for (std::int64_t at = 0; at < people; ++at) {
        sketch.add(random());
        sketch.open();
    }
    sketch.close();
    return sketch;
}

Registers registers_of(std::int64_t people, std::uint64_t seed) {
    Random random{seed};
    Registers registers;
    for (std::int64_t at = 0; at < people; ++at) {
        registers.add(random());
    }
    return registers;
}

/// Fills sketches from nothing on.
void add_tokens(benchmark::State& state) {
    Random random{1};
    for (auto _ : state) {
        Sketch sketch;
        for (std::int64_t at = 0; at < state.range(0); ++at) {
            benchmark::DoNotOptimize(sketch.add(random()));
        }
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(add_tokens)->Arg(1)->Arg(3)->Arg(10)->Arg(128);

void add_to_open(benchmark::State& state) {
    Sketch sketch = sketch_of(state.range(0), 1);
    sketch.open();
    Random random{2};
    for (auto _ : state) {
        benchmark::DoNotOptimize(sketch.add(random()));
    }
}

BENCHMARK(add_to_open)->Arg(1000)->Arg(1'000'000);

void add_to_closed(benchmark::State& state) {
    Sketch sketch = sketch_of(state.range(0), 1);
    Random random{2};
    for (auto _ : state) {
        benchmark::DoNotOptimize(sketch.add(random()));
    }
}

BENCHMARK(add_to_closed)->Arg(1000)->Arg(1'000'000);

/// One of many, so that it is not in the cache.
void add_to_some_of_20_000_open(benchmark::State& state) {
    constexpr std::uint64_t sketches_count = 20'000;
    const Registers filled = registers_of(100'000, 1);
    std::vector<Registers> sketches(sketches_count, filled);
    Random random{2};
    for (auto _ : state) {
        benchmark::DoNotOptimize(sketches[random.below(sketches_count)].add(random()));
    }
}

BENCHMARK(add_to_some_of_20_000_open);

void unite_open(benchmark::State& state) {
    const Registers left = registers_of(state.range(0), 1);
    const Registers right = registers_of(state.range(0), 2);
    for (auto _ : state) {
        Registers both = left;
        both.unite(right);
        benchmark::DoNotOptimize(both.people());
    }
}

BENCHMARK(unite_open)->Arg(1000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);

void unite_closed(benchmark::State& state) {
    const Sketch left = sketch_of(state.range(0), 1);
    const Sketch right = sketch_of(state.range(0), 2);
    for (auto _ : state) {
        Sketch both;
        both.unite(left);
        both.unite(right);
        benchmark::DoNotOptimize(both.people());
    }
}

BENCHMARK(unite_closed)->Arg(100)->Arg(1000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);

void most_likely_of_registers(benchmark::State& state) {
    const Registers registers = registers_of(state.range(0), 1);
    for (auto _ : state) {
        benchmark::DoNotOptimize(registers.most_likely());
    }
}

BENCHMARK(most_likely_of_registers)->Arg(1000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);

/// One of ten is in both; then one of a thousand, whose bounds take longer.
void join_open(benchmark::State& state) {
    Registers left = registers_of(state.range(0), 1);
    Registers right = registers_of(state.range(0), 2);
    const Registers both = registers_of(state.range(0) / state.range(1), 3);
    left.unite(both);
    right.unite(both);
    for (auto _ : state) {
        benchmark::DoNotOptimize(joint(left.all(), right.all(), usual_precision).common.count);
    }
}

BENCHMARK(join_open)
    ->Args({1'000'000, 10})
    ->Args({1'000'000, 1'000})
    ->Unit(benchmark::kMicrosecond);

void most_likely_of_tokens(benchmark::State& state) {
    const Sketch sketch = sketch_of(state.range(0), 1);
    for (auto _ : state) {
        benchmark::DoNotOptimize(sketch.people());
    }
}

BENCHMARK(most_likely_of_tokens)->Arg(1)->Arg(10)->Arg(128);

void pack(benchmark::State& state) {
    const Registers registers = registers_of(state.range(0), 1);
    std::string bytes;
    for (auto _ : state) {
        bytes.clear();
        append_registers(registers.all(), registers.people_a_register(), bytes);
        benchmark::DoNotOptimize(bytes.data());
    }
    state.counters["bytes"] = static_cast<double>(bytes.size());
}

BENCHMARK(pack)->Arg(200)->Arg(1000)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);

void unpack(benchmark::State& state) {
    const Registers registers = registers_of(state.range(0), 1);
    std::string bytes;
    append_registers(registers.all(), registers.people_a_register(), bytes);
    std::vector<Register> read(registers.all().size());
    for (auto _ : state) {
        benchmark::DoNotOptimize(take_registers(bytes, read).has_value());
    }
}

BENCHMARK(unpack)->Arg(200)->Arg(1000)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);

void write_and_read(benchmark::State& state) {
    const Sketch sketch = sketch_of(state.range(0), 1);
    for (auto _ : state) {
        benchmark::DoNotOptimize(Sketch::read(sketch.written(key), key));
    }
}

BENCHMARK(write_and_read)->Arg(1)->Arg(100)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);

/// What a report does with the rows of 30 days.
void read_and_unite(benchmark::State& state, Sketch::Kept kept) {
    const std::string bytes = sketch_of(state.range(0), 1).written(key);
    constexpr int rows = 30;
    for (auto _ : state) {
        Sketch all;
        for (int row = 0; row < rows; ++row) {
            all.unite(*Sketch::read(bytes, key, kept));
        }
        benchmark::DoNotOptimize(all.people());
    }
}

BENCHMARK_CAPTURE(read_and_unite, closed, Sketch::Kept::closed)
    ->Arg(1000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(read_and_unite, open, Sketch::Kept::open)
    ->Arg(1000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace footfall::sketches

BENCHMARK_MAIN();
