#pragma once

#include "audit/entry.h"
#include "audit/note.h"
#include "audit/tree.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The rows of the audit log (schema.h), written and read. What reads blocks on the store.
namespace footfall::audit {

/// A signed head, with when it was signed.
struct SignedHead {
    TreeHead head;
    Instant when;
    std::string checkpoint;  ///< As it is shown: a signed note.
    std::string vkey;        ///< Who signed it.
};

/// An entry as it is stored, and the leaf that stands beside it.
struct StoredEntry {
    Entry entry;
    Hash leaf{};
};

/// The row of an entry, all columns. `writer` tells processes apart that write the same at once; 0
/// where there is one alone. It is in no hash.
std::vector<storage::Value> entry_row(
    std::string_view log, const Entry& entry, const Hash& leaf, std::uint64_t writer
);

void put_entry(storage::Batch& batch, std::string_view log, const Entry& entry, const Hash& leaf);

/// The hash of a whole subtree, if it is one that has a row: each eighth level has.
void put_subtree(
    storage::Batch& batch, std::string_view log, const Subtree& subtree, const Hash& hash
);

void put_head(storage::Batch& batch, std::string_view log, const SignedHead& head);

/// Up to `most` entries with numbers from `from` on, in their order. There may be gaps where rows
/// are gone; it ends before a chunk that has none.
Result<std::vector<StoredEntry>> read_entries(
    storage::Store& store, std::string_view log, std::uint64_t from, std::size_t most
);

/// Roots of whole subtrees. Reads at most 128 rows for each, side by side. `corrupt`: a row is not
/// there.
Result<std::vector<Hash>> read_subtrees(
    storage::Store& store, std::string_view log, std::span<const Subtree> subtrees
);

/// Hashes of a tile that are there, by place.
Result<std::vector<std::pair<std::uint64_t, Hash>>> read_tile(
    storage::Store& store, std::string_view log, unsigned level, std::uint64_t tile
);

/// The newest head that was signed; absent: none was.
Result<std::optional<SignedHead>> read_head(storage::Store& store, std::string_view log);

/// Those of all logs, by name.
Result<std::vector<std::pair<std::string, SignedHead>>> read_heads(storage::Store& store);

}  // namespace footfall::audit
