// A laptop's data directory grows onto Cassandra and comes back: byte-equal, also when the way
// there is cut short. `./prove moving` is the same with a million rows.

#include "foundation_testing/temporary_directory.h"
#include "moving_parts.h"
#include "test_support/random_seed.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace footfall::acceptance {
namespace {

using namespace test_support;

constexpr const char* keyspace = "footfall_moving";

/// Runs a command and says how fast it was.
CommandResult timed(const std::vector<std::string>& words) {
    const auto begun = std::chrono::steady_clock::now();
    CommandResult result = run_well(words);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    fmt::print("{} in {:.1f} s: {}\n", words.front(), taken.count(), result.last_line());
    return result;
}

TEST(MovingToCassandra, there_and_back_makes_the_same_bytes) {
    const TemporaryDirectory directory;
    const std::vector<std::string> cluster{
        "--store", "cassandra", "--cassandra-keyspace", keyspace
    };
    const auto with_cluster = [&](std::vector<std::string> words) {
        words.insert(words.end(), cluster.begin(), cluster.end());
        return words;
    };
    empty_keyspace(keyspace);
    fill_directory(directory / "data", environment_number("FOOTFALL_MOVING_RECORDS", 20'000));
    timed({"export", directory / "first", "--data", directory / "data"});
    std::uint64_t bytes = 0;
    for (const auto& [name, text] : export_files(directory / "first")) {
        bytes += text.size();
    }
    const auto begun = std::chrono::steady_clock::now();
    Random random{random_seed()};
    const KilledRun there = run_with_kills(
        with_cluster({"import-tables", directory / "first"}), FileUse::read, bytes, 1, random
    );
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
    ASSERT_EQ(there.last.exit_code, 0) << there.last.errors << there.last.output;
    EXPECT_EQ(there.kills, 1);
    EXPECT_GT(rows_gone_on_behind(there.last.output), 0U);
    fmt::print("import-tables in {:.1f} s: {}\n", taken.count(), there.last.last_line());
    timed(with_cluster({"export", directory / "second"}));
    EXPECT_EQ(different_files(directory / "first", directory / "second"), "");
    timed({"import-tables", directory / "second", "--data", directory / "back"});
    timed({"export", directory / "third", "--data", directory / "back"});
    EXPECT_EQ(different_files(directory / "first", directory / "third"), "");
    EXPECT_EQ(
        run_footfall({"verify", "views", "--data", directory / "back"}).output,
        run_footfall({"verify", "views", "--data", directory / "data"}).output
    );
}

}  // namespace
}  // namespace footfall::acceptance
