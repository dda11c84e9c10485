#pragma once

#include "ads/month.h"
#include "ads/recount_line.h"
#include "ads/row_sums.h"
#include "foundation/result.h"
#include "projecting/recount.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::ads {

/// How far back the log goes of a lane that is counted again.
struct Reach {
    std::uint64_t first = 0;  ///< The first record that was read;
    std::uint64_t end = 0;    ///< behind the last one that is compared.
    /// Records went before the first one. What arrived on or before the day after `begin_day`, by
    /// which clocks may have been wrong, may be among them.
    bool begins_later = false;
    Day begin_day = 0;

    /// Whether all that arrived on this day, or was of it, is in the log.
    bool has_all_of(Day day) const { return !begins_later || day > begin_day + 1; }

    bool has(std::uint64_t offset) const { return offset >= first && offset < end; }
};

/// Whether an owner of rows belongs to the part that is counted.
bool is_of_part(const projecting::RecountPart& part, std::string_view owner);

/// The rows of sums that the lines of a part of a lane come to, and what is stored of them. Used by
/// one thread.
class RecountedSums {
public:
    explicit RecountedSums(const projecting::RecountPart& part);

    void add(const RecountLine& line);

    /// Reads all partitions that have one of the rows, and waits for rows that may come yet.
    /// Answers up to which record of the lane rows reach. Blocks.
    Result<std::uint64_t> read_stored(projecting::WrittenRows& rows);

    /// A line behind those that were added: it counts in each row that says that it includes it.
    void add_behind(const RecountLine& line);

    void add_differences(const Reach& reach, std::vector<std::string>& differences) const;

private:
    /// The table by its index, and the row's key.
    using Name = std::pair<std::size_t, std::vector<storage::Value>>;
    using Sums = std::map<Name, RowSums>;

    static std::vector<storage::Value> partition_of(const Name& name);
    Result<void> read_partition(std::size_t table, const std::vector<storage::Value>& partition);
    bool is_behind(Sums::const_iterator from, Sums::const_iterator to, std::uint64_t written) const;
    Result<void> look_for_owner(const Name& name);
    void compare_extra(
        const Name& name,
        const RowSums& stored,
        const Reach& reach,
        std::vector<std::string>& differences
    ) const;

    const projecting::RecountPart part_;
    const std::string writer_;
    Sums truth_;
    Sums stored_;
    std::vector<std::string> unlisted_;
};

}  // namespace footfall::ads
