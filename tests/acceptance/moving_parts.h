#pragma once

#include "foundation/random.h"
#include "test_support/run_command.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace footfall::acceptance {

/// Fills a data directory with tokens, events and an API key: `records` of each of the first two,
/// and the real log of a day where the real data is.
void fill_directory(const std::string& data, std::uint64_t records);

/// The words, a command of the program; a failure ends the test with what was said.
test_support::CommandResult run_well(const std::vector<std::string>& words);

/// How often a run was killed, and how the last one ended.
struct KilledRun {
    int kills = 0;
    test_support::CommandResult last;
};

/// What a process does with files, by which to tell how far it is.
enum class FileUse { read, written };

/// Runs the words again and again, killed (-9) after it has read or written a part of `bytes`, at
/// most `kills` times, then to the end. `bytes`: what one run reads or writes.
KilledRun run_with_kills(
    const std::vector<std::string>& words,
    FileUse use,
    std::uint64_t bytes,
    int kills,
    Random& random
);

/// What lies in an export: names and bytes.
std::map<std::string, std::string> export_files(const std::string& directory);

/// The files that differ, by name; "" if none.
std::string different_files(const std::string& left, const std::string& right);

/// How many rows an earlier run had done, as the output says.
std::uint64_t rows_gone_on_behind(const std::string& output);

}  // namespace footfall::acceptance
