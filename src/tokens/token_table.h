#pragma once

#include "tokens/counter_config.h"
#include "tokens/stored_expiry.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace footfall::tokens {

/// A hash table of token hashes, each with the moment it expires: the building block of TokenSet,
/// which is what others use.
///
/// Open addressing with linear probing in one allocation: 8 bytes a slot, and 5 more once any token
/// expires. At most 4/5 full (a miss then probes 13 slots, at 7/8 it would be 32) and growing by a
/// quarter; up to eight slots it is exactly as large as it has to be, and full. A token that
/// expired stays in its slot, marked dead, until the table is built anew.
///
/// The hash 0 marks an empty slot: it is nobody's.
///
/// A plain value of 32 bytes, not thread-safe. Every call costs O(1) but those that build the table
/// anew (add, and expire when most are dead) or pass over it (expire): O(slots), about 2 and 1 ns
/// each.
class TokenTable {
public:
    TokenTable() = default;

    /// Empty, with room for so many tokens; `expiring`: that may expire.
    TokenTable(std::size_t tokens, bool expiring);

    TokenTable(TokenTable&& other) noexcept;
    TokenTable& operator=(TokenTable&& other) noexcept;
    TokenTable(const TokenTable&) = delete;
    TokenTable& operator=(const TokenTable&) = delete;
    ~TokenTable() = default;

    /// When the token expires: a moment, `never`, or `dead` if it is not there.
    std::int64_t expiry_of(std::uint64_t hash) const;

    /// Gives the token this expiry (`dead`: takes it away), whatever it had.
    void set(std::uint64_t hash, std::int64_t expiry);

    /// Marks dead what has expired.
    void expire(std::int64_t now);

    /// Moves the live tokens whose hash has any of `bits` set into a table of their own.
    TokenTable split(std::uint64_t bits);

    /// How many tokens are live, as of the last expire().
    std::size_t live() const { return live_; }

    /// No token expires before this.
    std::int64_t next_expiry() const { return next_expiry_; }

    /// Whether there is room for expiries; else no token expires.
    bool expiring() const { return expiring_; }

    std::int64_t latest_expiry() const;

    /// Calls `function(hash, expiry)` for every live token; O(slots).
    template <class Function>
    void for_each(const Function& function) const;

    /// What its allocation takes from the heap.
    std::size_t bytes() const;

private:
    std::size_t slot_bytes() const;
    std::size_t home_of(std::uint64_t hash) const;
    std::size_t find(std::uint64_t hash) const;
    std::int64_t expiry_at(std::size_t slot) const;
    void set_expiry(std::size_t slot, std::int64_t expiry);
    void place(std::uint64_t hash, std::int64_t expiry);
    bool has_room() const;
    void allocate(std::size_t tokens, bool expiring);
    void rebuild(std::size_t more, bool expiring);
    unsigned char* expiries() const;

    std::unique_ptr<std::uint64_t[]> hashes_;  ///< 0: empty slot. Behind them the expiries, if any.
    std::uint32_t capacity_ = 0;
    std::uint32_t used_ = 0;  ///< Slots that hold a hash, dead ones included.
    std::uint32_t live_ = 0;
    bool expiring_ = false;  ///< There is room for expiries; else no token expires.
    std::int64_t next_expiry_ = never;
};

template <class Function>
void TokenTable::for_each(const Function& function) const {
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
        const std::int64_t expiry = hashes_[slot] != 0 ? expiry_at(slot) : dead;
        if (expiry != dead) {
            function(hashes_[slot], expiry);
        }
    }
}

}  // namespace footfall::tokens
