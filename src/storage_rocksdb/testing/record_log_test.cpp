// The reader of logs against logs that the engine wrote, cut and flipped at every place.

#include "storage_rocksdb/record_log.h"

#include "foundation/check.h"
#include "foundation/random.h"
#include "foundation_testing/temporary_directory.h"
#include "storage_rocksdb/fixed_bytes.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace footfall::storage_rocksdb {
namespace {

using End = RecordLog::End;

constexpr std::size_t block_size = 32768;
constexpr std::uint64_t number = 4;  // the first log of a new directory

class RecordLogTest : public testing::Test {
protected:
    /// The bytes of a write-ahead log with a record for each of these sizes; notes in ends_ where
    /// each of them ends.
    std::string write_log(const std::vector<std::size_t>& sizes) {
        rocksdb::Options options;
        options.create_if_missing = true;
        rocksdb::DB* opened = nullptr;
        CHECK(rocksdb::DB::Open(options, directory_ / "db", &opened).ok(), "it opens");
        const std::unique_ptr<rocksdb::DB> db{opened};
        const std::string log = directory_ / "db/000004.log";
        Random random{7};
        for (const std::size_t size : sizes) {
            std::string value(size, '\0');
            for (char& byte : value) {
                byte = static_cast<char>(random());
            }
            CHECK(db->Put({}, "key", value).ok(), "it writes");
            ends_.push_back(std::filesystem::file_size(log));
        }
        return read_text(log);
    }

    RecordLog read(const std::string& bytes) {
        const std::string path = directory_.write("copy.log", bytes);
        starts_.clear();
        auto log = read_record_log(
            *rocksdb::Env::Default(),
            path,
            number,
            12,
            [this](std::string_view start) { starts_.emplace_back(start); }
        );
        CHECK(log, "a file that is there", log ? "" : log.error().message);
        EXPECT_EQ(starts_.size(), log->records);
        return *log;
    }

    /// Where the last record begins.
    std::size_t begin_of_last() const { return ends_[ends_.size() - 2]; }

    const TemporaryDirectory directory_;
    std::vector<std::size_t> ends_;
    std::vector<std::string> starts_;
};

TEST_F(RecordLogTest, reads_records_of_all_sizes) {
    std::vector<std::size_t> sizes;
    for (std::size_t size = 0; size < 200'000; size += 1 + size / 7) {
        sizes.push_back(size);
    }
    // Fragments that end at the end of a block, a few bytes before it, and behind it.
    for (std::size_t size = block_size - 60; size < block_size; ++size) {
        sizes.push_back(size);
    }
    const std::string bytes = write_log(sizes);
    const RecordLog log = read(bytes);
    EXPECT_EQ(log.end, End::clean);
    EXPECT_EQ(log.records, sizes.size());
    EXPECT_EQ(log.whole_bytes, bytes.size());
    for (std::size_t at = 0; at < starts_.size(); ++at) {
        EXPECT_EQ(fixed<std::uint64_t>(starts_[at]), at + 1) << "the engine numbers the rows";
        EXPECT_EQ(fixed<std::uint32_t>(std::string_view{starts_[at]}.substr(8)), 1);
    }
}

TEST_F(RecordLogTest, takes_every_cut_for_a_write_cut_short) {
    const std::string bytes = write_log({10, 300, 0, 70'000, 20});
    for (std::size_t size = 0; size < bytes.size(); size += size < 400 || size > 70'300 ? 1 : 97) {
        const RecordLog log = read(bytes.substr(0, size));
        const auto whole = std::ranges::upper_bound(ends_, size) - ends_.begin();
        EXPECT_EQ(log.records, static_cast<std::uint64_t>(whole)) << size;
        const std::size_t end = whole == 0 ? 0 : ends_[static_cast<std::size_t>(whole) - 1];
        EXPECT_EQ(log.whole_bytes, end);
        EXPECT_EQ(log.end, size == end ? End::clean : End::cut) << size;
    }
}

TEST_F(RecordLogTest, tells_every_flipped_byte_that_has_records_behind_it) {
    const std::string bytes = write_log({10, 300, 0, 150, 20});
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const unsigned flip : {0x01U, 0x04U, 0x80U, 0xffU}) {
            std::string flipped = bytes;
            flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ flip);
            const RecordLog log = read(flipped);
            const auto before = std::ranges::upper_bound(ends_, at) - ends_.begin();
            EXPECT_EQ(log.records, static_cast<std::uint64_t>(before)) << at;
            if (at < begin_of_last()) {
                EXPECT_EQ(log.end, End::damaged) << "byte " << at << " flip " << flip;
            } else {
                EXPECT_NE(log.end, End::clean) << "byte " << at << " flip " << flip;
            }
        }
    }
}

TEST_F(RecordLogTest, tells_damage_in_records_over_many_blocks) {
    const std::string bytes = write_log({40'000, 10, 200'000, 32'000, 100, 90'000, 5});
    Random random{3};
    for (int round = 0; round < 300; ++round) {
        const std::size_t at = random.below(begin_of_last());
        const std::size_t size = 1 + random.below(5000);
        std::string hurt = bytes;
        for (std::size_t byte = at; byte < std::min(at + size, begin_of_last()); ++byte) {
            hurt[byte] = static_cast<char>(round % 2 == 0 ? 0 : ~hurt[byte]);
        }
        if (hurt != bytes) {
            EXPECT_EQ(read(hurt).end, End::damaged) << "from " << at << ", " << size;
        }
    }
}

// The disk may have kept any pages of a last write that was not synced, none of another.
TEST_F(RecordLogTest, takes_missing_pages_of_the_last_record_for_a_write_cut_short) {
    const std::string bytes = write_log({40'000, 10, 200'000});
    Random random{5};
    for (int round = 0; round < 200; ++round) {
        std::string torn = bytes;
        for (std::size_t at = (begin_of_last() / 4096 + 1) * 4096; at < torn.size(); at += 4096) {
            if (random.below(2) == 0) {
                const std::size_t size = std::min<std::size_t>(4096, torn.size() - at);
                torn.replace(at, size, size, '\0');
            }
        }
        const RecordLog log = read(torn);
        EXPECT_EQ(log.records, torn == bytes ? 3 : 2);
        EXPECT_NE(log.end, End::damaged) << log.damage;
    }
}

TEST_F(RecordLogTest, takes_zeros_behind_the_records_for_their_end) {
    const std::string bytes = write_log({10, 300});
    const RecordLog log = read(bytes + std::string(100'000, '\0'));
    EXPECT_EQ(log.records, 2);
    EXPECT_EQ(log.whole_bytes, bytes.size());
    EXPECT_EQ(log.end, End::cut);
}

}  // namespace
}  // namespace footfall::storage_rocksdb
