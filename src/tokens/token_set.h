#pragma once

#include "tokens/counter_config.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace footfall::tokens {

/// The live tokens of one object: 64-bit keyed hashes, each with the moment it expires. Exact: two
/// tokens of an object are taken for one only if their hashes collide, with a probability of n^2 /
/// 2^65 for n tokens (3e-8 for a million).
///
/// Open addressing with linear probing, at most 7/8 full, growing by a third: 8 bytes a slot, and 5
/// more once any token of the object expires. Expired tokens stay in their slot, marked dead, until
/// the next growth.
///
/// A plain value: no clock, no I/O, not thread-safe. Times are milliseconds since 1970; `now` must
/// not go backwards by more than clocks do (a token that was dead at a later `now` stays dead).
///
/// Cost: add is O(1); when something has expired since the last call, one pass over the expiries
/// (about 0.3 ns a slot).
class TokenSet {
public:
    enum class Added {
        is_new,     ///< Was not live before.
        extended,   ///< Was live; now expires later.
        unchanged,  ///< Was live, and at least as long as asked.
        refused     ///< Was not live, and there are `limit` live tokens already. Nothing changed.
    };

    struct AddResult {
        Added added;
        std::int64_t previous_expiry;  ///< What undo() needs.
    };

    /// Puts a token that expires at `expiry` (or `never`); never shortens one.
    AddResult add(std::uint64_t hash, std::int64_t expiry, std::int64_t now, std::size_t limit);

    /// Takes back an add that was not written: the token expires again when it did before, or is
    /// gone.
    void undo(std::uint64_t hash, const AddResult& result);

    /// How many tokens are live.
    std::size_t count(std::int64_t now);

    /// The latest expiry among live tokens; 0 when there are none.
    std::int64_t latest_expiry() const;

    /// Bytes allocated.
    std::size_t bytes() const;

private:
    static constexpr std::size_t expiry_bytes = 5;

    std::size_t home_of(std::uint64_t hash) const;
    std::size_t find(std::uint64_t hash) const;
    std::int64_t expiry_at(std::size_t slot) const;
    void set_expiry(std::size_t slot, std::int64_t expiry);
    void place(std::uint64_t hash, std::int64_t expiry);
    void grow();
    void expire(std::int64_t now);

    std::unique_ptr<std::uint64_t[]> hashes_;    ///< 0: empty slot.
    std::unique_ptr<unsigned char[]> expiries_;  ///< Absent while no token expires.
    std::uint32_t capacity_ = 0;
    std::uint32_t used_ = 0;  ///< Slots that hold a hash, dead ones included.
    std::uint32_t live_ = 0;
    std::int64_t next_expiry_ = never;  ///< No token expires before this.
};

}  // namespace footfall::tokens
