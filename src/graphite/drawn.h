#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace footfall::graphite {

using Values = std::vector<std::optional<double>>;

/// A line of a graph: a value, or none, at equal steps of time. Times are seconds since 1970. A
/// plain value.
struct Drawn {
    std::string name;                         ///< What a legend shows.
    std::string path;                         ///< By what a line made of it names it.
    std::map<std::string, std::string> tags;  ///< With its name, as "name".
    std::int64_t start = 0;
    std::int64_t end = 0;  ///< No value after it is shown.
    std::int64_t step = 1;
    Values values;
    /// By which aggregation neighbours are put together where fewer values are wanted.
    std::string consolidation = "average";
};

using Lines = std::vector<Drawn>;

/// What is shown of it: values up to `end`. Pure.
inline std::size_t shown(const Drawn& line) {
    if (line.end < line.start) {
        return 0;
    }
    const auto steps = static_cast<std::size_t>((line.end - line.start) / line.step) + 1;
    return steps < line.values.size() ? steps : line.values.size();
}

}  // namespace footfall::graphite
