// What single steps of a PUT and of the load generator take, for whoever changes them: Google
// Benchmark.

#include "foundation/random.h"
#include "http_server/router.h"
#include "load/histogram.h"
#include "load/protocol.h"
#include "load/traffic.h"
#include "storage/key_codec.h"
#include "tokens/schema.h"
#include "tokens/token_set.h"

#include <benchmark/benchmark.h>

#include <array>
#include <string>

namespace {

using namespace footfall;

constexpr std::int64_t now = 1'800'000'000'000;
constexpr std::int64_t unspread = 0;
constexpr std::size_t no_limit = 100'000'000;

void token_set_add(benchmark::State& state) {
    const auto size = static_cast<std::size_t>(state.range(0));
    Random random{1};
    for (auto _ : state) {
        tokens::TokenSet set;
        for (std::size_t at = 0; at < size; ++at) {
            benchmark::DoNotOptimize(set.add(random(), tokens::never, now, no_limit));
        }
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}

void token_set_add_again(benchmark::State& state) {
    const auto size = static_cast<std::uint64_t>(state.range(0));
    tokens::TokenSet set;
    for (std::uint64_t at = 0; at < size; ++at) {
        set.add((at + 1) * 0x9e3779b97f4a7c15, tokens::never, now, no_limit);
    }
    Random random{1};
    for (auto _ : state) {
        const std::uint64_t hash = (random.below(size) + 1) * 0x9e3779b97f4a7c15;
        benchmark::DoNotOptimize(set.add(hash, tokens::never, now, no_limit));
    }
}

void token_row_key(benchmark::State& state) {
    const std::array<storage::ValueView, 6> key{
        "default", "object-12345", unspread, unspread, tokens::never, "18446744073709551615"
    };
    std::string bytes;
    for (auto _ : state) {
        bytes.clear();
        storage::append_key(tokens::token_table, key, bytes);
        benchmark::DoNotOptimize(bytes.data());
    }
}

void traffic_operation(benchmark::State& state) {
    const load::Traffic traffic{{}};
    std::uint64_t n = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(traffic.at(n++));
    }
}

void histogram_record(benchmark::State& state) {
    load::Histogram histogram;
    Random random{1};
    for (auto _ : state) {
        histogram.record(random.below(10'000'000));
    }
    benchmark::DoNotOptimize(histogram.max());
}

void http_request_and_answer(benchmark::State& state) {
    const auto protocol = load::http_protocol("127.0.0.1:8080", "default");
    const load::Operation put{.is_get = false, .object = 12345, .token = 18446744073709551615U};
    constexpr std::string_view answer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\n43\n";
    std::string out;
    for (auto _ : state) {
        out.clear();
        protocol->append_put(out, put);
        benchmark::DoNotOptimize(out.data());
        benchmark::DoNotOptimize(protocol->read(answer));
    }
}

/// The last of as many routes as the program has, more or less.
void find_route(benchmark::State& state) {
    http_server::Router router;
    for (int other = 0; other < 25; ++other) {
        router.add(http_server::Method::get, "/api/v1/other" + std::to_string(other), {});
    }
    router.add(http_server::Method::put, "/api/v1/counter/{object}", {});
    router.add(http_server::Method::get, "/api/v1/counter/{object}", {});
    http_server::Request request;
    request.method = http_server::Method::get;
    request.path = "/api/v1/counter/articles/12345";
    for (auto _ : state) {
        benchmark::DoNotOptimize(router.find(request));
        benchmark::DoNotOptimize(request.placeholders.data());
    }
}

BENCHMARK(token_set_add)->RangeMultiplier(100)->Range(100, 1'000'000);
BENCHMARK(token_set_add_again)->RangeMultiplier(100)->Range(100, 1'000'000);
BENCHMARK(token_row_key);
BENCHMARK(traffic_operation);
BENCHMARK(histogram_record);
BENCHMARK(http_request_and_answer);
BENCHMARK(find_route);

}  // namespace

BENCHMARK_MAIN();
