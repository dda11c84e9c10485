#include "backup/manifest.h"

#include "backup/directory_depot.h"
#include "foundation_testing/temporary_directory.h"
#include "moving/sealed_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall::backup {
namespace {

using testing::HasSubstr;
using testing::Not;

Manifest some_manifest() {
    return {
        .name = "20261130T030413.000007Z",
        .deployment = "0123456789abcdef",
        .format = 5,
        .taken = Instant{std::chrono::microseconds{1'796'007'853'000'007}},
        .log_id = 77,
        .log_records = 12,
        .history = 11,
        .block = 13,
        .past_from = 12,
        .past_to = 14,
        .until = Instant{std::chrono::microseconds{1'796'007'853'000'009}},
        .files =
            {{.name = "CURRENT", .stored = "files/a-CURRENT", .sums = {.size = 0, .tail = 0}},
             {.name = "000012.sst",
              .stored = "files/a-000012.sst",
              .sums = {.size = portion_bytes + 1, .tail = 7, .portions = {0x01020304, 9}}}},
        .past =
            {{.name = "000011.log",
              .stored = "files/a-past_000011.log",
              .sums = {.size = 2, .tail = 3, .portions = {4}}}},
        .beside =
            {{.name = "rows",
              .stored = "backups/a/beside/rows",
              .sums = {.size = 1, .tail = 1, .portions = {1}}}}
    };
}

TEST(Manifest, is_read_as_it_was_written) {
    const TemporaryDirectory place;
    const Manifest manifest = some_manifest();
    DirectoryDepot depot{place.path()};
    ASSERT_TRUE(write_manifest(depot, manifest));
    const auto read = read_manifest(depot, manifest.name);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, manifest);
    EXPECT_EQ(read->bytes(), portion_bytes + 4);
    EXPECT_EQ(name_of(manifest.taken), manifest.name);
}

TEST(Manifest, says_of_which_snapshot_of_a_node_it_is) {
    const TemporaryDirectory place;
    Manifest manifest = some_manifest();
    manifest.keyspace = "footfall";
    manifest.snapshot = "night";
    DirectoryDepot depot{place.path()};
    ASSERT_TRUE(write_manifest(depot, manifest));
    const auto read = read_manifest(depot, manifest.name);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, manifest);
    EXPECT_THAT(json_of(*read), HasSubstr(R"("keyspace":"footfall","snapshot":"night")"));
    EXPECT_THAT(json_of(some_manifest()), Not(HasSubstr("snapshot")));
}

TEST(Manifest, refuses_what_no_backup_says) {
    const TemporaryDirectory place;
    DirectoryDepot depot{place.path()};
    const std::string begin = "footfall-backup 2\nname x\n";

    struct Case {
        std::string text;
        ErrorKind kind;
        const char* said;
    };

    const std::vector<Case> cases{
        {"footfall-backup 3\n", ErrorKind::conflict, "a newer version of footfall"},
        {"footfall-backup 1\nname x\n", ErrorKind::conflict, "an earlier version of footfall"},
        {"footfall-export 1\n", ErrorKind::corrupt, "begins otherwise"},
        {"footfall-backup 2\nname y\n", ErrorKind::corrupt, "it is of \"y\""},
        {begin + "format five\n", ErrorKind::corrupt, "format five"},
        {begin + "taken \n", ErrorKind::corrupt, "taken"},
        {begin + "file ../a files/a 0 00000000 \n", ErrorKind::corrupt, "../a"},
        {begin + "file a /etc/passwd 0 00000000 \n", ErrorKind::corrupt, "/etc/passwd"},
        {begin + "file a files/../../a 0 00000000 \n", ErrorKind::corrupt, "file a"},
        {begin + "file a files/a 1 00000000 \n", ErrorKind::corrupt, "file a"},
        {begin + "file a files/a 1 00000000 0000000g\n", ErrorKind::corrupt, "file a"},
        {begin + "file a files/a 1 0 00000000\n", ErrorKind::corrupt, "file a"},
        {begin + "file a files/a 18446744073709551616 00000000 \n", ErrorKind::corrupt, "file a"},
        {begin + "file\n", ErrorKind::corrupt, "file"},
        {begin + "past ../a files/a 0 00000000 \n", ErrorKind::corrupt, "../a"},
        {begin + "until soon\n", ErrorKind::corrupt, "until soon"},
    };
    for (const Case& one : cases) {
        ASSERT_TRUE(depot.put(manifest_name("x"), moving::seal(one.text)));
        const auto read = read_manifest(depot, "x");
        ASSERT_FALSE(read) << one.text;
        EXPECT_EQ(read.error().kind, one.kind) << one.text;
        EXPECT_THAT(read.error().message, HasSubstr(one.said)) << one.text;
    }
}

TEST(FileSums, say_where_a_file_is_damaged) {
    const FileSums whole{.size = 2 * portion_bytes + 5, .tail = 1, .portions = {1, 2, 3}};
    EXPECT_EQ(difference(whole, whole), std::nullopt);
    FileSums found = whole;
    found.portions[2] = 4;
    EXPECT_EQ(difference(whole, found), "is damaged between byte 2097152 and byte 2097157");
    found.portions[1] = 4;
    EXPECT_EQ(difference(whole, found), "is damaged between byte 1048576 and byte 2097152");
    EXPECT_EQ(
        difference(whole, {.size = 3, .tail = 1, .portions = {9}}),
        "has 3 bytes and should have 2097157"
    );
    EXPECT_EQ(
        difference(whole, {.size = whole.size + 1, .tail = 1, .portions = {1, 2, 9}}),
        "has 2097158 bytes and should have 2097157"
    );
}

}  // namespace
}  // namespace footfall::backup
