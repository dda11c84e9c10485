// The check of a data directory: damage of every kind is refused with file and remedy; whatever a
// crash leaves behind passes.

#include "storage_rocksdb/directory_check.h"

#include "foundation/check.h"
#include "foundation_testing/temporary_directory.h"
#include "storage_rocksdb/manifest.h"
#include "storage_rocksdb/record_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace footfall::storage_rocksdb {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

void write_bytes(const fs::path& path, std::string_view bytes) {
    std::ofstream{path, std::ios::binary} << bytes;
}

void flip(const fs::path& path, std::size_t at) {
    std::string bytes = read_text(path);
    bytes[at] = static_cast<char>(~bytes[at]);
    write_bytes(path, bytes);
}

class DirectoryCheckTest : public testing::Test {
public:
    DirectoryCheckTest(const DirectoryCheckTest&) = delete;
    DirectoryCheckTest& operator=(const DirectoryCheckTest&) = delete;

    DirectoryCheckTest() = default;

    ~DirectoryCheckTest() override { close(); }

protected:
    /// Without flushes of its own when it is opened, so that logs stay needed; and without
    /// compactions of its own, so that files change only when a test says so.
    void open() {
        rocksdb::DBOptions options;
        options.create_if_missing = true;
        options.create_missing_column_families = true;
        options.avoid_flush_during_recovery = true;
        rocksdb::ColumnFamilyOptions family;
        family.disable_auto_compactions = true;
        rocksdb::DB* opened = nullptr;
        const auto status = rocksdb::DB::Open(
            options, data_, {{"default", family}, {"other", family}}, &families_, &opened
        );
        CHECK(status.ok(), "it opens", status.ToString());
        db_.reset(opened);
    }

    void close() {
        for (auto* family : families_) {
            CHECK(db_->DestroyColumnFamilyHandle(family).ok(), "it closes");
        }
        families_.clear();
        db_.reset();
    }

    void put(std::size_t family, int from, int to) {
        for (int row = from; row < to; ++row) {
            const auto status =
                db_->Put({}, families_[family], std::to_string(row), std::string(100, 'v'));
            CHECK(status.ok(), "it writes", status.ToString());
        }
    }

    void flush(std::size_t family) { CHECK(db_->Flush({}, families_[family]).ok(), "it flushes"); }

    /// Two needed logs (the family "other" is in both), and table files, one of them obsolete.
    void make() {
        open();
        put(0, 0, 100);
        flush(0);
        put(0, 0, 100);
        put(1, 0, 100);
        flush(0);
        put(0, 100, 200);
        put(1, 100, 200);
        ASSERT_TRUE(db_->CompactRange({}, families_[0], nullptr, nullptr).ok());
        put(1, 200, 300);
        for (const auto& file : live_tables()) {
            tables_.push_back(data_ / file.first);
        }
        fs::copy(data_, root_ / "copy", fs::copy_options::recursive);
        close();
        heal();
    }

    void heal() const {
        fs::remove_all(data_);
        fs::copy(root_ / "copy", data_, fs::copy_options::recursive);
    }

    std::map<std::string, std::uint64_t> live_tables() const {
        std::vector<rocksdb::LiveFileMetaData> files;
        db_->GetLiveFilesMetaData(&files);
        std::map<std::string, std::uint64_t> sizes;
        for (const auto& file : files) {
            sizes[file.name.substr(1)] = file.size;
        }
        return sizes;
    }

    fs::path manifest() const {
        std::string name = read_text(data_ / "CURRENT");
        name.pop_back();
        return data_ / name;
    }

    /// By number.
    std::vector<fs::path> logs() const {
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator{data_}) {
            if (entry.path().extension() == ".log") {
                found.push_back(entry.path());
            }
        }
        std::ranges::sort(found);
        return found;
    }

    Result<void> check() const { return check_directory(*rocksdb::Env::Default(), data_); }

    void expect_refused(const std::string& file, const std::string& remedy = "from a backup") {
        const Result<void> checked = check();
        ASSERT_FALSE(checked) << file;
        EXPECT_EQ(checked.error().kind, ErrorKind::corrupt);
        EXPECT_THAT(checked.error().message, HasSubstr(file));
        EXPECT_THAT(checked.error().message, HasSubstr(remedy));
    }

    const TemporaryDirectory root_;
    const fs::path data_ = root_.path() / "data";
    std::vector<rocksdb::ColumnFamilyHandle*> families_;
    std::unique_ptr<rocksdb::DB> db_;
    std::vector<fs::path> tables_;
};

TEST_F(DirectoryCheckTest, knows_the_files_that_the_engine_knows) {
    open();
    for (int round = 0; round < 30; ++round) {
        const std::size_t family = round % 2 == 0 ? 0 : 1;
        put(family, round * 10, round * 10 + 100);
        flush(family);
        if (round % 7 == 3) {
            ASSERT_TRUE(db_->CompactRange({}, families_[0], nullptr, nullptr).ok());
        }
        if (round == 20) {
            close();
            open();
        }
        Manifest list;
        const auto read = read_record_log(
            *rocksdb::Env::Default(),
            manifest(),
            0,
            std::numeric_limits<std::size_t>::max(),
            [&](std::string_view record) { EXPECT_TRUE(list.apply(record)); }
        );
        ASSERT_TRUE(read);
        EXPECT_EQ(read->end, RecordLog::End::clean);
        std::map<std::string, std::uint64_t> tables;
        for (const auto& [number, size] : list.tables()) {
            tables[fmt::format("{:06}.sst", number)] = size;
        }
        EXPECT_EQ(tables, live_tables()) << "round " << round;
        EXPECT_TRUE(check());
    }
}

TEST_F(DirectoryCheckTest, passes_what_is_not_there_yet_or_was_begun) {
    EXPECT_TRUE(check());
    fs::create_directory(data_);
    EXPECT_TRUE(check());
    write_bytes(data_ / "MANIFEST-000001", "begun");
    write_bytes(data_ / "LOCK", "");
    EXPECT_TRUE(check()) << "a crash before CURRENT was made";
}

TEST_F(DirectoryCheckTest, passes_a_sound_directory) {
    make();
    const Result<void> checked = check();
    EXPECT_TRUE(checked) << checked.error().message;
    EXPECT_GE(logs().size(), 2U) << "or there is less to test than it seems";
}

TEST_F(DirectoryCheckTest, refuses_data_without_the_name_of_its_list) {
    make();
    fs::remove(data_ / "CURRENT");
    expect_refused("CURRENT");
    for (const char* name : {"", "MANIFEST-00", "MANIFEST-000005", "MANIFEST-x\n"}) {
        write_bytes(data_ / "CURRENT", name);
        expect_refused("CURRENT");
    }
    write_bytes(data_ / "CURRENT", "MANIFEST-000999\n");
    expect_refused("MANIFEST-000999");
}

TEST_F(DirectoryCheckTest, refuses_every_flipped_byte_of_the_list) {
    make();
    const std::size_t size = fs::file_size(manifest());
    for (std::size_t at = 0; at < size; ++at) {
        heal();
        flip(manifest(), at);
        expect_refused("MANIFEST");
    }
    write_bytes(manifest(), "");
    expect_refused("MANIFEST");
}

TEST_F(DirectoryCheckTest, passes_an_edit_of_the_list_that_was_cut_short) {
    make();
    const std::string bytes = read_text(manifest());
    const std::size_t record = 7 + static_cast<unsigned char>(bytes[4]);
    for (std::size_t written = 1; written < record; ++written) {
        write_bytes(manifest(), bytes + bytes.substr(0, written));
        EXPECT_TRUE(check()) << written;
    }
}

TEST_F(DirectoryCheckTest, refuses_without_a_table_file_or_with_one_cut_short) {
    make();
    ASSERT_FALSE(tables_.empty());
    for (const fs::path& table : tables_) {
        heal();
        fs::resize_file(table, fs::file_size(table) - 1);
        expect_refused(table.filename());
        fs::remove(table);
        expect_refused(table.filename());
    }
}

TEST_F(DirectoryCheckTest, refuses_a_log_damaged_in_its_middle_and_says_how_to_go_on) {
    make();
    const fs::path log = logs().front();
    flip(log, fs::file_size(log) / 4 * 3);
    const Result<void> checked = check();
    expect_refused(log.filename(), "truncate --size=");
    const std::string& message = checked.error().message;
    const std::string command = message.substr(message.find("truncate --size="));
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    EXPECT_TRUE(check());
    EXPECT_EQ(logs().size(), 1U) << "nothing that was written later may stay";
    open();
    std::string value;
    EXPECT_TRUE(db_->Get({}, families_[1], "0", &value).ok());
    EXPECT_TRUE(db_->Get({}, families_[1], "250", &value).IsNotFound());
}

TEST_F(DirectoryCheckTest, refuses_a_log_without_its_end_when_another_follows) {
    make();
    const fs::path log = logs().front();
    fs::resize_file(log, fs::file_size(log) - 1);
    expect_refused(log.filename(), "rm '");
}

TEST_F(DirectoryCheckTest, passes_the_last_log_without_its_end) {
    make();
    const fs::path log = logs().back();
    const std::size_t size = fs::file_size(log);
    for (std::size_t cut = 1; cut < 300 && cut <= size; ++cut) {
        fs::resize_file(log, size - cut);
        EXPECT_TRUE(check());
    }
}

}  // namespace
}  // namespace footfall::storage_rocksdb
