#pragma once

#include "test_support/running_server.h"
#include "test_support/truth.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace footfall::acceptance {

/// A data set of the shared data: what to import, how, and the counts that must come out.
struct DataSet {
    std::string name;  ///< As a test is named.
    std::string folder;
    std::string file;
    std::vector<std::string> how;  ///< --format, --map.
    std::uint64_t imported;
    std::uint64_t rejected;
    std::string reject_shown = {};  ///< What standard error says of the rejected line.

    std::string path() const;
    test_support::Counts truth() const;

    /// The words of `footfall import`: the file so many times, into `target` (--server URL or
    /// --data DIR).
    std::vector<std::string> import_words(const std::vector<std::string>& target, int times = 1)
        const;

    /// So many times the file is at least half a million records more than the file: an import that
    /// can be killed while it works.
    int times_for_long_import() const;

    /// The last line of `footfall import`.
    std::string last_line(int times = 1) const;

    /// How gtest names it.
    friend void PrintTo(const DataSet& set, std::ostream* out) { *out << set.name; }
};

const std::vector<DataSet>& data_sets();

/// Asks the server for each object of the truth by itself, as JSON; every answer must be exact.
test_support::Counts counts_one_by_one(
    const test_support::FootfallProcess& server, const test_support::Counts& truth
);

/// `footfall count --all` of a target.
test_support::Counts counts_by_command(const std::vector<std::string>& target);

/// Objects of `actual` with more tokens than the truth has, a line each.
std::string surplus(const test_support::Counts& truth, const test_support::Counts& actual);

}  // namespace footfall::acceptance
