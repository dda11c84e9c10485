#include "storage_rocksdb/page_cache.h"

#include <rocksdb/file_system.h>

#include <fcntl.h>
#include <string>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

using rocksdb::FSRandomAccessFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

thread_local bool page_cache_only = false;

IOStatus would_wait() {
    return IOStatus::TimedOut("this would have to wait for the disk");
}

/// A table's file, and a descriptor of its own for reads that must not wait.
class PageCacheFile final : public rocksdb::FSRandomAccessFileOwnerWrapper {
public:
    PageCacheFile(std::unique_ptr<FSRandomAccessFile> file, const std::string& name)
        : FSRandomAccessFileOwnerWrapper{std::move(file)},
          // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): the system's
          descriptor_{::open(name.c_str(), O_RDONLY | O_CLOEXEC)} {}

    PageCacheFile(const PageCacheFile&) = delete;
    PageCacheFile& operator=(const PageCacheFile&) = delete;

    ~PageCacheFile() override {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }

    IOStatus Read(
        std::uint64_t offset,
        std::size_t size,
        const IOOptions& options,
        rocksdb::Slice* result,
        char* scratch,
        IODebugContext* context
    ) const override {
        if (!page_cache_only) {
            return FSRandomAccessFileOwnerWrapper::Read(
                offset, size, options, result, scratch, context
            );
        }
        const iovec into{.iov_base = scratch, .iov_len = size};
        const ssize_t read =
            ::preadv2(descriptor_, &into, 1, static_cast<off_t>(offset), RWF_NOWAIT);
        // Less than was asked for: the rest is not there, or the file ends, which whoever may wait
        // finds out.
        if (read != static_cast<ssize_t>(size)) {
            return would_wait();
        }
        *result = {scratch, size};
        return IOStatus::OK();
    }

private:
    const int descriptor_;
};

class PageCacheFileSystem final : public rocksdb::FileSystemWrapper {
public:
    using FileSystemWrapper::FileSystemWrapper;

    const char* Name() const override { return "footfall.page_cache"; }

    IOStatus NewRandomAccessFile(
        const std::string& name,
        const rocksdb::FileOptions& options,
        std::unique_ptr<FSRandomAccessFile>* result,
        IODebugContext* context
    ) override {
        if (page_cache_only) {
            return would_wait();
        }
        std::unique_ptr<FSRandomAccessFile> file;
        IOStatus opened = FileSystemWrapper::NewRandomAccessFile(name, options, &file, context);
        if (opened.ok()) {
            *result = std::make_unique<PageCacheFile>(std::move(file), name);
        }
        return opened;
    }
};

}  // namespace

PageCacheOnly::PageCacheOnly() : outer_{std::exchange(page_cache_only, true)} {}

PageCacheOnly::~PageCacheOnly() {
    page_cache_only = outer_;
}

std::unique_ptr<rocksdb::Env> make_page_cache_env(rocksdb::Env& base) {
    return rocksdb::NewCompositeEnv(std::make_shared<PageCacheFileSystem>(base.GetFileSystem()));
}

}  // namespace footfall::storage_rocksdb
