#pragma once

#include "foundation/result.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <string>
#include <string_view>
#include <vector>

/// The networks of which ids are known: by them all of the index is found.
namespace footfall::identities {

/// To be written before the first id of it, or with it.
void add_network(std::string_view identifier, storage::Batch& batch);

/// All. Blocks.
Result<std::vector<std::string>> read_networks(storage::Store& store);

}  // namespace footfall::identities
