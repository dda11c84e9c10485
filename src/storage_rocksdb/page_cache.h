#pragma once

#include <rocksdb/env.h>

#include <memory>

namespace footfall::storage_rocksdb {

/// While it lives, what this thread reads from tables of an Env made by make_page_cache_env()
/// comes from memory, the kernel's page cache included: a read that would have to wait for the disk
/// fails at once, with TimedOut.
class PageCacheOnly {
public:
    PageCacheOnly();
    ~PageCacheOnly();
    PageCacheOnly(const PageCacheOnly&) = delete;
    PageCacheOnly& operator=(const PageCacheOnly&) = delete;

private:
    const bool outer_;
};

/// `base`, of which threads may ask that reading does not wait (preadv2 with RWF_NOWAIT). Where the
/// system cannot do that, every such read fails. Takes a second descriptor for each open table.
/// `base` must outlive it.
std::unique_ptr<rocksdb::Env> make_page_cache_env(rocksdb::Env& base);

}  // namespace footfall::storage_rocksdb
