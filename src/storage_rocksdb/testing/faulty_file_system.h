#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace footfall::storage_rocksdb {

/// A file system that forgets, as a machine does that loses its power: of every file written
/// through it, only what was synced is sure to be there afterwards. Wraps the system's own; give it
/// to RocksStoreOptions through make_env().
///
///   FaultyFileSystem files; auto env = files.make_env();  ... write ...
///   files.cut_power();            every later write or sync fails
///   close the store
///   files.forget_unsynced(seed);  cuts each file back to what was synced, plus a random part of
///   the rest open the store again
///
/// Thread-safe.
class FaultyFileSystem final : public rocksdb::FileSystemWrapper {
public:
    FaultyFileSystem();

    const char* Name() const override { return "FaultyFileSystem"; }

    /// An Env over `files`.
    static std::unique_ptr<rocksdb::Env> make_env(const std::shared_ptr<FaultyFileSystem>& files);

    /// From now on nothing can be written or synced, until forget_unsynced().
    void cut_power() { powerless_.store(true); }

    /// The power goes right after so many more writes and syncs, of any file; above 0. What the
    /// last of them did is done.
    void cut_power_after(std::uint64_t steps) { cut_at_.store(steps_.load() + steps); }

    /// Whether the power is cut.
    bool powerless() const { return powerless_.load(); }

    /// After the store was closed: takes away what was not synced, of some files all of it, of
    /// others a part or nothing, and gives the power back.
    void forget_unsynced(std::uint64_t seed);

    /// The next sync of a write-ahead log fails, and part of what it should have made durable is
    /// lost, as Linux does it: pages whose writing failed are dropped and count as clean
    /// afterwards.
    void fail_next_log_sync() { fail_next_log_sync_.store(true); }

    /// How many have failed so.
    std::uint64_t failed_log_syncs() const { return failed_log_syncs_.load(); }

    /// A sync of a write-ahead log does nothing and says that it did: as if the call were missing.
    void ignore_log_syncs() { ignore_log_syncs_.store(true); }

    /// Files whose name has `part` in it cannot grow any more: the disk is full. "" means all.
    void fill_disk(const std::string& part);

    /// There is room again.
    void free_disk();

    /// The next file that is to get a second name does not: taking in a file of bulk rows fails.
    void fail_next_link() { fail_next_link_.store(true); }

    /// How often anything was written to any file.
    std::uint64_t writes() const { return writes_.load(); }

    /// How often any file was written to or synced.
    std::uint64_t steps() const { return steps_.load(); }

    /// How often something was written to a write-ahead log: the moments at which power can be cut.
    std::uint64_t log_writes() const { return log_writes_.load(); }

    /// How many syncs of write-ahead logs there were.
    std::uint64_t log_syncs() const { return log_syncs_.load(); }

    rocksdb::IOStatus NewWritableFile(
        const std::string& name,
        const rocksdb::FileOptions& options,
        std::unique_ptr<rocksdb::FSWritableFile>* result,
        rocksdb::IODebugContext* context
    ) override;
    rocksdb::IOStatus ReuseWritableFile(
        const std::string& name,
        const std::string& old_name,
        const rocksdb::FileOptions& options,
        std::unique_ptr<rocksdb::FSWritableFile>* result,
        rocksdb::IODebugContext* context
    ) override;
    rocksdb::IOStatus RenameFile(
        const std::string& from,
        const std::string& to,
        const rocksdb::IOOptions& options,
        rocksdb::IODebugContext* context
    ) override;
    rocksdb::IOStatus LinkFile(
        const std::string& from,
        const std::string& to,
        const rocksdb::IOOptions& options,
        rocksdb::IODebugContext* context
    ) override;
    rocksdb::IOStatus DeleteFile(
        const std::string& name, const rocksdb::IOOptions& options, rocksdb::IODebugContext* context
    ) override;

private:
    friend class FaultyFile;

    struct Extent {
        std::uint64_t written = 0;
        std::uint64_t synced = 0;
    };

    bool full(const std::string& name);
    void step();
    rocksdb::IOStatus append(const std::string& name, std::uint64_t bytes);
    rocksdb::IOStatus sync(const std::string& name);

    std::atomic<bool> powerless_ = false;
    std::atomic<bool> fail_next_log_sync_ = false;
    std::atomic<std::uint64_t> failed_log_syncs_ = 0;
    std::atomic<bool> ignore_log_syncs_ = false;
    std::atomic<bool> fail_next_link_ = false;
    std::atomic<std::uint64_t> cut_at_ = 0;  ///< Of steps_; 0: never.
    std::atomic<std::uint64_t> steps_ = 0;
    std::atomic<std::uint64_t> writes_ = 0;
    std::atomic<std::uint64_t> log_writes_ = 0;
    std::atomic<std::uint64_t> log_syncs_ = 0;
    std::mutex mutex_;
    std::map<std::string, Extent> extents_;  // by path; guarded by mutex_
    std::optional<std::string> full_;        // guarded by mutex_
};

}  // namespace footfall::storage_rocksdb
