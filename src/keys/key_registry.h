#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "keys/key_text.h"
#include "keys/rights.h"
#include "storage/store.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace footfall::keys {

/// A key as it is known after it was made: everything but the key.
struct ApiKey {
    std::string name;
    Rights rights;
    Instant created;
    std::optional<Instant> expires = {};
    SecretHash hash = {};

    bool expired_at(Instant now) const { return expires && *expires <= now; }
};

/// What a key that was shown may do now.
struct Access {
    Rights rights;
    bool expired = false;
};

/// The keys of a deployment. As long as there is none the trusted door is open to this machine;
/// with the first it asks everybody for a key, also when that key has expired: a door must not open
/// because time passes.
///
/// In memory, read from the store; changes are written first and seen by everybody from the moment
/// they are durable. What another process of the deployment changed is seen at the next reload() or
/// change here. Thread-safe. `store` and `clock` must outlive it.
class KeyRegistry {
public:
    static constexpr std::size_t keys_max = 1000;
    static constexpr std::size_t name_bytes_max = 64;

    /// Reads all keys. Blocks; for start-up. `corrupt`: a row that nobody here wrote.
    static Result<std::unique_ptr<KeyRegistry>> open(storage::Store& store, const Clock& clock);

    KeyRegistry(const KeyRegistry&) = delete;
    KeyRegistry& operator=(const KeyRegistry&) = delete;
    ~KeyRegistry() = default;

    /// Reads all keys again. Blocks. On failure what was known stays.
    Result<void> reload();

    /// Whether there is a key. One atomic read.
    bool any() const { return count_.load(std::memory_order_acquire) != 0; }

    /// What the key with this hash may do now; absent: there is none such. Allocates nothing,
    /// but for a key that is bound to a party perhaps that one's id.
    std::optional<Access> find(const SecretHash& hash) const;

    /// The same with all that is known of it.
    std::optional<ApiKey> key_of(const SecretHash& hash) const;

    /// By name.
    std::vector<ApiKey> list() const;

    struct Added {
        ApiKey key;
        std::string text;    ///< The key itself: nobody will see it again.
        bool first = false;  ///< It closed the door to everybody without a key.

        /// What its maker should know besides, as a sentence or two; empty: nothing.
        std::string notice() const;
    };

    /// Makes a key. Blocks until it is durable. `invalid_input`: no good name, no scopes and no
    /// party, an expiry in the past; `conflict`: there is one of this name, or keys_max of them; or
    /// a failure of the store, after which there is no such key in this process.
    Result<Added> add(std::string name, Rights rights, std::optional<Instant> expires);

    /// Takes a key away; answers how many are left. Blocks until that is durable. `not_found`; or a
    /// failure of the store, after which the key still holds in this process: ask again.
    Result<std::size_t> revoke(const std::string& name);

    /// What whoever revoked a key should know when so many are `left`; empty: nothing.
    static std::string revoke_notice(std::size_t left);

    /// A key for the program's own requests, such as those of the demo: it is in memory only, in no
    /// list, and does not count as one.
    Result<std::string> make_own_key(Scopes scopes);

    const Clock& clock() const { return *clock_; }

private:
    struct HashOfHash {
        std::size_t operator()(const SecretHash& hash) const;
    };

    using ByName = std::map<std::string, ApiKey, std::less<>>;

    KeyRegistry(storage::Store& store, const Clock& clock) : store_{&store}, clock_{&clock} {}

    Result<void> load();  // with changing_ held
    Result<void> check_new(const ApiKey& key) const;
    void install(const ApiKey& key);

    storage::Store* store_;
    const Clock* clock_;
    std::mutex changing_;  ///< Held from the check of a change until it is seen; taken first.
    mutable std::shared_mutex mutex_;
    ByName by_name_;                                            // guarded by mutex_
    std::unordered_map<SecretHash, ApiKey, HashOfHash> known_;  // guarded by mutex_
    std::atomic<std::size_t> count_ = 0;                        ///< Of by_name_.
};

}  // namespace footfall::keys
