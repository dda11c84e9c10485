#include "storage_rocksdb/rocks_read.h"

#include "foundation/check.h"
#include "storage/key_codec.h"
#include "storage_rocksdb/page_cache.h"
#include "storage_rocksdb/row_decoder.h"
#include "storage_rocksdb/slices.h"

#include <rocksdb/iterator.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::storage_rocksdb {

using storage::Found;
using storage::Page;
using storage::RangeQuery;
using storage::Rows;
using storage::Table;
using storage::Value;
using storage::ValueView;

namespace {

struct KeyBounds {
    std::string partition;    ///< What all keys start with.
    std::string first;        ///< Included.
    std::string end;          ///< Excluded; empty: none.
    bool skip_first = false;  ///< `first` itself was on the page before.
};

Result<KeyBounds> bounds_of(const RangeQuery& query) {
    const Table& table = *query.table;
    CHECK(
        query.partition.size() == table.partition.size(),
        "a range gives all partition columns",
        table.name
    );
    std::string partition;
    storage::append_key(table, storage::views_of(query.partition), partition);
    KeyBounds bounds{.partition = partition, .first = partition, .end = partition};
    storage::append_clustering(table, storage::views_of(query.from), bounds.first);
    storage::append_clustering(table, storage::views_of(query.through), bounds.end);
    bounds.end = storage::end_of_prefix(std::move(bounds.end));
    if (!query.continuation.empty()) {
        bounds.first = partition + query.continuation;
        bounds.skip_first = true;
        std::vector<ValueView> columns;
        std::string texts;
        if (!storage::decode_key(table, bounds.first, columns, texts)) {
            return fail(
                ErrorKind::invalid_input, "the continuation is not one that this range answered"
            );
        }
    }
    return bounds;
}

/// The live rows of a range, in order: what waits in memory goes before what stands in files, and
/// erased rows are left out. Both must be as of one moment.
class MergedRows {
public:
    MergedRows(PendingCursor pending, rocksdb::Iterator& stored)
        : pending_{std::move(pending)}, stored_{&stored} {
        settle();
    }

    bool valid() const { return from_pending_ || stored_->Valid(); }

    std::string_view key() const {
        return from_pending_ ? pending_.row()->key() : view_of(stored_->key());
    }

    std::string_view value() const {
        return from_pending_ ? pending_.row()->value() : view_of(stored_->value());
    }

    void next() {
        if (from_pending_) {
            step_pending();
        } else {
            stored_->Next();
        }
        settle();
    }

private:
    bool pending_is_first() const {
        return pending_.row() != nullptr &&
               (!stored_->Valid() || pending_.row()->key() <= view_of(stored_->key()));
    }

    /// Leaves the waiting row, and with it the stored row it stands for.
    void step_pending() {
        if (stored_->Valid() && view_of(stored_->key()) == pending_.row()->key()) {
            stored_->Next();
        }
        pending_.next();
    }

    /// Goes on to a row that is not erased.
    void settle() {
        for (from_pending_ = pending_is_first(); from_pending_ && pending_.row()->erase();
             from_pending_ = pending_is_first()) {
            step_pending();
        }
    }

    PendingCursor pending_;
    rocksdb::Iterator* stored_;
    bool from_pending_ = false;
};

/// What waits of a partition, or of several, and an iterator over the table's files, all as of one
/// moment: if files were taken in between the two, they could show a batch of which the first has
/// only a part.
template <class Waiting>
struct OneMoment {
    std::uint64_t number = 0;
    Waiting pending = {};
    std::unique_ptr<TableIterator> stored = {};
};

/// `take_waiting` is asked for what waits, more than once if files are taken meanwhile.
template <class TakeWaiting>
auto open_at_one_moment(
    rocksdb::DB& db,
    Database& database,
    const PendingRows& pending,
    const Table& table,
    const TakeWaiting& take_waiting
) {
    for (;;) {
        OneMoment<decltype(take_waiting())> moment{.number = pending.moment()};
        moment.pending = take_waiting();
        moment.stored = database.iterators(table).take(db, *database.family(table), moment.number);
        if (pending.moment() == moment.number) {
            return moment;
        }
    }
}

Result<Page> take_page(MergedRows& rows, const RangeQuery& query) {
    Page page{.rows = Rows{*query.table}, .continuation = {}};
    RowDecoder decoder{*query.table};
    std::string last_key;
    for (; rows.valid(); rows.next()) {
        if (page.rows.size() >= query.max_rows || page.rows.bytes() > query.max_bytes) {
            // More rows wait: what follows the partition in the last key taken is where the next
            // page goes on.
            TRY(const std::size_t partition, storage::partition_length(*query.table, last_key));
            page.continuation = last_key.substr(partition);
            break;
        }
        TRY_VOID(decoder.append(rows.key(), rows.value(), page.rows));
        last_key.assign(rows.key());
    }
    return page;
}

/// The page, from what waits and an iterator; absent when that stopped for want of the disk.
std::optional<Result<Page>> scan(
    const PendingPartition& pending,
    TableIterator& iterator,
    const RangeQuery& query,
    const KeyBounds& bounds
) {
    rocksdb::Iterator& stored = iterator.seek(bounds.first, bounds.end);
    MergedRows rows{pending.range(bounds.first, bounds.end), stored};
    if (bounds.skip_first && rows.valid() && rows.key() == bounds.first) {
        rows.next();
    }
    Result<Page> page = take_page(rows, query);
    if (stored.status().IsTimedOut()) {
        return std::nullopt;
    }
    if (!stored.status().ok()) {
        return std::unexpected(to_error(stored.status(), "read a range"));
    }
    return page;
}

/// While the database is opened anew its files alone would be half the truth.
Result<void> check_complete(const PendingRows& pending) {
    if (pending.is_complete()) {
        return {};
    }
    return fail(ErrorKind::unavailable, "the store is being reopened after a failed write");
}

/// Keys of partitions, one behind the other in one text.
class PartitionKeys {
public:
    PartitionKeys(const Table& table, std::span<const ValueView> partitions) {
        const std::size_t width = table.partition.size();
        ends_.push_back(0);
        for (std::size_t at = 0; at < partitions.size(); at += width) {
            storage::append_key(table, partitions.subspan(at, width), bytes_);
            ends_.push_back(bytes_.size());
        }
    }

    std::size_t size() const { return ends_.size() - 1; }

    std::string_view operator[](std::size_t at) const {
        return std::string_view{bytes_}.substr(ends_[at], ends_[at + 1] - ends_[at]);
    }

    /// Their places by the order of keys: neighbours stand in the same blocks of files.
    std::vector<std::size_t> in_order() const {
        std::vector<std::size_t> places(size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        std::ranges::sort(places, {}, [this](std::size_t at) { return (*this)[at]; });
        return places;
    }

private:
    std::string bytes_;
    std::vector<std::size_t> ends_;
};

std::vector<PendingPartition> waiting_of(
    const PendingRows& pending, std::uint32_t number, const PartitionKeys& keys
) {
    std::vector<PendingPartition> waiting;
    waiting.reserve(keys.size());
    for (std::size_t at = 0; at < keys.size(); ++at) {
        waiting.push_back(pending.partition(number, keys[at]));
    }
    return waiting;
}

/// Absent: it would take more memory than is good.
std::optional<Result<storage::PartitionsFound>> take_partitions(
    const Table& table, const PartitionKeys& keys, OneMoment<std::vector<PendingPartition>>& moment
) {
    constexpr std::size_t bytes_max = 16 << 20;
    storage::PartitionsFound found{.rows = Rows{table}, .place_of = {}};
    found.place_of.resize(keys.size());
    RowDecoder decoder{table};
    for (const std::size_t at : keys.in_order()) {
        const std::string end = storage::end_of_prefix(std::string{keys[at]});
        rocksdb::Iterator& stored = moment.stored->seek(keys[at], end);
        storage::PartitionsFound::Place& place = found.place_of[at];
        place.first = found.rows.size();
        for (MergedRows rows{moment.pending[at].range(keys[at], end), stored}; rows.valid();
             rows.next()) {
            if (found.rows.bytes() > bytes_max) {
                return std::nullopt;
            }
            TRY_VOID(decoder.append(rows.key(), rows.value(), found.rows));
        }
        place.end = found.rows.size();
        if (!stored.status().ok()) {
            return std::unexpected(to_error(stored.status(), "read partitions"));
        }
    }
    return found;
}

/// What waits of each key; null where nothing does.
struct WaitingRows {
    std::vector<PendingPartition> partitions;  ///< Keeps the rows in memory, or
    std::vector<PinnedRow> pinned;             ///< this does.
    std::vector<const PendingRow*> rows;
};

Result<WaitingRows> find_waiting(
    const PendingRows& pending,
    std::uint32_t number,
    const Table& table,
    std::span<const std::string> keys
) {
    WaitingRows waiting;
    for (const std::string& key : keys) {
        if (table.large_partitions) {
            waiting.pinned.push_back(pending.row(number, key));
            waiting.rows.push_back(waiting.pinned.back().row);
            continue;
        }
        TRY(const std::size_t length, storage::partition_length(table, key));
        waiting.partitions.push_back(
            pending.partition(number, std::string_view{key}.substr(0, length))
        );
        waiting.rows.push_back(waiting.partitions.back().find(key));
    }
    return waiting;
}

/// What files have of each key.
struct StoredRows {
    std::vector<rocksdb::PinnableSlice> values;
    std::vector<rocksdb::Status> statuses;

    std::string_view value(std::size_t at) const { return {values[at].data(), values[at].size()}; }
};

/// Of those keys of which nothing waits: that would count before.
StoredRows read_stored(
    rocksdb::DB& db,
    rocksdb::ColumnFamilyHandle& family,
    std::span<const std::string> keys,
    std::span<const PendingRow* const> waiting
) {
    std::vector<std::size_t> places;
    std::vector<rocksdb::Slice> asked;
    for (std::size_t at = 0; at < keys.size(); ++at) {
        if (waiting[at] == nullptr) {
            places.push_back(at);
            asked.emplace_back(keys[at]);
        }
    }
    std::vector<rocksdb::PinnableSlice> values(asked.size());
    std::vector<rocksdb::Status> statuses(asked.size());
    db.MultiGet({}, &family, asked.size(), asked.data(), values.data(), statuses.data());
    if (asked.size() == keys.size()) {
        return {.values = std::move(values), .statuses = std::move(statuses)};
    }
    StoredRows stored{
        .values = std::vector<rocksdb::PinnableSlice>(keys.size()),
        .statuses = std::vector<rocksdb::Status>(keys.size())
    };
    for (std::size_t at = 0; at < places.size(); ++at) {
        stored.values[places[at]] = std::move(values[at]);
        stored.statuses[places[at]] = std::move(statuses[at]);
    }
    return stored;
}

}  // namespace

Result<Found> read_keys(
    Database& database,
    const PendingRows& pending,
    const Table& table,
    std::span<const std::vector<Value>> keys
) {
    std::vector<std::string> encoded(keys.size());
    for (std::size_t at = 0; at < keys.size(); ++at) {
        CHECK(keys[at].size() == table.key_width(), "a read gives the whole key", table.name);
        storage::append_key(table, storage::views_of(keys[at]), encoded[at]);
    }
    return database.use([&](rocksdb::DB& db) -> Result<Found> {
        TRY_VOID(check_complete(pending));
        WaitingRows waiting{
            .partitions = {}, .pinned = {}, .rows = std::vector<const PendingRow*>(keys.size())
        };
        if (table.bulk) {
            TRY(waiting, find_waiting(pending, database.numbers().of(table), table, encoded));
        }
        const StoredRows stored = read_stored(db, *database.family(table), encoded, waiting.rows);
        Found found{.rows = Rows{table}, .row_of_key = {}};
        RowDecoder decoder{table};
        for (std::size_t at = 0; at < keys.size(); ++at) {
            const PendingRow* const row = waiting.rows[at];
            if (row != nullptr ? row->erase() : stored.statuses[at].IsNotFound()) {
                found.row_of_key.emplace_back(std::nullopt);
                continue;
            }
            if (row == nullptr && !stored.statuses[at].ok()) {
                return std::unexpected(to_error(stored.statuses[at], "read a row"));
            }
            found.row_of_key.emplace_back(found.rows.size());
            const std::string_view value = row != nullptr ? row->value() : stored.value(at);
            TRY_VOID(decoder.append(encoded[at], value, found.rows));
        }
        return found;
    });
}

std::optional<Result<Page>> read_page(
    Database& database, const PendingRows& pending, const RangeQuery& query, Waiting waiting
) {
    CHECK(query.table != nullptr && query.max_rows > 0, "a range has a table and wants rows");
    const Result<KeyBounds> bounds = bounds_of(query);
    if (!bounds) {
        return std::unexpected(bounds.error());
    }
    std::optional<Result<Page>> answer;
    const Result<void> open = database.use([&](rocksdb::DB& db) -> Result<void> {
        TRY_VOID(check_complete(pending));
        std::optional<PageCacheOnly> only;
        if (waiting == Waiting::refused) {
            only.emplace();
        }
        const Table& table = *query.table;
        if (!table.bulk) {
            TableIterator stored{db, *database.family(table)};
            answer = scan({}, stored, query, *bounds);
            return {};
        }
        auto moment = open_at_one_moment(db, database, pending, table, [&] {
            return pending.partition(database.numbers().of(table), bounds->partition);
        });
        answer = scan(moment.pending, *moment.stored, query, *bounds);
        database.iterators(table).give_back(std::move(moment.stored), moment.number);
        return {};
    });
    return open ? std::move(answer) : std::unexpected(open.error());
}

std::optional<Result<storage::PartitionsFound>> read_partitions(
    Database& database,
    const PendingRows& pending,
    const Table& table,
    std::span<const ValueView> partitions
) {
    const PartitionKeys keys{table, partitions};
    std::optional<Result<storage::PartitionsFound>> answer;
    const Result<void> open = database.use([&](rocksdb::DB& db) -> Result<void> {
        TRY_VOID(check_complete(pending));
        if (!table.bulk) {
            OneMoment<std::vector<PendingPartition>> moment{
                .pending = std::vector<PendingPartition>(keys.size()),
                .stored = std::make_unique<TableIterator>(db, *database.family(table))
            };
            answer = take_partitions(table, keys, moment);
            return {};
        }
        auto moment = open_at_one_moment(db, database, pending, table, [&] {
            return waiting_of(pending, database.numbers().of(table), keys);
        });
        answer = take_partitions(table, keys, moment);
        database.iterators(table).give_back(std::move(moment.stored), moment.number);
        return {};
    });
    return open ? std::move(answer) : std::unexpected(open.error());
}

}  // namespace footfall::storage_rocksdb
