#include "storage_rocksdb/generation.h"

#include "foundation/check.h"
#include "storage_rocksdb/block.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

/// From so many rows on the order of a partition is kept: sorting 512 takes about 50 microseconds.
constexpr std::size_t kept_from = 512;
/// So many rows are looked at one by one before a search in the order of all.
constexpr std::size_t walked_rows = 64;

bool before(const PendingRow* left, const PendingRow* right) {
    const auto order = left->key() <=> right->key();
    return order != 0 ? order < 0 : left->order > right->order;
}

bool same_key(const PendingRow* left, const PendingRow* right) {
    return left->key() == right->key();
}

/// Keeps the latest of each key of rows in the order of before().
void keep_latest(SortedRows& rows) {
    rows.erase(std::ranges::unique(rows, same_key).begin(), rows.end());
}

}  // namespace

std::uint64_t hash_partition(SipKey secret, std::uint32_t table, std::string_view partition) {
    secret.k0 += table;
    return siphash13(secret, partition);
}

Result<void> Generation::append(std::uint64_t block, std::string rows) {
    std::size_t count = 0;
    BlockRow row;
    for (std::string_view left{rows}; !left.empty(); ++count) {
        if (!take_row(left, row)) {
            return fail(ErrorKind::corrupt, "a block of rows in the store is damaged");
        }
    }
    Part& part = parts_.emplace_back(Part{
        .bytes = std::move(rows), .rows = std::make_unique<PendingRow[]>(count), .count = count
    });
    std::string_view left{part.bytes};
    for (std::size_t at = 0; at < count; ++at) {
        take_row(left, row);
        CHECK(
            row.partition_length <= std::numeric_limits<std::uint16_t>::max() && row.table < 32768,
            "keys are bounded long before"
        );
        PendingRow& pending = part.rows[at];
        pending = {
            .previous = nullptr,
            .start = row.key.data(),
            .order = static_cast<std::uint32_t>(size_ + at),
            .key_length = static_cast<std::uint32_t>(row.key.size()),
            .value_length = static_cast<std::uint32_t>(row.value.size()),
            .partition_length = static_cast<std::uint16_t>(row.partition_length),
            .table_and_kind = static_cast<std::uint16_t>(row.table << 1 | (row.erase ? 1U : 0U))
        };
        const auto [slot, is_new] =
            newest_.try_emplace(hash_partition(secret_, row.table, pending.partition()), &pending);
        if (!is_new) {
            pending.previous = std::exchange(slot->second, &pending);
        }
        bytes_ += is_new ? 20 : 0;
        if (is_by_key(row.table)) {
            note_key(pending);
        }
    }
    size_ += count;
    bytes_ += part.bytes.capacity() + count * sizeof(PendingRow);
    last_block_ = block;
    return {};
}

const PendingRow* Generation::newest(std::uint64_t hash) const {
    const auto found = newest_.find(hash);
    return found != newest_.end() ? found->second : nullptr;
}

void Generation::note_key(const PendingRow& row) {
    const std::uint64_t hash = hash_partition(secret_, row.table(), row.key());
    const auto [slot, is_new] = newest_of_key_.try_emplace(hash, &row);
    if (!is_new) {
        const PendingRow* const other = std::exchange(slot->second, &row);
        if (other->table() != row.table() || other->key() != row.key()) {
            same_hash_.push_back(other);
        }
    }
    bytes_ += is_new ? 20 : 0;
}

const PendingRow* Generation::newest_of_key(
    std::uint32_t table, std::string_view key, std::uint64_t hash
) const {
    const auto is_it = [&](const PendingRow* row) {
        return row->table() == table && row->key() == key;
    };
    const auto found = newest_of_key_.find(hash);
    if (found == newest_of_key_.end()) {
        return nullptr;
    }
    if (is_it(found->second)) {
        return found->second;
    }
    const auto other = std::find_if(same_hash_.rbegin(), same_hash_.rend(), is_it);
    return other != same_hash_.rend() ? *other : nullptr;
}

std::shared_ptr<const SortedRows> Generation::sorted(
    const PendingRow* newest, const PartitionKey& key
) const {
    const Kept known = kept(key);
    auto rows = std::make_shared<SortedRows>();
    const PendingRow* row = newest;
    for (; row != nullptr && row != known.newest; row = row->previous) {
        if (key.holds(*row)) {
            rows->push_back(row);
        }
    }
    if (known.newest != nullptr && (row == nullptr || rows->empty())) {
        return known.rows;  // kept by somebody who saw at least as much
    }
    std::ranges::sort(*rows, before);
    if (known.newest != nullptr) {
        auto all = std::make_shared<SortedRows>();
        all->reserve(rows->size() + known.rows->size());
        std::ranges::merge(*rows, *known.rows, std::back_inserter(*all), before);
        rows = std::move(all);
    }
    keep_latest(*rows);
    if (rows->size() >= kept_from) {
        const std::lock_guard lock{kept_mutex_};
        kept_[key.hash] = {.newest = newest, .rows = rows};
    }
    return rows;
}

const PendingRow* Generation::find(
    const PendingRow* newest, const PartitionKey& partition, std::string_view key
) const {
    const PendingRow* row = newest;
    for (std::size_t walked = 0; row != nullptr && walked < walked_rows; ++walked) {
        if (row->table() == partition.table && row->key() == key) {
            return row;
        }
        row = row->previous;
    }
    if (row == nullptr) {
        return nullptr;
    }
    const std::shared_ptr<const SortedRows> rows = sorted(newest, partition);
    const auto found = std::ranges::lower_bound(*rows, key, {}, &PendingRow::key);
    return found != rows->end() && (*found)->key() == key ? *found : nullptr;
}

/// What was kept of this partition; nothing if it is another one with the same hash.
Generation::Kept Generation::kept(const PartitionKey& key) const {
    const std::lock_guard lock{kept_mutex_};
    const auto found = kept_.find(key.hash);
    if (found == kept_.end() || !key.holds(*found->second.rows->front())) {
        return {};
    }
    return found->second;
}

}  // namespace footfall::storage_rocksdb
