#pragma once

#include "storage/store.h"

#include <functional>

namespace footfall::storage {

/// The sentences of Store::on_lost_writes() about who is told, as a test for stores that can be
/// made to lose something. `lose` makes the store lose a batch, and returns once that was told and
/// writes are accepted again; it is called several times, and from another thread.
void expect_told_until_the_end(Store& store, const std::function<void()>& lose);

}  // namespace footfall::storage
