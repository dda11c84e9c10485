#include "identities/moved_profiles.h"
#include "identities/settling.h"
#include "identities/sid.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>

namespace footfall::identities {

/// Names a profile if it gets or loses ids, or other things are said of these, and the profiles
/// where they were.
void Settling::name_moved(
    const Neighbourhood& known,
    const std::string& sid,
    std::span<const Member> there,
    std::span<const Member> wanted,
    MovedProfiles::Names& moved
) const {
    const auto is_same = [](const Member& one, const Member& other) {
        return one.id == other.id && one.data == other.data;
    };
    if (!std::ranges::equal(there, wanted, is_same)) {
        moved.insert(sid);
    }
    for (const Member& each : wanted) {
        const auto at = known.index.find(each.id);
        if (at == known.index.end()) {
            moved.insert(sid);
        } else if (at->second.sid != sid) {
            moved.insert(sid);
            moved.insert(at->second.sid);
        }
    }
}

/// One behind the other. The note of what moves is durable before the rows, so that no move is
/// without one, whoever ends in between.
Result<void> Settling::write_differences(
    const Differences& differ, const MovedProfiles::Writing& writing
) const {
    storage::Batch first;
    differ.names.for_each([&](const storage::Batch::Mutation& row) { first.append(row); });
    if (writing.is_noted) {
        moved_.add(differ.moved, first);
    }
    Result<void> written;
    for (const storage::Batch* const batch :
         {&std::as_const(first), &differ.rows, &differ.shared}) {
        if (written && !batch->empty()) {
            written = storage::write_durably(*store_, *batch);
        }
    }
    moved_.tell(differ.moved, writing.since);
    return written;
}

}  // namespace footfall::identities
