#include "journal_rocksdb/rewritten_blocks.h"

#include "foundation/varint.h"
#include "journal_rocksdb/blocks.h"
#include "journal_rocksdb/schema.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::journal_rocksdb {
namespace {

/// A block with what became of its records.
struct Rewritten {
    std::string records;
    std::uint64_t changed = 0;
};

Result<Rewritten> rewrite(const Block& block, const ChangeRecord& change) {
    Rewritten rewritten;
    std::string_view left = block.records;
    while (!left.empty()) {
        std::uint64_t size = 0;
        if (!take_varint(left, size) || size > left.size()) {
            return fail(
                ErrorKind::corrupt,
                fmt::format("the log is damaged: the block from record {}", block.first)
            );
        }
        const std::string_view record = left.substr(0, size);
        left.remove_prefix(size);
        TRY(const std::optional<std::string> changed, change(record));
        const std::string_view written = changed ? std::string_view{*changed} : record;
        append_varint(written.size(), rewritten.records);
        rewritten.records += written;
        rewritten.changed += changed ? 1 : 0;
    }
    return rewritten;
}

/// Retention may have erased blocks while they were written: they are not to come back.
Result<void> erase_what_ended(
    storage::Store& store, std::span<const std::vector<storage::Value>> written
) {
    storage::Batch batch;
    for (const std::vector<storage::Value>& key : written) {
        TRY(const auto begin, storage::read_one(store, log_begin_table, {key[0], key[1]}));
        TRY(const auto block, storage::read_one(store, log_block_table, key));
        if (begin && block &&
            std::get<std::int64_t>((*block)[4]) < std::get<std::int64_t>((*begin)[2])) {
            batch.erase(log_block_table, {key[0], key[1], key[2], key[3]});
        }
    }
    return batch.empty() ? Result<void>{} : storage::write_durably(store, batch);
}

}  // namespace

Result<std::uint64_t> rewrite_blocks(
    storage::Store& store, const ChangeRecord& change, const std::stop_token& stop
) {
    std::uint64_t changed = 0;
    storage::ScanQuery query{.table = &log_block_table, .max_bytes = 4 << 20};
    do {
        if (stop.stop_requested()) {
            return fail(ErrorKind::cancelled, "to rewrite the log is to end");
        }
        TRY(const storage::Page page, storage::scan_page(store, query));
        storage::Batch batch;
        std::vector<std::vector<storage::Value>> written;
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            const Block block = block_at(page.rows, row);
            TRY(const Rewritten rewritten, rewrite(block, change));
            if (rewritten.changed == 0) {
                continue;
            }
            changed += rewritten.changed;
            std::vector<storage::Value> key;
            key.reserve(log_block_table.key_width());
            for (std::size_t column = 0; column < log_block_table.key_width(); ++column) {
                key.push_back(page.rows.at(row, column).owned());
            }
            batch.upsert(
                log_block_table,
                {key[0], key[1], key[2], key[3], stored(block.last), rewritten.records}
            );
            written.push_back(std::move(key));
        }
        if (!batch.empty()) {
            TRY_VOID(storage::write_durably(store, batch));
            TRY_VOID(erase_what_ended(store, written));
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    return changed;
}

}  // namespace footfall::journal_rocksdb
