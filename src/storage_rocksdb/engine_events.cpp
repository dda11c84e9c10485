#include "storage_rocksdb/engine_events.h"

#include "runtime/enter_thread.h"

#include <utility>

namespace footfall::storage_rocksdb {

EngineEvents::EngineEvents(std::function<void()> on_compacted)
    : on_compacted_{std::move(on_compacted)} {}

void EngineEvents::OnCompactionBegin(rocksdb::DB*, const rocksdb::CompactionJobInfo&) {
    thread_local bool entered = false;
    if (!entered) {
        runtime::enter_thread("compaction", runtime::Urgency::background);
        entered = true;
    }
}

void EngineEvents::OnCompactionCompleted(rocksdb::DB*, const rocksdb::CompactionJobInfo&) {
    on_compacted_();
}

}  // namespace footfall::storage_rocksdb
