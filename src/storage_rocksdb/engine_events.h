#pragma once

#include "metrics/metrics.h"
#include "storage/table.h"

#include <rocksdb/listener.h>

#include <functional>
#include <map>
#include <span>
#include <string>

namespace footfall::storage_rocksdb {

/// What the program does when the engine does something, and says of it. Called on the engine's
/// threads.
class EngineEvents final : public rocksdb::EventListener {
public:
    /// `on_compacted`: files were replaced by others with the same rows.
    EngineEvents(
        std::span<const storage::Table* const> tables,
        metrics::Metrics& metrics,
        std::function<void()> on_compacted
    );

    /// A thread that compacts goes to the background: whoever waits for an answer goes first. When
    /// compaction falls behind, the writer of files waits for it and then blocks do (BulkWriter,
    /// RocksStore::brake).
    void OnCompactionBegin(rocksdb::DB* db, const rocksdb::CompactionJobInfo& info) override;

    void OnCompactionCompleted(rocksdb::DB* db, const rocksdb::CompactionJobInfo& info) override;

private:
    struct Merging {
        metrics::Counter seconds;
        metrics::Counter bytes;
    };

    std::map<std::string, Merging, std::less<>> merging_;  ///< By table; constant.
    std::function<void()> on_compacted_;
};

}  // namespace footfall::storage_rocksdb
