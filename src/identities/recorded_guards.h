#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/resolution.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Which guards there were, as they were recorded in the log. Reads block.
namespace footfall::identities {

/// Of two the higher one holds. Who records others than the newest gives them a version above; two
/// who do so at once have one version, and the digest of the guards decides.
struct GuardsVersion {
    std::int64_t version = 0;  ///< 0: nobody recorded any.
    std::int64_t digest = 0;   ///< A hash of text_of(guards).

    friend auto operator<=>(const GuardsVersion&, const GuardsVersion&) = default;
};

/// Constant once it is shared.
struct RecordedGuards {
    GuardsVersion version;
    std::shared_ptr<const Guards> guards;
};

std::int64_t digest_of(std::string_view guards);

/// Those of the highest version; of version 0, which are `without`, where there are none.
/// `corrupt`: they are damaged, or of a newer version of the program.
Result<RecordedGuards> newest_guards(
    storage::Store& store, const std::shared_ptr<const Guards>& without
);

/// Those that were recorded last until then; `without` where none were. Reads all versions.
Result<std::shared_ptr<const Guards>> guards_at(
    storage::Store& store, Instant instant, const std::shared_ptr<const Guards>& without
);

/// From which record of a lane on they are in force in it.
struct LaneGuards {
    std::uint64_t offset = 0;
    RecordedGuards guards;
};

/// What is in force at a record: those of the highest version that stand before it. Null: none do.
const Guards* in_force_at(std::span<const LaneGuards> of_lane, std::uint64_t offset);

/// By version; so those of many lanes are in memory once.
using KnownGuards = std::map<GuardsVersion, std::shared_ptr<const Guards>>;

/// Of the lane of this writer (projecting::writer_of()). Reads guards that are not known, and adds
/// them to those.
Result<std::vector<LaneGuards>> read_lane_guards(
    storage::Store& store, const std::string& writer, KnownGuards& known
);

/// Records of the log that say guards, as rows.
void add_guards(
    const std::string& writer, const LaneGuards& guards, Instant said, storage::Batch& batch
);

/// Whether all profiles were settled under these guards.
Result<bool> is_settled_anew(storage::Store& store, GuardsVersion version);

}  // namespace footfall::identities
