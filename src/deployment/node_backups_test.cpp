#include "deployment/node_backups.h"

#include "backup/directory_depot.h"
#include "backup/place.h"
#include "backup/verify.h"
#include "foundation_testing/temporary_directory.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace footfall::deployment {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Directories as a node has them, and a place of backups.
class NodeBackups : public testing::Test {
protected:
    static void write(const fs::path& path, const std::string& text) {
        fs::create_directories(path.parent_path());
        std::ofstream{path} << text;
    }

    void snapshot_has(const std::string& table, const std::string& file, const std::string& text) {
        write(data_ / "ks" / table / "snapshots" / "night" / file, text);
    }

    NodeSnapshot snapshot(const std::string& name = "night") const {
        return {.data = {data_}, .keyspace = "ks", .name = name};
    }

    Result<backup::Taken> take(const NodeSnapshot& of) const {
        backup::DirectoryDepot depot{place_};
        return take_node_backup(of, clock_, {.depot = &depot});
    }

    static std::map<std::string, std::string> files_below(const fs::path& folder) {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator{folder}) {
            if (entry.is_regular_file()) {
                std::ifstream file{entry.path()};
                files[entry.path().lexically_relative(folder).string()] =
                    std::string{std::istreambuf_iterator<char>{file}, {}};
            }
        }
        return files;
    }

    const TemporaryDirectory directory_;
    const fs::path data_ = directory_ / "data";
    const fs::path place_ = directory_ / "place";
    const SystemClock clock_;
};

TEST_F(NodeBackups, hold_the_snapshot_by_tables_and_copy_once_what_never_changes) {
    snapshot_has("token-0f62", "da-1-bti-Data.db", "rows");
    snapshot_has("token-0f62", "da-1-bti-Statistics.db", "now");
    snapshot_has("deployment-77", "schema.cql", "CREATE");
    write(data_ / "ks" / "token-0f62" / "da-2-bti-Data.db", "came later");
    write(data_ / "ks" / "token-0f62" / "snapshots" / "other" / "da-0-bti-Data.db", "of before");
    const auto first = take(snapshot());
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->copied_bytes, 13U);
    EXPECT_EQ(first->manifest.keyspace, "ks");
    EXPECT_EQ(first->manifest.snapshot, "night");

    snapshot_has("token-0f62", "da-1-bti-Statistics.db", "new");
    snapshot_has("token-0f62", "da-2-bti-Data.db", "came later");
    const auto second = take(snapshot());
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(second->copied_bytes, 19U) << "all but the rows that were there";
    backup::DirectoryDepot depot{place_};
    const auto verified = backup::verify(depot, "", backup::go_on);
    ASSERT_TRUE(verified);
    EXPECT_TRUE(verified->damage.empty());

    const auto restored = restore_node_backup({.depot = &depot, .target = directory_ / "out"});
    ASSERT_TRUE(restored) << restored.error().message;
    const std::map<std::string, std::string> expected{
        {"ks/deployment/schema.cql", "CREATE"},
        {"ks/token/da-1-bti-Data.db", "rows"},
        {"ks/token/da-1-bti-Statistics.db", "new"},
        {"ks/token/da-2-bti-Data.db", "came later"}
    };
    EXPECT_EQ(files_below(directory_ / "out"), expected);
}

TEST_F(NodeBackups, are_of_all_data_directories_of_the_node) {
    snapshot_has("token-0f62", "da-1-bti-Data.db", "rows");
    snapshot_has("token-0f62", "schema.cql", "CREATE");
    const fs::path second = directory_ / "second";
    const fs::path there = second / "ks" / "token-0f62" / "snapshots" / "night";
    write(there / "da-2-bti-Data.db", "more");
    write(there / "schema.cql", "CREATE");
    const auto taken = take({.data = {data_, second}, .keyspace = "ks", .name = "night"});
    ASSERT_TRUE(taken) << taken.error().message;
    EXPECT_EQ(taken->manifest.files.size(), 3U);
}

TEST_F(NodeBackups, say_what_is_wrong_with_what_was_asked) {
    snapshot_has("token-0f62", "da-1-bti-Data.db", "rows");
    const auto none = take(snapshot("noon"));
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().kind, ErrorKind::not_found);
    EXPECT_THAT(none.error().message, HasSubstr("nodetool snapshot -t noon ks"));
    const auto elsewhere = take({.data = {place_}, .keyspace = "ks", .name = "night"});
    ASSERT_FALSE(elsewhere);
    EXPECT_EQ(elsewhere.error().kind, ErrorKind::invalid_input);
    EXPECT_THAT(elsewhere.error().message, HasSubstr("--node-data"));
    const auto outside = take(snapshot("../night"));
    ASSERT_FALSE(outside);
    EXPECT_EQ(outside.error().kind, ErrorKind::invalid_input);

    ASSERT_TRUE(take(snapshot()));
    write(data_ / "other" / "token-1" / "snapshots" / "night" / "da-1-bti-Data.db", "theirs");
    const auto other = take({.data = {data_}, .keyspace = "other", .name = "night"});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().kind, ErrorKind::conflict);
    EXPECT_THAT(other.error().message, HasSubstr("choose another directory"));
}

}  // namespace
}  // namespace footfall::deployment
