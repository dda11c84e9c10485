#include "storage_rocksdb/engine_events.h"

#include "runtime/enter_thread.h"

#include <utility>

namespace footfall::storage_rocksdb {

EngineEvents::EngineEvents(
    std::span<const storage::Table* const> tables,
    metrics::Metrics& metrics,
    std::function<void()> on_compacted
)
    : on_compacted_{std::move(on_compacted)} {
    for (const storage::Table* table : tables) {
        merging_.emplace(
            table->name,
            Merging{
                .seconds = metrics.counter(
                    "footfall_store_compaction_seconds_total",
                    "Time of a core that the engine took to merge files of a table.",
                    {{"table", table->name}}
                ),
                .bytes = metrics.counter(
                    "footfall_store_compaction_bytes_total",
                    "Bytes that the engine wrote when it merged files of a table.",
                    {{"table", table->name}}
                )
            }
        );
    }
}

void EngineEvents::OnCompactionBegin(rocksdb::DB*, const rocksdb::CompactionJobInfo&) {
    thread_local bool entered = false;
    if (!entered) {
        runtime::enter_thread("compaction", runtime::Urgency::background);
        entered = true;
    }
}

void EngineEvents::OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo& info) {
    if (const auto found = merging_.find(info.cf_name); found != merging_.end()) {
        constexpr double micros = 1e6;
        found->second.seconds.add(static_cast<double>(info.stats.cpu_micros) / micros);
        found->second.bytes.add(static_cast<double>(info.stats.total_output_bytes));
    }
    on_compacted_();
}

}  // namespace footfall::storage_rocksdb
