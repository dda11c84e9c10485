#include "tokens/token_set.h"

#include "foundation/check.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace footfall::tokens {
namespace {

// Expiries are kept as 40 bits of milliseconds since 2020: until 2054, which a token of the longest
// ttl reaches in 2034.
constexpr std::int64_t epoch = 1'577'836'800'000;
constexpr std::int64_t stored_never = (std::int64_t{1} << 40) - 1;
constexpr std::int64_t dead = 0;

constexpr std::uint32_t first_capacity = 4;

/// 0 marks an empty slot, so the hash 0 lives as 1: one more possible collision in 2^64.
std::uint64_t stored_hash(std::uint64_t hash) {
    return hash == 0 ? 1 : hash;
}

}  // namespace

TokenSet::AddResult TokenSet::add(
    std::uint64_t hash, std::int64_t expiry, std::int64_t now, std::size_t limit
) {
    hash = stored_hash(hash);
    expire(now);
    const std::size_t slot = find(hash);
    if (slot < capacity_) {
        const std::int64_t previous = expiry_at(slot);
        if (previous != dead) {
            if (expiry <= previous) {
                return {.added = Added::unchanged, .previous_expiry = previous};
            }
            set_expiry(slot, expiry);
            return {.added = Added::extended, .previous_expiry = previous};
        }
    }
    if (live_ >= limit) {
        return {.added = Added::refused, .previous_expiry = dead};
    }
    if (slot < capacity_) {
        set_expiry(slot, expiry);
    } else {
        if ((used_ + 1) * std::uint64_t{8} > capacity_ * std::uint64_t{7}) {
            grow();
        }
        place(hash, expiry);
    }
    ++live_;
    return {.added = Added::is_new, .previous_expiry = dead};
}

void TokenSet::undo(std::uint64_t hash, const AddResult& result) {
    if (result.added == Added::unchanged || result.added == Added::refused) {
        return;
    }
    const std::size_t slot = find(stored_hash(hash));
    CHECK(slot < capacity_, "undo of a token that was not added");
    if (result.added == Added::is_new) {
        --live_;
    }
    set_expiry(slot, result.previous_expiry);  // `dead` for a new one
}

std::size_t TokenSet::count(std::int64_t now) {
    expire(now);
    return live_;
}

std::int64_t TokenSet::latest_expiry() const {
    std::int64_t latest = 0;
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
        if (hashes_[slot] != 0) {
            latest = std::max(latest, expiry_at(slot));
        }
    }
    return latest;
}

std::size_t TokenSet::bytes() const {
    return capacity_ * (sizeof(std::uint64_t) + (expiries_ ? expiry_bytes : 0));
}

/// Hashes are uniform, so the high part of hash x capacity is a uniform slot, for any capacity (no
/// power of two needed).
std::size_t TokenSet::home_of(std::uint64_t hash) const {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * capacity_) >> 64);
}

/// The slot that holds `hash`, or capacity_.
std::size_t TokenSet::find(std::uint64_t hash) const {
    if (capacity_ == 0) {
        return capacity_;
    }
    for (std::size_t slot = home_of(hash);; slot = slot + 1 == capacity_ ? 0 : slot + 1) {
        if (hashes_[slot] == hash) {
            return slot;
        }
        if (hashes_[slot] == 0) {
            return capacity_;
        }
    }
}

std::int64_t TokenSet::expiry_at(std::size_t slot) const {
    if (!expiries_) {
        return never;
    }
    std::uint64_t stored = 0;
    std::memcpy(&stored, &expiries_[slot * expiry_bytes], expiry_bytes);
    const auto value = static_cast<std::int64_t>(stored);
    if (value == dead) {
        return dead;
    }
    return value == stored_never ? never : value + epoch;
}

void TokenSet::set_expiry(std::size_t slot, std::int64_t expiry) {
    if (!expiries_) {
        if (expiry == never) {
            return;
        }
        expiries_ = std::make_unique<unsigned char[]>(capacity_ * expiry_bytes);
        std::memset(expiries_.get(), 0xff, capacity_ * expiry_bytes);
    }
    std::int64_t value = dead;
    if (expiry == never) {
        value = stored_never;
    } else if (expiry != dead) {
        value = std::clamp<std::int64_t>(expiry - epoch, 1, stored_never - 1);
        next_expiry_ = std::min(next_expiry_, expiry);
    }
    std::memcpy(&expiries_[slot * expiry_bytes], &value, expiry_bytes);
}

/// Puts a hash that is not in the table into a free slot.
void TokenSet::place(std::uint64_t hash, std::int64_t expiry) {
    std::size_t slot = home_of(hash);
    while (hashes_[slot] != 0) {
        slot = slot + 1 == capacity_ ? 0 : slot + 1;
    }
    hashes_[slot] = hash;
    ++used_;
    set_expiry(slot, expiry);
}

/// Makes room for a third more live tokens; dead ones are left behind.
void TokenSet::grow() {
    const std::uint32_t wanted = live_ + 1 + (live_ + 1) / 3;
    TokenSet larger;
    larger.capacity_ =
        std::max(first_capacity, static_cast<std::uint32_t>(wanted * std::uint64_t{8} / 7 + 1));
    larger.hashes_ = std::make_unique<std::uint64_t[]>(larger.capacity_);
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
        const std::int64_t expiry = hashes_[slot] != 0 ? expiry_at(slot) : dead;
        if (expiry != dead) {
            larger.place(hashes_[slot], expiry);
        }
    }
    larger.live_ = live_;
    *this = std::move(larger);
}

void TokenSet::expire(std::int64_t now) {
    if (now < next_expiry_) {
        return;
    }
    next_expiry_ = never;
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
        if (hashes_[slot] == 0) {
            continue;
        }
        const std::int64_t expiry = expiry_at(slot);
        if (expiry == dead || expiry == never) {
            continue;
        }
        if (expiry <= now) {
            set_expiry(slot, dead);
            --live_;
        } else {
            next_expiry_ = std::min(next_expiry_, expiry);
        }
    }
}

}  // namespace footfall::tokens
