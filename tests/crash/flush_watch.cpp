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
constexpr const char* view_rows_written = "footfall_view_rows_written_total";
constexpr milliseconds patience{1500};
constexpr milliseconds view_patience{4000};
/// A flush of views that do not fit into memory, and the checkpoint behind it.
constexpr std::uint64_t view_flush_ms = 40;
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

bool wait_for_view_flush(const test_support::FootfallProcess& server, Random& random) {
    test_support::Api api{server};
    const std::uint64_t before = api.metric(view_rows_written);
    const bool came =
        eventually([&] { return api.metric(view_rows_written) > before; }, view_patience, pause);
    eventually(
        [] { return false; },
        milliseconds{static_cast<std::int64_t>(random.below(view_flush_ms))},
        pause
    );
    return came;
}

}  // namespace footfall::crash
