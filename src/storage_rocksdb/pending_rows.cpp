#include "storage_rocksdb/pending_rows.h"

#include "foundation/check.h"

#include <algorithm>
#include <random>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

SipKey random_key() {
    std::random_device device;
    const auto word = [&device] { return std::uint64_t{device()} << 32 | device(); };
    return {.k0 = word(), .k1 = word()};
}

}  // namespace

void PendingCursor::next() {
    const PendingRow* lowest = nullptr;
    for (const Part& part : parts_) {
        if (part.at < part.end) {
            const PendingRow* const row = (*part.rows)[part.at];
            // Of one key in two generations the newer one counts, which was asked first.
            lowest = lowest == nullptr || row->key() < lowest->key() ? row : lowest;
        }
    }
    for (Part& part : parts_) {
        if (part.at < part.end && (*part.rows)[part.at]->key() == lowest->key()) {
            ++part.at;
        }
    }
    row_ = lowest;
}

const PendingRow* PendingPartition::find(std::string_view key) const {
    const PartitionKey partition{.table = table_, .partition = partition_, .hash = hash_};
    for (const Part& part : parts_) {
        if (const PendingRow* row = part.generation->find(part.newest, partition, key)) {
            return row;
        }
    }
    return nullptr;
}

PendingCursor PendingPartition::range(std::string_view first, std::string_view end) const {
    const PartitionKey partition{.table = table_, .partition = partition_, .hash = hash_};
    PendingCursor cursor;
    for (const Part& part : parts_) {
        const auto rows = part.generation->sorted(part.newest, partition);
        const auto from = std::ranges::lower_bound(*rows, first, {}, &PendingRow::key);
        const auto to =
            end.empty() ? rows->end() : std::ranges::lower_bound(*rows, end, {}, &PendingRow::key);
        if (from < to) {
            cursor.parts_.push_back(
                {.rows = rows,
                 .at = static_cast<std::size_t>(from - rows->begin()),
                 .end = static_cast<std::size_t>(to - rows->begin())}
            );
        }
    }
    cursor.next();
    return cursor;
}

PendingRows::PendingRows(Limits limits)
    : secret_{random_key()},
      limits_{limits},
      growing_{std::make_shared<Generation>(secret_)},
      epoch_{secret_.k0} {}

void PendingRows::find_by_key(std::vector<std::uint32_t> tables) {
    const std::lock_guard lock{mutex_};
    CHECK(growing_->empty() && sealed_.empty(), "tables are told before their rows");
    tables_by_key_ = std::move(tables);
    growing_ = std::make_shared<Generation>(secret_, tables_by_key_);
}

Result<void> PendingRows::append(std::uint64_t block, std::string rows) {
    const std::lock_guard lock{mutex_};
    TRY_VOID(growing_->append(block, std::move(rows)));
    if (growing_->bytes() >= limits_.generation_bytes) {
        seal_locked();
    }
    count_locked();
    return {};
}

double PendingRows::fill() const {
    return static_cast<double>(bytes()) / static_cast<double>(limits_.bytes);
}

PendingPartition PendingRows::partition(std::uint32_t table, std::string_view key) const {
    PendingPartition partition;
    partition.table_ = table;
    partition.partition_ = key;
    partition.hash_ = hash_partition(secret_, table, key);
    const auto pin = [&](const std::shared_ptr<const Generation>& generation) {
        if (const PendingRow* const newest = generation->newest(partition.hash_)) {
            partition.parts_.push_back({.generation = generation, .newest = newest});
        }
    };
    const std::lock_guard lock{mutex_};
    pin(growing_);
    std::for_each(sealed_.rbegin(), sealed_.rend(), pin);
    return partition;
}

PinnedRow PendingRows::row(std::uint32_t table, std::string_view key) const {
    const std::uint64_t hash = hash_partition(secret_, table, key);
    const std::lock_guard lock{mutex_};
    if (const PendingRow* const row = growing_->newest_of_key(table, key, hash)) {
        return {.generation = growing_, .row = row};
    }
    for (auto at = sealed_.rbegin(); at != sealed_.rend(); ++at) {
        if (const PendingRow* const row = (*at)->newest_of_key(table, key, hash)) {
            return {.generation = *at, .row = row};
        }
    }
    return {};
}

std::uint64_t PendingRows::seal() {
    const std::lock_guard lock{mutex_};
    if (!growing_->empty()) {
        seal_locked();
    }
    return written_ + sealed_.size();
}

std::shared_ptr<const Generation> PendingRows::wait_for_sealed(const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    const bool there = changed_.wait(lock, stop, [this] { return !sealed_.empty(); });
    return there && !stop.stop_requested() ? sealed_.front() : nullptr;
}

void PendingRows::drop_oldest() {
    // Before it is dropped: who finds its rows gone must not look at files of before.
    moment_.fetch_add(1, std::memory_order_acq_rel);
    std::shared_ptr<const Generation> dropped;  // freed after the mutex
    const std::lock_guard lock{mutex_};
    dropped = std::move(sealed_.front());
    sealed_.pop_front();
    ++written_;
    count_locked();
    changed_.notify_all();
}

bool PendingRows::wait_until_written(std::chrono::milliseconds patience, std::uint64_t generations)
    const {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, patience, [&] {
        return sealed_.empty() || written_ >= generations;
    });
}

void PendingRows::clear() {
    is_complete_.store(false, std::memory_order_release);
    const std::lock_guard lock{mutex_};
    epoch_.fetch_add(1, std::memory_order_acq_rel);
    growing_ = std::make_shared<Generation>(secret_, tables_by_key_);
    sealed_.clear();
    count_locked();
    changed_.notify_all();
}

void PendingRows::seal_locked() {
    auto next = std::make_shared<Generation>(
        secret_, tables_by_key_, growing_->partitions(), growing_->keys()
    );
    sealed_.push_back(std::exchange(growing_, std::move(next)));
    changed_.notify_all();
}

void PendingRows::count_locked() {
    std::size_t bytes = growing_->bytes();
    std::size_t rows = growing_->size();
    for (const auto& generation : sealed_) {
        bytes += generation->bytes();
        rows += generation->size();
    }
    bytes_.store(bytes, std::memory_order_relaxed);
    rows_.store(rows, std::memory_order_relaxed);
}

}  // namespace footfall::storage_rocksdb
