#pragma once

#include "foundation/result.h"
#include "identities/fact.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// What somebody began to settle and has not said to be done. Reads block.
namespace footfall::identities {

struct Unfinished {
    std::string writer;      ///< projecting::writer_of() of the lane whose facts ask for it.
    std::int64_t token = 0;  ///< Whose: two processes may take one lane for theirs for a moment.
    std::vector<Id> ids = {};
};

/// Of a writer, whoever began it.
Result<std::vector<Unfinished>> read_unfinished(storage::Store& store, const std::string& writer);

/// The ids of all that these writers have not said to be done.
Result<std::vector<Id>> read_unfinished_ids(
    storage::Store& store, std::span<const std::string> writers
);

void add_unfinished(const Unfinished& unfinished, storage::Batch& batch);

void erase_unfinished(const Unfinished& unfinished, storage::Batch& batch);

}  // namespace footfall::identities
