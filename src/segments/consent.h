#pragma once

#include "identities/resolution.h"

#include <span>

namespace footfall::segments {

/// Whether others may be told in which segments a person is: nothing is said of its consent, or
/// whoever said something of it, of whichever of its ids, said "granted" last. So one source that
/// says anything else of one id holds for all of them. Whatever rule identities have for which
/// value of a datum is shown, this one stays. Pure.
bool may_be_told(std::span<const identities::Member> members);

}  // namespace footfall::segments
