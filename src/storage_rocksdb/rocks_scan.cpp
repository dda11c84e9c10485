#include "foundation/check.h"
#include "storage/key_codec.h"
#include "storage_rocksdb/rocks_options.h"
#include "storage_rocksdb/rocks_read.h"
#include "storage_rocksdb/row_decoder.h"
#include "storage_rocksdb/slices.h"

#include <fmt/format.h>
#include <rocksdb/iterator.h>

#include <cstring>
#include <memory>
#include <utility>

namespace footfall::storage_rocksdb {

using storage::Page;
using storage::Rows;
using storage::ScanQuery;

namespace {

constexpr std::size_t scan_readahead = 1 << 20;

/// The epoch, and behind it the key.
std::string scan_continuation(std::uint64_t epoch, std::string_view key) {
    std::string bytes(sizeof(epoch), '\0');
    std::memcpy(bytes.data(), &epoch, sizeof(epoch));
    return bytes.append(key);
}

}  // namespace

Result<ScanStart> scan_start(const ScanQuery& query) {
    ScanStart start;
    if (query.continuation.empty()) {
        return start;
    }
    std::vector<storage::ValueView> columns;
    std::string texts;
    if (query.continuation.size() > sizeof(start.epoch)) {
        std::memcpy(&start.epoch, query.continuation.data(), sizeof(start.epoch));
        start.key = query.continuation.substr(sizeof(start.epoch));
    }
    if (start.key.empty() || !storage::decode_key(*query.table, start.key, columns, texts)) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("table {}: not a continuation of a scan", query.table->name)
        );
    }
    return start;
}

Result<Page> scan_files(Database& database, const ScanQuery& query, const ScanStart& start) {
    CHECK(query.max_rows > 0, "a page without rows", query.table->name);
    return database.use([&](rocksdb::DB& db) -> Result<Page> {
        rocksdb::ReadOptions options = walk_options();
        options.total_order_seek = true;  // over all partitions
        options.fill_cache = false;       // what is read once must not drive out what is read often
        options.readahead_size = scan_readahead;
        const std::unique_ptr<rocksdb::Iterator> rows{
            db.NewIterator(options, database.family(*query.table))
        };
        rows->Seek(slice_of(start.key));
        if (!start.key.empty() && rows->Valid() && view_of(rows->key()) == start.key) {
            rows->Next();
        }
        Page page{.rows = Rows{*query.table}, .continuation = {}};
        RowDecoder decoder{*query.table};
        std::string last_key;
        for (; rows->Valid(); rows->Next()) {
            if (page.rows.size() >= query.max_rows || page.rows.bytes() > query.max_bytes) {
                page.continuation = scan_continuation(start.epoch, last_key);
                break;
            }
            TRY_VOID(decoder.append(view_of(rows->key()), view_of(rows->value()), page.rows));
            last_key.assign(view_of(rows->key()));
        }
        if (!rows->status().ok()) {
            return std::unexpected(to_error(rows->status(), "scan a table"));
        }
        return page;
    });
}

}  // namespace footfall::storage_rocksdb
