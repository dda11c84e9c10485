#pragma once

#include "foundation/result.h"
#include "people/day_keys.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace footfall::reading {

/// How many reads each URL had on each UTC day, in bounded memory: never fewer than it had. What is
/// read of a day is in size classes by it (rankings/rank_rows.h), and nothing has to be read for
/// that.
///
/// As long as there is room a count is exact. When a quarter more than `counters` are taken, those
/// with the least go, and the largest that went becomes the floor of its day, from which whoever
/// comes new begins (Space-Saving, in lots; rankings/trending.h has the papers).
///
/// A value; the lane's. Accounted (runtime/accounted_lanes.h). add() is a look-up, amortized.
class DayCounts {
public:
    explicit DayCounts(std::size_t counters = 4096) : counters_most_{counters} {}

    /// The count before and after a read. Before is 0 where it is not known.
    struct Change {
        std::uint64_t before = 0;
        std::uint64_t after = 0;
    };

    /// A read of the URL with this hash.
    Change add(std::uint64_t url, people::UtcDay day);

    /// Nobody asks for days before this one any more.
    void forget_before(people::UtcDay day);

    std::size_t size() const { return size_; }

    std::size_t bytes() const;

    std::size_t recount() const { return bytes(); }

    /// The same bytes for the same counts (docs/formats/reading.md).
    std::string encode() const;

    /// What encode() wrote. `corrupt`: anything else.
    static Result<DayCounts> decode(std::string_view bytes);

private:
    struct Day {
        std::uint64_t floor = 0;  ///< The largest count that went.
        boost::unordered_flat_map<std::uint64_t, std::uint64_t> urls = {};
    };

    void evict_least();

    std::size_t counters_most_;
    std::map<people::UtcDay, Day> days_;
    std::size_t size_ = 0;
};

}  // namespace footfall::reading
