#pragma once

#include "projecting/recount.h"

#include <memory>

namespace footfall::identities {

/// Reads the facts that a part of a lane says again, and holds the rows of this lane to them: each
/// has a row under every id that it is to be under, which says all that the log says. A row may say
/// more, as what was said before the log begins, or behind the end that is compared.
///
/// The first part of the first lane also holds all rows to each other, and profiles to facts
/// (row_check.h).
std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part);

}  // namespace footfall::identities
