#include "flush_watch.h"

#include "test_support/api.h"
#include "test_support/eventually.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace footfall::crash {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using test_support::eventually;

constexpr const char* generations_written = "footfall_store_generations_written_total";
constexpr milliseconds patience{1500};
constexpr microseconds pause{500};

/// The moment from which on one more generation is written; absent when none was in time.
std::optional<steady_clock::time_point> next_generation(test_support::Api& api) {
    const std::uint64_t before = api.metric(generations_written);
    const bool came =
        eventually([&] { return api.metric(generations_written) > before; }, patience, pause);
    return came ? std::optional{steady_clock::now()} : std::nullopt;
}

}  // namespace

bool wait_for_flush(const test_support::FootfallProcess& server, Random& random) {
    test_support::Api api{server};
    const bool told = api.has_metric(generations_written);
    const auto first = told ? next_generation(api) : std::nullopt;
    const auto second = first ? next_generation(api) : std::nullopt;
    if (!second) {
        eventually(
            [] { return false; }, milliseconds{static_cast<std::int64_t>(random.below(400))}, pause
        );
        return false;
    }
    const std::uint64_t before = api.metric(generations_written);
    const auto wait = (*second - *first) * (0.5 + random.fraction());
    eventually(
        [&] { return api.metric(generations_written) > before; },
        std::chrono::duration_cast<milliseconds>(wait),
        pause
    );
    return true;
}

}  // namespace footfall::crash
