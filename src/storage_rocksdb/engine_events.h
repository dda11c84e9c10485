#pragma once

#include <rocksdb/listener.h>

#include <functional>

namespace footfall::storage_rocksdb {

/// What the program does when the engine does something. Called on the engine's threads.
class EngineEvents final : public rocksdb::EventListener {
public:
    /// `on_compacted`: files were replaced by others with the same rows.
    explicit EngineEvents(std::function<void()> on_compacted);

    /// A thread that compacts goes to the background: whoever waits for an answer goes first. When
    /// compaction falls behind, the writer of files waits for it and then blocks do (BulkWriter,
    /// RocksStore::brake).
    void OnCompactionBegin(rocksdb::DB* db, const rocksdb::CompactionJobInfo& info) override;

    void OnCompactionCompleted(rocksdb::DB* db, const rocksdb::CompactionJobInfo& info) override;

private:
    std::function<void()> on_compacted_;
};

}  // namespace footfall::storage_rocksdb
