#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "keys/key_text.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::keys {

/// Who signed in: a random id, which a browser keeps as a cookie, stands for a key. A session may
/// do what its key may, and no longer than that. In memory only, as hashes: nobody stays signed in
/// when the program starts again. Thread-safe. `clock` must outlive it.
class Sessions {
public:
    static constexpr std::chrono::hours lifetime{12};
    /// One more, and the one that ends first is ended.
    static constexpr std::size_t sessions_max = 1000;

    explicit Sessions(const Clock& clock) : clock_{&clock} {}

    struct Opened {
        std::string id;
        Instant ends;
    };

    /// `unavailable` if the system gives no random bytes.
    Result<Opened> open(const SecretHash& key);

    /// The hash of the key that the session stands for; absent: there is none, or it has ended.
    /// Allocates nothing. One that was opened while the clock was ahead lasts no longer than one
    /// that is opened now.
    std::optional<SecretHash> key_of(std::string_view id);

    /// Does nothing where there is no such session.
    void end(std::string_view id);

private:
    struct Session {
        SecretHash key;
        Instant ends;
    };

    const Clock* clock_;
    std::mutex mutex_;
    std::map<SecretHash, Session> by_id_;  // by the hash of the id; guarded by mutex_
};

}  // namespace footfall::keys
