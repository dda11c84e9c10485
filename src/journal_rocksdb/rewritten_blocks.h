#pragma once

#include "foundation/result.h"
#include "storage/store.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace footfall::journal_rocksdb {

/// What a record is to be from now on; absent: as it is. `corrupt`: it is none.
using ChangeRecord = std::function<Result<std::optional<std::string>>(std::string_view record)>;

/// Writes the blocks of all logs of a store anew, those of a log that was moved there, too, in
/// which `change` changes a record. Records keep their places, so what follows from them stands.
/// Answers how many records were changed. Records that are appended meanwhile may be seen or not.
/// Blocks, and reads all of the log: about as long as to read it again. Ends early with
/// `cancelled`; what was written stays, and to call it again is safe.
Result<std::uint64_t> rewrite_blocks(
    storage::Store& store, const ChangeRecord& change, const std::stop_token& stop
);

}  // namespace footfall::journal_rocksdb
