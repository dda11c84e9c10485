#include "tokens_routes/largest_cache.h"

#include "foundation/json_string.h"
#include "foundation/log.h"
#include "tokens/object_listing.h"
#include "tokens_routes/counter_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::tokens::routes {
namespace {

constexpr std::size_t shown = 10;
constexpr std::chrono::seconds refresh_interval{1};
/// And no more than this part of the time is spent on looking.
constexpr int busy_part = 10;

}  // namespace

LargestCache::LargestCache(
    storage::Store& store,
    tokens::TokenCounters& counters,
    const tokens::CounterConfig& config,
    runtime::BlockingPool& pool
)
    : store_{&store}, counters_{&counters}, config_{&config}, pool_{&pool} {}

std::shared_ptr<const LargestCache::Snapshot> LargestCache::latest() {
    const std::lock_guard lock{mutex_};
    const auto now = std::chrono::steady_clock::now();
    if (!refreshing_ && now >= refresh_next_) {
        // When the pool is full there will be a next time.
        refreshing_ = pool_->submit([this] { refresh(); }).has_value();
    }
    return snapshot_;
}

void LargestCache::refresh() {
    const auto began = std::chrono::steady_clock::now();
    const auto largest = tokens::list_largest(*store_, *counters_, *config_, shown);
    auto made = std::make_shared<Snapshot>();
    if (largest) {
        made->json = fmt::format(
            R"({{"counter":{},"counters":{},"complete":{}}})",
            json_string(config_->name),
            json_of(largest->objects),
            largest->complete
        );
    } else {
        log(LogLevel::warning,
            "the largest counters cannot be looked up: {}",
            largest.error().message);
    }
    const std::lock_guard lock{mutex_};
    refreshing_ = false;
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::nanoseconds pause = (now - began) * busy_part;
    refresh_next_ = now + std::max<std::chrono::nanoseconds>(refresh_interval, pause);
    if (largest && made->json != snapshot_->json) {
        made->version = snapshot_->version + 1;
        snapshot_ = std::move(made);
    }
}

}  // namespace footfall::tokens::routes
