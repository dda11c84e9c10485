#pragma once

// What every depot keeps to, for the tests: called with an empty one.

#include "backup/depot.h"
#include "backup/directory_depot.h"
#include "backup/fake_directory.h"
#include "backup/file_sums.h"
#include "backup/place.h"
#include "backup/verify.h"
#include "foundation/random.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <vector>

namespace footfall::backup {

inline std::string some_bytes(std::size_t count) {
    Random random{count};
    std::string bytes(count, '\0');
    for (char& byte : bytes) {
        byte = static_cast<char>(random());
    }
    return bytes;
}

inline void write_to(Depot& depot, std::string_view name, std::string_view bytes) {
    auto writer = depot.create(name);
    ASSERT_TRUE(writer) << writer.error().message;
    constexpr std::size_t at_once = 700'001;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), at_once))) {
        ASSERT_TRUE((*writer)->append(bytes.substr(0, at_once)));
    }
    const auto finished = (*writer)->finish();
    ASSERT_TRUE(finished) << finished.error().message;
    ASSERT_TRUE(depot.sync());
}

inline void expect_files(Depot& depot) {
    using Entry = Depot::Entry;
    EXPECT_THAT(depot.list("").value(), testing::IsEmpty());
    EXPECT_THAT(depot.list("files").value(), testing::IsEmpty());
    const std::array<std::size_t, 7> sizes{
        0,
        1,
        portion_bytes - 1,
        portion_bytes,
        portion_bytes + 1,
        8 * portion_bytes,
        17 * portion_bytes + 5
    };
    std::vector<Entry> expected;
    for (std::size_t at = 0; at < sizes.size(); ++at) {
        const std::string name = "f" + std::to_string(at);
        const std::string bytes = some_bytes(sizes.at(at));
        write_to(depot, "files/" + name, bytes);
        expected.push_back({.name = name, .size = bytes.size()});
        auto reader = depot.open("files/" + name);
        ASSERT_TRUE(reader) << reader.error().message;
        EXPECT_EQ((*reader)->size(), bytes.size());
        EXPECT_EQ((*reader)->read(0, bytes.size() + 9).value(), bytes);
        const std::size_t begin = bytes.size() / 2;
        EXPECT_EQ((*reader)->read(begin, 99).value(), bytes.substr(begin, 99));
        EXPECT_EQ((*reader)->read(0, 1).value(), bytes.substr(0, 1));
        EXPECT_EQ((*reader)->read(bytes.size(), 7).value(), "");
    }
    EXPECT_EQ(depot.list("files").value(), expected);
    write_to(depot, "files/f1", "another");
    EXPECT_EQ(read_small(depot, "files/f1").value(), "another");
}

inline void expect_small_files_and_folders(Depot& depot) {
    for (const std::string text : {"one", "another one", ""}) {
        ASSERT_TRUE(depot.put("backups/a/manifest", text));
        EXPECT_EQ(read_small(depot, "backups/a/manifest").value(), text);
    }
    ASSERT_TRUE(depot.put("backups/a/beside/x", "x"));
    ASSERT_TRUE(depot.put("backups/ab/manifest", "y"));
    const auto names = [&](std::string_view folder) {
        std::vector<std::string> found;
        for (const Depot::Entry& entry : depot.list(folder).value()) {
            found.push_back(entry.name);
        }
        return found;
    };
    EXPECT_THAT(names("backups"), testing::ElementsAre("a", "ab"));
    EXPECT_THAT(names("backups/a"), testing::ElementsAre("beside", "manifest"));
    ASSERT_TRUE(depot.remove_folder("backups/a"));
    EXPECT_THAT(names("backups"), testing::ElementsAre("ab"));
    EXPECT_EQ(read_small(depot, "backups/a/manifest").error().kind, ErrorKind::not_found);
    EXPECT_EQ(depot.open("backups/nothing").error().kind, ErrorKind::not_found);
    ASSERT_TRUE(depot.remove_file("backups/ab/manifest"));
    EXPECT_EQ(depot.open("backups/ab/manifest").error().kind, ErrorKind::not_found);
    ASSERT_TRUE(depot.remove_folder("backups"));
    ASSERT_TRUE(depot.remove_folder("files"));
    EXPECT_THAT(names("files"), testing::IsEmpty());
}

/// Two backups of a directory, of which the second copies what is new, and a restore of each.
inline void expect_backups(Depot& depot, const std::filesystem::path& here) {
    const std::filesystem::path data = here / "data";
    std::filesystem::create_directories(data);
    const auto put = [&](const char* name, const std::string& bytes) {
        std::ofstream{data / name, std::ios::binary} << bytes;
    };
    put("CURRENT", "MANIFEST-000005\n");
    put("000001.sst", some_bytes(9 * portion_bytes));
    put("000002.log", "");
    ManualClock clock{Instant{std::chrono::seconds{1'796'000'000}}};
    std::vector<Taken> taken;
    std::vector<std::map<std::string, std::string>> files;
    for (const char* const fresh : {"000003.sst", "000004.sst"}) {
        put(fresh, std::string{"of "} + fresh);
        clock.advance(std::chrono::seconds{1});
        const auto made = take(source_of(data), clock, {.depot = &depot});
        ASSERT_TRUE(made) << made.error().message;
        taken.push_back(*made);
        files.push_back(files_below(data));
    }
    EXPECT_LT(taken[1].copied_bytes, 1000U);
    EXPECT_THAT(verify(depot, "", go_on).value().damage, testing::IsEmpty());
    for (std::size_t at = 0; at < taken.size(); ++at) {
        const std::filesystem::path target = here / ("target" + std::to_string(at));
        RestoreOptions options = restore_into(depot, target);
        options.name = taken[at].manifest.name;
        const auto restored = restore(options);
        ASSERT_TRUE(restored) << restored.error().message;
        EXPECT_EQ(files_below(target), files[at]);
    }
    ASSERT_TRUE(take(source_of(data), clock, {.depot = &depot, .keep = 1}));
    EXPECT_EQ(list(depot).value().whole.size(), 1U);
    EXPECT_THAT(verify(depot, "", go_on).value().damage, testing::IsEmpty());
}

inline void expect_depot(Depot& depot, const std::filesystem::path& here) {
    expect_files(depot);
    expect_small_files_and_folders(depot);
    expect_backups(depot, here);
}

}  // namespace footfall::backup
