#pragma once

#include "foundation/result.h"
#include "identities/fact.h"

#include <string>
#include <string_view>

/// Which fact, as rows have it.
namespace footfall::identities {

std::string bytes_of(const FactId& fact);

/// `corrupt`: it is none of ours.
Result<FactId> read_fact_id(std::string_view bytes);

}  // namespace footfall::identities
