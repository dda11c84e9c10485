#include "identities/index_check.h"

#include "identities/said_facts.h"

#include <fmt/format.h>

namespace footfall::identities {

std::vector<IndexRow> suspicious_places(
    const KnownLevels& levels, const std::vector<IndexRow>& rows, const Index& there
) {
    std::vector<IndexRow> suspicious;
    for (const IndexRow& each : rows) {
        const auto found = there.find(each.id);
        const int level = levels.of(each.id.identifier).read_level();
        if (found == there.end() || !found->second.everywhere ||
            index_partition(each.id, level) != each.partition) {
            suspicious.push_back(each);
        }
    }
    return suspicious;
}

Result<std::vector<std::string>> place_differences(storage::Store& store, const IndexRow& row) {
    using Differences = std::vector<std::string>;
    const IndexLevels levels{store};
    TRY(const LevelsSeen seen, levels.newest());
    TRY(const bool is_there, has_index_entry(store, row.id, row.partition));
    TRY(const Index index, read_index(store, *seen, {&row.id, 1}, IndexPlaces::all));
    TRY(const LevelsSeen after, levels.newest());
    if (!is_there || after->steps != seen->steps) {
        return Differences{};  // it has moved meanwhile, and is seen where it is
    }
    const IndexStep step = seen->of(row.id.identifier);
    if (step.phase == IndexPhase::reading && !index.empty() && !index.begin()->second.everywhere) {
        return Differences{fmt::format(
            "{}: the index says two things of it, or one in one of two places only",
            object_of(row.id)
        )};
    }
    const auto is_place = [&](int level) {
        return index_partition(row.id, level) == row.partition;
    };
    const auto other = step.other_level();
    const bool is_old = step.phase == IndexPhase::emptying && is_place(step.level - 1);
    return is_place(step.read_level()) || (other && is_place(*other)) || is_old
               ? Differences{}
               : Differences{fmt::format(
                     "{}: an entry of the index stands where nobody looks for it", object_of(row.id)
                 )};
}

}  // namespace footfall::identities
