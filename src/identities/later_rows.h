#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/fact.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// What is to be settled behind the answers, since more hangs together with it than is looked at
/// before one. Reads block.
namespace footfall::identities {

/// Why ids are to be settled, by which follows how their rows are looked at.
enum class LaterReason : std::uint8_t {
    said,     ///< A fact names them, or somebody left them half settled.
    decided,  ///< One decides whether they are shared.
    guards    ///< Guards have changed, so rows do not tell which ids are shared.
};

inline constexpr std::size_t later_reasons = 3;

/// Of ids that were tried and found to be too much even there: until when they are not tried again.
/// A plain value.
struct LaterWait {
    std::int64_t tries = 0;    ///< So often; 0: they were not tried yet, and are not to wait.
    Instant due{};             ///< They are not tried before,
    std::int64_t version = 0;  ///< unless guards are of another version than this.
};

/// A note, which stands until all that follows from facts that were in rows before it is in rows.
/// The same id may be in many: each is erased by its token alone, so that what was said while the
/// ids of one were settled is not lost with it.
struct Later {
    std::int64_t token = 0;  ///< No two notes have the same.
    LaterReason reason = LaterReason::said;
    std::vector<Id> ids = {};
    LaterWait wait = {};
};

/// Most ids of a note.
inline constexpr std::size_t later_ids_max = 256;

void add_later(const Later& later, storage::Batch& batch);

void erase_later(std::int64_t token, storage::Batch& batch);

/// The notes, until they have that many ids together; `corrupt`: one is damaged.
Result<std::vector<Later>> read_later(storage::Store& store, std::size_t ids_max);

}  // namespace footfall::identities
