#pragma once

#include "projecting/recount.h"

#include <memory>

namespace footfall::reading {

/// Holds the rows of reading to the log: each shared read that counts, of a day that has not ended,
/// has to be among the readers of its URL, in its reader's list, and its URL has to have a name;
/// and a row names nobody who did not read. A list of the most read has to find each URL. A read of
/// which no key is left is nobody's. Differences name articles and times, and nobody.
std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part);

}  // namespace footfall::reading
