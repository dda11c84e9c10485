#include "storage_rocksdb_testing/faulty_file_system.h"

#include "foundation/random.h"

#include <rocksdb/env.h>

#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

bool is_log(const std::string& name) {
    return name.ends_with(".log");
}

IOStatus no_power() {
    return IOStatus::IOError("the power is cut");
}

}  // namespace

/// A file that tells its file system what is written and synced.
class FaultyFile final : public rocksdb::FSWritableFileOwnerWrapper {
public:
    FaultyFile(std::unique_ptr<FSWritableFile> file, std::string name, FaultyFileSystem& files)
        : FSWritableFileOwnerWrapper{std::move(file)}, name_{std::move(name)}, files_{&files} {}

    IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* context)
        override {
        if (files_->powerless()) {
            return no_power();
        }
        if (files_->full(name_)) {
            return IOStatus::NoSpace("the disk is full");
        }
        IOStatus status = target()->Append(data, options, context);
        return status.ok() ? files_->append(name_, data.size()) : status;
    }

    IOStatus Append(
        const rocksdb::Slice& data,
        const IOOptions& options,
        const rocksdb::DataVerificationInfo&,
        IODebugContext* context
    ) override {
        return Append(data, options, context);
    }

    IOStatus Sync(const IOOptions&, IODebugContext*) override { return files_->sync(name_); }

    IOStatus Fsync(const IOOptions&, IODebugContext*) override { return files_->sync(name_); }

    /// Writing back a part early promises nothing.
    IOStatus RangeSync(std::uint64_t, std::uint64_t, const IOOptions&, IODebugContext*) override {
        return IOStatus::OK();
    }

    IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* context)
        override {
        return files_->powerless() ? no_power() : target()->Truncate(size, options, context);
    }

private:
    const std::string name_;
    FaultyFileSystem* files_;
};

FaultyFileSystem::FaultyFileSystem() : FileSystemWrapper{rocksdb::FileSystem::Default()} {}

std::unique_ptr<rocksdb::Env> FaultyFileSystem::make_env(
    const std::shared_ptr<FaultyFileSystem>& files
) {
    return rocksdb::NewCompositeEnv(files);
}

void FaultyFileSystem::fill_disk(const std::string& part) {
    const std::lock_guard lock{mutex_};
    full_ = part;
}

void FaultyFileSystem::free_disk() {
    const std::lock_guard lock{mutex_};
    full_.reset();
}

bool FaultyFileSystem::full(const std::string& name) {
    const std::lock_guard lock{mutex_};
    return full_ && name.contains(*full_);
}

void FaultyFileSystem::forget_unsynced(std::uint64_t seed) {
    Random random{seed};
    const std::lock_guard lock{mutex_};
    for (auto& [name, extent] : extents_) {
        std::error_code error;
        const std::uint64_t size = std::filesystem::file_size(name, error);
        if (error || size <= extent.synced) {
            continue;
        }
        const std::uint64_t unsure = size - extent.synced;
        const std::array<std::uint64_t, 3> parts{0, random.below(unsure + 1), unsure};
        const std::uint64_t kept = extent.synced + parts[random.below(parts.size())];
        std::filesystem::resize_file(name, kept, error);
        extent = {.written = kept, .synced = kept};
    }
    cut_at_.store(0);
    powerless_.store(false);
}

void FaultyFileSystem::step() {
    if (steps_.fetch_add(1) + 1 == cut_at_.load()) {
        cut_power();
    }
}

IOStatus FaultyFileSystem::NewWritableFile(
    const std::string& name,
    const rocksdb::FileOptions& options,
    std::unique_ptr<FSWritableFile>* result,
    IODebugContext* context
) {
    if (powerless()) {
        return no_power();
    }
    std::unique_ptr<FSWritableFile> file;
    IOStatus status = target()->NewWritableFile(name, options, &file, context);
    if (status.ok()) {
        const std::lock_guard lock{mutex_};
        extents_[name] = {};
        *result = std::make_unique<FaultyFile>(std::move(file), name, *this);
    }
    return status;
}

/// Files are never taken over from another: the store does not ask for it.
IOStatus FaultyFileSystem::
    ReuseWritableFile(const std::string&, const std::string&, const rocksdb::FileOptions&, std::unique_ptr<FSWritableFile>*, IODebugContext*) {
    return IOStatus::NotSupported("reuse of files");
}

IOStatus FaultyFileSystem::RenameFile(
    const std::string& from,
    const std::string& to,
    const IOOptions& options,
    IODebugContext* context
) {
    if (powerless()) {
        return no_power();
    }
    IOStatus status = target()->RenameFile(from, to, options, context);
    if (status.ok()) {
        const std::lock_guard lock{mutex_};
        const auto moved = extents_.extract(from);
        extents_[to] = moved.empty() ? Extent{} : moved.mapped();
    }
    return status;
}

/// What was not synced under the one name is not synced under the other.
IOStatus FaultyFileSystem::LinkFile(
    const std::string& from,
    const std::string& to,
    const IOOptions& options,
    IODebugContext* context
) {
    if (powerless()) {
        return no_power();
    }
    if (fail_next_link_.exchange(false)) {
        return IOStatus::IOError("the link failed");
    }
    IOStatus status = target()->LinkFile(from, to, options, context);
    if (status.ok()) {
        const std::lock_guard lock{mutex_};
        extents_[to] = extents_[from];
    }
    return status;
}

IOStatus FaultyFileSystem::DeleteFile(
    const std::string& name, const IOOptions& options, IODebugContext* context
) {
    if (powerless()) {
        return no_power();
    }
    const std::lock_guard lock{mutex_};
    extents_.erase(name);
    return target()->DeleteFile(name, options, context);
}

IOStatus FaultyFileSystem::append(const std::string& name, std::uint64_t bytes) {
    const std::lock_guard lock{mutex_};
    extents_[name].written += bytes;
    writes_.fetch_add(1);
    if (is_log(name)) {
        log_writes_.fetch_add(1);
    }
    step();
    return IOStatus::OK();
}

IOStatus FaultyFileSystem::sync(const std::string& name) {
    if (powerless()) {
        return no_power();
    }
    if (is_log(name)) {
        log_syncs_.fetch_add(1);
    }
    if (is_log(name) && ignore_log_syncs_.load()) {
        return IOStatus::OK();
    }
    const std::lock_guard lock{mutex_};
    Extent& extent = extents_[name];
    if (is_log(name) && fail_next_log_sync_.exchange(false)) {
        const std::uint64_t kept = extent.synced + (extent.written - extent.synced) / 2;
        std::error_code error;
        std::filesystem::resize_file(name, kept, error);
        extent = {.written = kept, .synced = kept};
        failed_log_syncs_.fetch_add(1);
        return IOStatus::IOError("the sync failed");
    }
    extent.synced = extent.written;
    step();
    return IOStatus::OK();
}

}  // namespace footfall::storage_rocksdb
