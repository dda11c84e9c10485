#include "tokens/token_set.h"

#include "foundation/memory_cost.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace footfall::tokens {
namespace {

/// A set has one table more than its tokens fill with so many each.
constexpr std::size_t tokens_a_table = 1536;

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
    const std::int64_t previous = table_of(hash).expiry_of(hash);
    if (previous != dead) {
        if (expiry <= previous) {
            return {.added = Added::unchanged, .previous_expiry = previous};
        }
        set(hash, expiry);
        return {.added = Added::extended, .previous_expiry = previous};
    }
    if (live() >= limit) {
        return {.added = Added::refused, .previous_expiry = previous};
    }
    set(hash, expiry);
    split_one();
    return {.added = Added::is_new, .previous_expiry = previous};
}

void TokenSet::undo(std::uint64_t hash, const AddResult& result) {
    if (result.added == Added::is_new || result.added == Added::extended) {
        set(stored_hash(hash), result.previous_expiry);  // `dead` for a new one
    }
}

bool TokenSet::holds(std::uint64_t hash) const {
    hash = stored_hash(hash);
    return table_of(hash).expiry_of(hash) != dead;
}

std::size_t TokenSet::count(std::int64_t now) {
    expire(now);
    return live();
}

std::int64_t TokenSet::latest_expiry() const {
    std::int64_t latest = single_.latest_expiry();
    if (parts_) {
        for (const TokenTable& table : parts_->tables) {
            latest = std::max(latest, table.latest_expiry());
        }
    }
    return latest;
}

std::size_t TokenSet::bytes() const {
    if (!parts_) {
        return single_.bytes();
    }
    return allocated_bytes(sizeof(Parts)) + parts_->bytes +
           allocated_bytes(parts_->tables.capacity() * sizeof(TokenTable));
}

void TokenSet::expire(std::int64_t now) {
    if (!parts_) {
        single_.expire(now);
        return;
    }
    if (now < parts_->next_expiry) {
        return;
    }
    parts_->live = 0;
    parts_->bytes = 0;
    parts_->next_expiry = never;
    for (TokenTable& table : parts_->tables) {
        table.expire(now);
        parts_->live += table.live();
        parts_->bytes += table.bytes();
        parts_->next_expiry = std::min(parts_->next_expiry, table.next_expiry());
    }
    if (parts_->live == 0) {
        parts_.reset();
    }
}

void TokenSet::set(std::uint64_t hash, std::int64_t expiry) {
    if (!parts_) {
        single_.set(hash, expiry);
        return;
    }
    TokenTable& table = parts_->tables[part_of(hash)];
    parts_->live -= table.live();
    parts_->bytes -= table.bytes();
    table.set(hash, expiry);
    parts_->live += table.live();
    parts_->bytes += table.bytes();
    parts_->next_expiry = std::min(parts_->next_expiry, table.next_expiry());
}

/// Linear hashing: of n tables the first n - 2^d have been split by bit d of the hash already.
std::size_t TokenSet::part_of(std::uint64_t hash) const {
    const std::size_t tables = parts_->tables.size();
    const std::size_t mask = std::bit_ceil(tables) - 1;
    const std::size_t part = hash & mask;
    return part < tables ? part : part & (mask >> 1);
}

const TokenTable& TokenSet::table_of(std::uint64_t hash) const {
    return parts_ ? parts_->tables[part_of(hash)] : single_;
}

/// Splits the next table in turn if the tables have become too full.
void TokenSet::split_one() {
    if (live() <= tokens_a_table * (parts_ ? parts_->tables.size() : 1)) {
        return;
    }
    if (!parts_) {
        parts_ = std::make_unique<Parts>();
        parts_->live = single_.live();
        parts_->bytes = single_.bytes();
        parts_->next_expiry = single_.next_expiry();
        parts_->tables.push_back(std::move(single_));
    }
    std::vector<TokenTable>& tables = parts_->tables;
    const std::size_t bit = std::bit_floor(tables.size());
    TokenTable& full = tables[tables.size() - bit];
    parts_->bytes -= full.bytes();
    TokenTable split = full.split(bit);
    parts_->bytes += full.bytes() + split.bytes();
    tables.push_back(std::move(split));
}

}  // namespace footfall::tokens
