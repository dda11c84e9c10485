#pragma once

#include "keys/key_registry.h"
#include "runtime/turns.h"

#include <chrono>

namespace footfall::deployment {

/// Reads the keys of a deployment again and again, since other processes add and revoke them, too:
/// a thread in the background. What cannot be read stays as it was known. `keys` must outlive it,
/// and its store be open until this has gone, which waits while the store is asked.
class KeyWatch {
public:
    KeyWatch(keys::KeyRegistry& keys, std::chrono::milliseconds period);

private:
    bool failed_ = false;  ///< The last time.
    runtime::Turns turns_;
};

}  // namespace footfall::deployment
