#include "storage_rocksdb/page_cache.h"

#include "foundation_testing/temporary_directory.h"

#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>

namespace footfall::storage_rocksdb {
namespace {

class PageCacheTest : public testing::Test {
protected:
    /// On the disk, and in the page cache no more.
    void drop_from_memory() const {
        const int file = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC);
        ASSERT_GE(file, 0);
        ::fdatasync(file);
        ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        ::close(file);
    }

    rocksdb::Status read() {
        rocksdb::Slice found;
        std::string scratch(text_.size(), '\0');
        rocksdb::Status status = file_->Read(0, scratch.size(), &found, scratch.data());
        EXPECT_TRUE(!status.ok() || found == text_);
        return status;
    }

    const TemporaryDirectory directory_;
    const std::string text_ = std::string(1 << 20, 'x');
    const std::string name_ = directory_.write("table.sst", text_);
    const std::unique_ptr<rocksdb::Env> env_ = make_page_cache_env(*rocksdb::Env::Default());
    std::unique_ptr<rocksdb::RandomAccessFile> file_;
};

TEST_F(PageCacheTest, reads_what_is_in_memory_and_refuses_to_wait_for_the_rest) {
    ASSERT_TRUE(env_->NewRandomAccessFile(name_, &file_, {}).ok());
    {
        const PageCacheOnly only;
        EXPECT_TRUE(read().ok()) << "just written, so in memory";
    }
    drop_from_memory();
    {
        const PageCacheOnly only;
        EXPECT_TRUE(read().IsTimedOut());
    }
    EXPECT_TRUE(read().ok()) << "who may wait gets it";
    const PageCacheOnly only;
    EXPECT_TRUE(read().ok()) << "and brought it into memory";
}

TEST_F(PageCacheTest, opens_nothing_while_it_must_not_wait) {
    const PageCacheOnly only;
    {
        const PageCacheOnly inner;
    }
    EXPECT_TRUE(env_->NewRandomAccessFile(name_, &file_, {}).IsTimedOut());
}

}  // namespace
}  // namespace footfall::storage_rocksdb
