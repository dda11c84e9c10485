#pragma once

#include "foundation/result.h"
#include "keys/key_registry.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace footfall::deployment {

/// Reads the keys of a deployment again and again, since other processes add and revoke them, too:
/// a thread in the background. What cannot be read stays as it was known. `keys` must outlive it,
/// and its store be open until this has gone.
class KeyWatch {
public:
    KeyWatch(keys::KeyRegistry& keys, std::chrono::milliseconds period);

    /// Ends the thread; waits for the store if it is asked just now.
    ~KeyWatch();
    KeyWatch(const KeyWatch&) = delete;
    KeyWatch& operator=(const KeyWatch&) = delete;

private:
    void run(const std::stop_token& stop);

    keys::KeyRegistry* keys_;
    const std::chrono::milliseconds period_;
    std::mutex mutex_;  ///< Of the thread's sleep.
    std::condition_variable_any wakes_;
    std::jthread thread_;
};

}  // namespace footfall::deployment
