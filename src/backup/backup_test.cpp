// Backups of a directory: made, listed, verified, retired and restored.

#include "backup/fake_directory.h"
#include "backup/place.h"
#include "backup/verify.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace footfall::backup {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class BackupTest : public testing::Test {
protected:
    BackupTest() {
        fs::create_directory(here_ / "data");
        put("CURRENT", "MANIFEST-000005\n");
        put("MANIFEST-000005", "one");
        put("000001.sst", std::string(2 * portion_bytes + 100, 'a'));
        put("000002.sst", std::string(tail_bytes + 7, 'b'));
        put("000007.log", "");
    }

    void put(const std::string& name, const std::string& bytes) const {
        std::ofstream{data() + "/" + name, std::ios::binary} << bytes;
    }

    std::string data() const { return here_ / "data"; }

    std::string path() const { return here_ / "place"; }

    /// As another process finds the place: nobody holds it afterwards.
    Depot& place() const {
        depot_ = std::make_unique<DirectoryDepot>(path());
        return *depot_;
    }

    Taken take_well(TakeOptions options = {}) {
        clock_.advance(std::chrono::seconds{1});
        options.depot = &place();
        auto taken = take(source_of(data()), clock_, options);
        EXPECT_TRUE(taken) << (taken ? "" : taken.error().message);
        return taken ? *taken : Taken{};
    }

    std::vector<std::string> listed() const {
        std::vector<std::string> names;
        const auto listing = list(place());
        for (const Manifest& manifest : listing ? listing->whole : std::vector<Manifest>{}) {
            names.push_back(manifest.name);
        }
        return names;
    }

    std::vector<std::string> damage() const {
        const auto verified = verify(place(), "", go_on);
        EXPECT_TRUE(verified) << (verified ? "" : verified.error().message);
        return verified ? verified->damage : std::vector<std::string>{"not verified"};
    }

    static void change_byte(const fs::path& path, std::uint64_t at) {
        std::fstream file{path, std::ios::binary | std::ios::in | std::ios::out};
        file.seekp(static_cast<std::streamoff>(at));
        file.put('!');
    }

    const TemporaryDirectory here_;
    mutable std::unique_ptr<Depot> depot_;
    ManualClock clock_{Instant{std::chrono::seconds{1'796'000'000}}};
};

TEST_F(BackupTest, is_restored_as_it_was) {
    const Taken taken = take_well();
    EXPECT_EQ(taken.copied_bytes, taken.manifest.bytes() - 6);  // "erased" stands beside
    EXPECT_THAT(listed(), ElementsAre(taken.manifest.name));
    EXPECT_THAT(damage(), IsEmpty());
    const auto restored = restore(restore_into(place(), here_ / "target"));
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_EQ(*restored, taken.manifest);
    EXPECT_EQ(files_below(here_ / "target"), files_below(data()));
    EXPECT_FALSE(fs::exists(here_ / "target/restoring"));
}

TEST_F(BackupTest, copies_a_table_file_once) {
    const Taken first = take_well();
    put("MANIFEST-000005", "another");
    put("000003.sst", "new");
    const Taken second = take_well();
    EXPECT_EQ(second.copied_bytes, std::string{"MANIFEST-000005\nanothernew"}.size());
    EXPECT_EQ(second.manifest.files[0], first.manifest.files[0]);
    EXPECT_THAT(damage(), IsEmpty());
    ASSERT_TRUE(restore(restore_into(place(), here_ / "target")));
    EXPECT_EQ(files_below(here_ / "target"), files_below(data()));
    // All is copied where that is asked for, or where a file is gone from the place.
    EXPECT_EQ(take_well({.full = true}).copied_bytes, second.manifest.bytes() - 6);
    fs::remove(fs::path{path()} / take_well().manifest.files[0].stored);
    EXPECT_GT(take_well().copied_bytes, portion_bytes);
}

TEST_F(BackupTest, another_file_of_the_same_name_and_size_is_copied) {
    take_well();
    put("000002.sst", std::string(tail_bytes + 6, 'b') + "c");
    const Taken second = take_well();
    EXPECT_GT(second.copied_bytes, tail_bytes);
    ASSERT_TRUE(restore(restore_into(place(), here_ / "target")));
    EXPECT_EQ(files_below(here_ / "target"), files_below(data()));
}

TEST_F(BackupTest, removes_what_no_kept_backup_names) {
    take_well();
    fs::remove(data() + "/000001.sst");
    const Taken second = take_well();
    const Taken third = take_well({.keep = 2});
    EXPECT_EQ(third.removed, 1U);
    EXPECT_THAT(listed(), ElementsAre(second.manifest.name, third.manifest.name));
    EXPECT_THAT(damage(), IsEmpty());
    for (const auto& [name, bytes] : files_below(path())) {
        EXPECT_THAT(name, testing::Not(HasSubstr("000001.sst")));
    }
}

TEST_F(BackupTest, names_keep_the_order_of_time_when_a_clock_is_put_back) {
    const Taken first = take_well();
    clock_.advance(std::chrono::hours{-5});
    const Taken second = take_well();
    EXPECT_THAT(listed(), ElementsAre(first.manifest.name, second.manifest.name));
}

TEST_F(BackupTest, names_the_file_and_the_place_of_damage) {
    const Taken taken = take_well();
    const Manifest& manifest = taken.manifest;
    const fs::path table = fs::path{path()} / manifest.files[0].stored;
    ASSERT_EQ(manifest.files[0].name, "000001.sst");
    change_byte(table, portion_bytes + 3);
    EXPECT_THAT(
        damage(),
        ElementsAre(
            table.string() + " is damaged between byte 1048576 and byte 2097152 (of the backup " +
            manifest.name + ")"
        )
    );
    const auto restored = restore(restore_into(place(), here_ / "target"));
    ASSERT_FALSE(restored);
    EXPECT_EQ(restored.error().kind, ErrorKind::corrupt);
    EXPECT_THAT(restored.error().message, HasSubstr("between byte 1048576 and byte 2097152"));
    EXPECT_FALSE(fs::exists(here_ / "target/CURRENT"));

    fs::resize_file(table, 10);
    EXPECT_THAT(damage(), ElementsAre(HasSubstr("has 10 bytes and should have 2097252")));
    fs::remove(table);
    EXPECT_THAT(damage(), ElementsAre(HasSubstr("No such file")));
    // The place is as good as before after a backup that copies all.
    const Taken full = take_well({.full = true, .keep = 1});
    EXPECT_THAT(damage(), IsEmpty());
    EXPECT_TRUE(restore(restore_into(place(), here_ / "target")));
}

TEST_F(BackupTest, every_changed_byte_of_small_files_is_found) {
    const Taken taken = take_well();
    std::vector<StoredFile> files = taken.manifest.beside;
    files.push_back(taken.manifest.files[2]);
    files.push_back(taken.manifest.files[3]);
    for (const StoredFile& file : files) {
        const fs::path stored = fs::path{path()} / file.stored;
        const std::string bytes = read_text(stored);
        for (std::uint64_t at = 0; at < bytes.size(); ++at) {
            change_byte(stored, at);
            EXPECT_THAT(damage(), ElementsAre(HasSubstr(stored.string()))) << at;
            std::ofstream{stored, std::ios::binary} << bytes;
        }
    }
}

TEST_F(BackupTest, a_damaged_list_keeps_nothing_from_going_on) {
    const Taken first = take_well();
    change_byte(fs::path{path()} / manifest_name(first.manifest.name), 20);
    EXPECT_THAT(listed(), IsEmpty());
    EXPECT_THAT(damage(), ElementsAre(HasSubstr("its checksum is wrong")));
    const Taken second = take_well();
    EXPECT_THAT(listed(), ElementsAre(second.manifest.name));
    // Nobody knows what the damaged list names.
    EXPECT_TRUE(fs::exists(fs::path{path()} / first.manifest.files[0].stored));
    ASSERT_TRUE(restore(restore_into(place(), here_ / "target")));
}

TEST_F(BackupTest, refuses_what_does_not_belong_together) {
    const auto said = [](const auto& result) {
        return result ? std::string{"done"} : result.error().message;
    };
    DirectoryDepot nothing{here_ / "nothing"};
    EXPECT_THAT(said(list(nothing)), HasSubstr("holds no backups"));
    const Taken taken = take_well();
    EXPECT_THAT(
        said(take(source_of(data(), "other"), clock_, {.depot = &place()})),
        HasSubstr("holds backups of the deployment d, and this is other")
    );
    DirectoryDepot no_place{data()};
    EXPECT_THAT(
        said(take(source_of(data()), clock_, {.depot = &no_place})),
        HasSubstr("holds something else than backups (000001.sst)")
    );
    EXPECT_THAT(said(restore(restore_into(place(), data()))), HasSubstr("is not empty, it holds "));
    RestoreOptions options = restore_into(place(), here_ / "target");
    options.name = "20200101T000000.000000Z";
    EXPECT_THAT(said(restore(options)), HasSubstr("holds no whole backup named 2020"));
    options.name = {};
    options.format = fake_format + 1;
    EXPECT_THAT(said(restore(options)), HasSubstr("an earlier version of footfall wrote"));
    options.format = fake_format - 1;
    EXPECT_THAT(said(restore(options)), HasSubstr("a newer version of footfall wrote"));
    EXPECT_FALSE(fs::exists(here_ / "target"));
    EXPECT_THAT(said(verify(place(), "x", go_on)), HasSubstr("no whole backup named x"));
    DirectoryDepot held{path()};
    ASSERT_TRUE(open_place(held));
    EXPECT_THAT(
        said(take(source_of(data()), clock_, {.depot = &place()})),
        HasSubstr("another footfall is working")
    );
    EXPECT_THAT(listed(), ElementsAre(taken.manifest.name));
}

}  // namespace
}  // namespace footfall::backup
