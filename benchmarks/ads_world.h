#pragma once

#include "ads/ledger.h"
#include "ads/reports.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "metrics/metrics.h"
#include "runtime/memory_shares.h"
#include "storage_rocksdb/rocks_store.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace footfall::benchmarks {

/// The ledger of ten years, ending yesterday, in an embedded store. The first reseller has eight
/// clicks a day on a thousand ads, so that all lanes count for it, and 50 rates; each other one or
/// two clicks a day on four ads of its own, and five rates. Some clicks are sales, some refunds.
/// Rates were recorded on their days, clicks came when they were made, no month is sealed. What
/// fails ends the program. Not thread-safe.
class AdsWorld {
public:
    static constexpr std::uint64_t day_count = 3'652;
    static constexpr std::string_view currency = "USD";

    static ads::DayRange days();

    static std::string reseller(std::size_t number);

    /// Makes it, durable and compacted, with `clicks.csv` (id, time in seconds, action, object,
    /// reseller, amount) and `rates.csv` (reseller, effective_since, reward_percent) beside the
    /// store. Answers what there is, and the bytes of each table's files, as JSON.
    static std::string fill(const std::string& folder, std::size_t resellers);

    /// A process that starts on what fill() made.
    static std::unique_ptr<AdsWorld> open(const std::string& folder);

    /// Nothing of the store's files stays in the memory of the operating system.
    static void forget_files(const std::string& folder);

    /// Says a rate as of now; it is durable when this returns.
    void record_rate(const std::string& reseller, ads::Day effective, ads::Millionths share);

    ads::Ledger& ledger() { return *ledger_; }

    storage_rocksdb::RocksStore& store() { return *store_; }

    ManualClock& clock() { return clock_; }

private:
    AdsWorld(const std::string& folder, std::uint64_t checkpoint);

    ManualClock clock_{SystemClock{}.now()};
    metrics::Metrics metrics_;
    runtime::MemoryShare memory_{std::size_t{1} << 30};
    std::unique_ptr<storage_rocksdb::RocksStore> store_;
    std::unique_ptr<ads::Ledger> ledger_;
};

}  // namespace footfall::benchmarks
