#include "storage_rocksdb/rocks_read.h"

#include "foundation/check.h"
#include "storage/key_codec.h"

#include <rocksdb/iterator.h>

#include <memory>
#include <string>

namespace footfall::storage_rocksdb {

using storage::Found;
using storage::Page;
using storage::RangeQuery;
using storage::Rows;
using storage::Table;
using storage::Value;
using storage::ValueView;

namespace {

/// Decodes stored rows one after the other, reusing its buffers.
class RowDecoder {
public:
    explicit RowDecoder(const Table& table) : table_{&table} {}

    Result<void> append(const rocksdb::Slice& key, const rocksdb::Slice& value, Rows& rows) {
        TRY_VOID(storage::decode_key(*table_, {key.data(), key.size()}, columns_, texts_));
        TRY_VOID(storage::decode_row_values(*table_, {value.data(), value.size()}, columns_));
        rows.append(columns_);
        return {};
    }

private:
    const Table* table_;
    std::vector<ValueView> columns_;
    std::string texts_;
};

struct KeyBounds {
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
    KeyBounds bounds{.first = partition, .end = partition};
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

Result<Page> scan(
    rocksdb::DB& db,
    rocksdb::ColumnFamilyHandle* family,
    const RangeQuery& query,
    const KeyBounds& bounds
) {
    rocksdb::ReadOptions options;
    options.prefix_same_as_start = true;
    const rocksdb::Slice end{bounds.end};
    if (!bounds.end.empty()) {
        options.iterate_upper_bound = &end;
    }
    const std::unique_ptr<rocksdb::Iterator> iterator{db.NewIterator(options, family)};
    Page page{.rows = Rows{*query.table}, .continuation = {}};
    RowDecoder decoder{*query.table};
    iterator->Seek(bounds.first);
    if (bounds.skip_first && iterator->Valid() && iterator->key() == rocksdb::Slice{bounds.first}) {
        iterator->Next();
    }
    std::string last_key;
    for (; iterator->Valid(); iterator->Next()) {
        if (page.rows.size() >= query.max_rows || page.rows.bytes() > query.max_bytes) {
            // More rows wait: what follows the partition in the last key taken is where the next
            // page goes on.
            TRY(const std::size_t partition, storage::partition_length(*query.table, last_key));
            page.continuation = last_key.substr(partition);
            break;
        }
        TRY_VOID(decoder.append(iterator->key(), iterator->value(), page.rows));
        last_key.assign(iterator->key().data(), iterator->key().size());
    }
    if (!iterator->status().ok()) {
        return std::unexpected(to_error(iterator->status(), "read a range"));
    }
    return page;
}

}  // namespace

Result<Found> read_keys(
    Database& database, const Table& table, std::span<const std::vector<Value>> keys
) {
    return database.use([&](rocksdb::DB& db) -> Result<Found> {
        std::vector<std::string> encoded(keys.size());
        for (std::size_t at = 0; at < keys.size(); ++at) {
            CHECK(keys[at].size() == table.key_width(), "a read gives the whole key", table.name);
            storage::append_key(table, storage::views_of(keys[at]), encoded[at]);
        }
        const std::vector<rocksdb::Slice> slices{encoded.begin(), encoded.end()};
        std::vector<rocksdb::PinnableSlice> values(keys.size());
        std::vector<rocksdb::Status> statuses(keys.size());
        db.MultiGet(
            {}, database.family(table), keys.size(), slices.data(), values.data(), statuses.data()
        );
        Found found{.rows = Rows{table}, .row_of_key = {}};
        RowDecoder decoder{table};
        for (std::size_t at = 0; at < keys.size(); ++at) {
            if (statuses[at].IsNotFound()) {
                found.row_of_key.emplace_back(std::nullopt);
                continue;
            }
            if (!statuses[at].ok()) {
                return std::unexpected(to_error(statuses[at], "read a row"));
            }
            found.row_of_key.emplace_back(found.rows.size());
            TRY_VOID(decoder.append(slices[at], values[at], found.rows));
        }
        return found;
    });
}

Result<Page> read_page(Database& database, const RangeQuery& query) {
    CHECK(query.table != nullptr && query.max_rows > 0, "a range has a table and wants rows");
    TRY(const KeyBounds bounds, bounds_of(query));
    return database.use([&](rocksdb::DB& db) {
        return scan(db, database.family(*query.table), query, bounds);
    });
}

}  // namespace footfall::storage_rocksdb
