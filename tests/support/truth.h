#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace footfall::test_support {

/// Count by object name.
using Counts = std::map<std::string, std::uint64_t>;

/// Reads a gzipped truth_objects.tsv: the columns object, rows, distinct_users; answers the
/// distinct users of each object.
Counts read_truth(const std::string& path);

/// The same with the rows of each object.
Counts read_truth_rows(const std::string& path);

/// The bytes of a gzipped file, unpacked.
std::string read_gzip(const std::string& path);

/// Reads the output of `footfall count --all`: name, tab, count. Ends the test on any other line.
Counts parse_counts(const std::string& text);

/// The differences between two, a line each and at most ten: what an assertion shows instead of
/// thousands of rows.
std::string differences(const Counts& expected, const Counts& actual);

}  // namespace footfall::test_support
