#pragma once

#include "projecting/recount.h"

#include <memory>

namespace footfall::segments::routes {

/// Who is in segments does not follow from the log but from members, profiles and what was counted
/// of ids: the first part of the first lane holds all rows of people to those (segments::verify).
/// What is just being derived is no difference: it is looked again for some seconds. What was
/// counted of ids does follow from the log: the first part of each lane goes through its events
/// (DidRecount), and the last part of all holds the rows to what they came to.
std::unique_ptr<projecting::Recount> make_recount(const projecting::RecountPart& part);

}  // namespace footfall::segments::routes
