#pragma once

#include "tokens/counter_config.h"
#include "tokens/token_table.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace footfall::tokens {

/// No token of a large set takes more of the heap.
inline constexpr std::size_t most_bytes_a_token = 22;

/// The live tokens of one object: 64-bit keyed hashes, each with the moment it expires. Exact: two
/// tokens of an object are taken for one only if their hashes collide, with a probability of n^2 /
/// 2^65 for n tokens (3e-8 for a million).
///
/// One table while it is small; from 1,536 tokens on many of about a thousand each, told apart by
/// the low bits of the hash and added one by one (linear hashing). So no add ever moves more than
/// two thousand tokens, whatever the size of the set.
///
/// A plain value: no clock, no I/O, not thread-safe. Times are milliseconds since 1970; `now` must
/// not go backwards by more than clocks do (a token that was dead at a later `now` stays dead).
///
/// Cost: add is O(1), at worst about 10 microseconds; when something has expired since the last
/// call, one pass over the expiries (about 1 ns a slot).
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

    TokenSet() = default;

    /// Of the tokens of this table.
    explicit TokenSet(TokenTable table) : single_{std::move(table)} {}

    /// Puts a token that expires at `expiry` (or `never`); never shortens one.
    AddResult add(std::uint64_t hash, std::int64_t expiry, std::int64_t now, std::size_t limit);

    /// Takes back an add that was not written: the token expires again when it did before, or is
    /// gone.
    void undo(std::uint64_t hash, const AddResult& result);

    /// Whether it has a token with this hash; expired ones may be among them.
    bool holds(std::uint64_t hash) const;

    /// How many tokens are live.
    std::size_t count(std::int64_t now);

    /// The latest expiry among live tokens; 0 when there are none. O(n).
    std::int64_t latest_expiry() const;

    /// All its tokens in one table; null: they are too many for that.
    const TokenTable* table() const { return parts_ ? nullptr : &single_; }

    /// What it takes from the heap. O(1).
    std::size_t bytes() const;

private:
    /// The tables of a large set.
    struct Parts {
        std::vector<TokenTable> tables;
        std::size_t live = 0;
        std::size_t bytes = 0;  ///< Of the tables' allocations.
        std::int64_t next_expiry = never;
    };

    void expire(std::int64_t now);
    void set(std::uint64_t hash, std::int64_t expiry);
    std::size_t part_of(std::uint64_t hash) const;
    const TokenTable& table_of(std::uint64_t hash) const;
    void split_one();

    std::size_t live() const { return parts_ ? parts_->live : single_.live(); }

    TokenTable single_;  ///< Empty once there are parts.
    std::unique_ptr<Parts> parts_;
};

}  // namespace footfall::tokens
