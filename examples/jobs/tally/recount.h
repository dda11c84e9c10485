#pragma once

#include "projecting/recount.h"

#include <memory>

namespace footfall::tally {

/// Counts a lane's events by action and day again, and holds each row to that.
std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part);

}  // namespace footfall::tally
