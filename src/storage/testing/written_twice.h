#pragma once

#include "storage_testing/store_contract.h"

#include <memory>

namespace footfall::storage {

/// A subject of the contract suite around another one: its store writes half of all batches twice
/// (FaultyStore). Whoever keeps the contract keeps it so, too: a repeated write changes nothing.
std::unique_ptr<ContractSubject> written_twice(std::unique_ptr<ContractSubject> inner);

}  // namespace footfall::storage
