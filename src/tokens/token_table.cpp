#include "tokens/token_table.h"

#include "foundation/check.h"
#include "foundation/memory_cost.h"

#include <algorithm>
#include <utility>

namespace footfall::tokens {
namespace {

/// Up to so many slots a table may be full: looking at all of them is as cheap as probing.
constexpr std::uint32_t small_capacity = 8;

}  // namespace

TokenTable::TokenTable(TokenTable&& other) noexcept
    : hashes_{std::move(other.hashes_)},
      capacity_{std::exchange(other.capacity_, 0)},
      used_{std::exchange(other.used_, 0)},
      live_{std::exchange(other.live_, 0)},
      expiring_{std::exchange(other.expiring_, false)},
      next_expiry_{std::exchange(other.next_expiry_, never)} {}

TokenTable& TokenTable::operator=(TokenTable&& other) noexcept {
    hashes_ = std::move(other.hashes_);
    capacity_ = std::exchange(other.capacity_, 0);
    used_ = std::exchange(other.used_, 0);
    live_ = std::exchange(other.live_, 0);
    expiring_ = std::exchange(other.expiring_, false);
    next_expiry_ = std::exchange(other.next_expiry_, never);
    return *this;
}

TokenTable::TokenTable(std::size_t tokens, bool expiring) {
    allocate(tokens, expiring);
}

std::int64_t TokenTable::expiry_of(std::uint64_t hash) const {
    const std::size_t slot = find(hash);
    return slot < capacity_ ? expiry_at(slot) : dead;
}

void TokenTable::set(std::uint64_t hash, std::int64_t expiry) {
    CHECK(hash != 0, "the hash 0 marks an empty slot");
    const bool expires = expiry != never && expiry != dead;
    std::size_t slot = find(hash);
    if (slot == capacity_) {
        if (expiry == dead) {
            return;
        }
        if (!has_room() || (expires && !expiring_)) {
            rebuild(1, expiring_ || expires);
        }
        place(hash, expiry);
        ++live_;
        return;
    }
    if (!expiring_ && expiry != never) {
        rebuild(0, true);
        slot = find(hash);
    }
    const bool was_live = expiry_at(slot) != dead;
    set_expiry(slot, expiry);
    live_ += expiry == dead ? 0 : 1;
    live_ -= was_live ? 1 : 0;
}

void TokenTable::expire(std::int64_t now) {
    if (now < next_expiry_) {
        return;
    }
    next_expiry_ = never;
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
        const std::int64_t expiry = hashes_[slot] != 0 ? expiry_at(slot) : dead;
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
    if (live_ == 0) {
        *this = TokenTable{};
    } else if (capacity_ > small_capacity && live_ < capacity_ / 4) {
        rebuild(0, expiring_);
    }
}

TokenTable TokenTable::split(std::uint64_t bits) {
    TokenTable stay;
    TokenTable move;
    std::size_t moved = 0;
    const auto is_live = [&](std::size_t slot) {
        return hashes_[slot] != 0 && expiry_at(slot) != dead;
    };
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
        moved += is_live(slot) && (hashes_[slot] & bits) != 0 ? 1 : 0;
    }
    stay.allocate(live_ - moved, expiring_);
    move.allocate(moved, expiring_);
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
        if (is_live(slot)) {
            TokenTable& table = (hashes_[slot] & bits) != 0 ? move : stay;
            table.place(hashes_[slot], expiry_at(slot));
            ++table.live_;
        }
    }
    *this = std::move(stay);
    return move;
}

std::int64_t TokenTable::latest_expiry() const {
    std::int64_t latest = dead;
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
        if (hashes_[slot] != 0) {
            latest = std::max(latest, expiry_at(slot));
        }
    }
    return latest;
}

std::size_t TokenTable::bytes() const {
    return allocated_bytes(capacity_ * slot_bytes());
}

std::size_t TokenTable::slot_bytes() const {
    return sizeof(std::uint64_t) + (expiring_ ? stored_expiry_bytes : 0);
}

/// Hashes are uniform, so the high part of hash x capacity is a uniform slot, for any capacity (no
/// power of two needed), and a table is built anew by one pass in order through both.
std::size_t TokenTable::home_of(std::uint64_t hash) const {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * capacity_) >> 64);
}

/// The slot that holds `hash`, or capacity_.
std::size_t TokenTable::find(std::uint64_t hash) const {
    if (capacity_ == 0) {
        return capacity_;
    }
    std::size_t slot = home_of(hash);
    for (std::size_t probed = 0; probed < capacity_; ++probed) {
        if (hashes_[slot] == hash) {
            return slot;
        }
        if (hashes_[slot] == 0) {
            return capacity_;
        }
        slot = slot + 1 == capacity_ ? 0 : slot + 1;
    }
    return capacity_;
}

unsigned char* TokenTable::expiries() const {
    return reinterpret_cast<unsigned char*>(&hashes_[capacity_]);
}

std::int64_t TokenTable::expiry_at(std::size_t slot) const {
    return expiring_ ? stored_expiry(expiries() + slot * stored_expiry_bytes) : never;
}

void TokenTable::set_expiry(std::size_t slot, std::int64_t expiry) {
    if (!expiring_) {
        return;
    }
    if (expiry != never && expiry != dead) {
        next_expiry_ = std::min(next_expiry_, expiry);
    }
    store_expiry(expiry, expiries() + slot * stored_expiry_bytes);
}

/// Puts a hash that is not in the table into a free slot.
void TokenTable::place(std::uint64_t hash, std::int64_t expiry) {
    std::size_t slot = home_of(hash);
    while (hashes_[slot] != 0) {
        slot = slot + 1 == capacity_ ? 0 : slot + 1;
    }
    hashes_[slot] = hash;
    ++used_;
    set_expiry(slot, expiry);
}

bool TokenTable::has_room() const {
    if (capacity_ <= small_capacity) {
        return used_ < capacity_;
    }
    return (used_ + 1) * std::uint64_t{5} <= capacity_ * std::uint64_t{4};
}

/// Makes an empty table for so many tokens, and as many more as fit into the same piece of heap.
void TokenTable::allocate(std::size_t tokens, bool expiring) {
    expiring_ = expiring;
    std::size_t slots = tokens;
    if (tokens > small_capacity) {
        slots = (tokens + tokens / 4) * 5 / 4 + 1;
    }
    capacity_ = static_cast<std::uint32_t>(usable_bytes(slots * slot_bytes()) / slot_bytes());
    const std::size_t words = (capacity_ * slot_bytes() + 7) / sizeof(std::uint64_t);
    hashes_ = words == 0 ? nullptr : std::make_unique<std::uint64_t[]>(words);
}

/// Builds the table anew with room for `more` tokens; dead ones are left behind.
void TokenTable::rebuild(std::size_t more, bool expiring) {
    TokenTable table;
    table.allocate(live_ + more, expiring);
    for (std::size_t slot = 0; slot < capacity_; ++slot) {
        const std::int64_t expiry = hashes_[slot] != 0 ? expiry_at(slot) : dead;
        if (expiry != dead) {
            table.place(hashes_[slot], expiry);
        }
    }
    table.live_ = live_;
    *this = std::move(table);
}

}  // namespace footfall::tokens
