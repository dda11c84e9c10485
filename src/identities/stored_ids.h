#pragma once

#include "foundation/result.h"
#include "identities/fact.h"

#include <string>
#include <string_view>
#include <vector>

/// Ids as rows have them, for people to read: [["www","id","w111"],["shop","customer","7"]].
namespace footfall::identities {

std::string stored_text(const std::vector<Id>& ids);

/// `corrupt`: it is none of ours.
Result<std::vector<Id>> read_stored_ids(std::string_view text);

}  // namespace footfall::identities
