#include "storage_rocksdb/logged_block.h"

#include "storage_rocksdb/rocks_options.h"
#include "storage_rocksdb/slices.h"

#include <fmt/format.h>
#include <rocksdb/write_batch.h>

#include <string>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

class Reading final : public rocksdb::WriteBatch::Handler {
public:
    explicit Reading(const LoggedFamilies& families) : families_{&families} {}

    rocksdb::Status PutCF(
        std::uint32_t family, const rocksdb::Slice& key, const rocksdb::Slice& value
    ) override {
        if (family == families_->blocks) {
            return append_bulk(view_of(value));
        }
        if (family == families_->of_store) {
            return note_of_store(view_of(key), view_of(value));
        }
        return append({.table = family, .key = view_of(key), .value = view_of(value)});
    }

    rocksdb::Status DeleteCF(std::uint32_t family, const rocksdb::Slice& key) override {
        return append({.table = family, .erase = true, .key = view_of(key)});
    }

    rocksdb::Status DeleteRangeCF(
        std::uint32_t family, const rocksdb::Slice& /*begin*/, const rocksdb::Slice& /*end*/
    ) override {
        return family == families_->blocks
                   ? rocksdb::Status::OK()
                   : rocksdb::Status::Corruption("rows of a table were erased as a range");
    }

    rocksdb::Status MarkNoop(bool /*empty_batch*/) override { return {}; }

    // The engine takes it for granted that these are well, and ends the program if they are not.
    rocksdb::Status MarkBeginPrepare(bool /*unprepared*/) override { return note_transaction(); }

    rocksdb::Status MarkEndPrepare(const rocksdb::Slice& /*xid*/) override {
        return note_transaction();
    }

    rocksdb::Status MarkRollback(const rocksdb::Slice& /*xid*/) override {
        return note_transaction();
    }

    rocksdb::Status MarkCommit(const rocksdb::Slice& /*xid*/) override {
        return note_transaction();
    }

    rocksdb::Status MarkCommitWithTimestamp(
        const rocksdb::Slice& /*xid*/, const rocksdb::Slice& /*timestamp*/
    ) override {
        return note_transaction();
    }

    LoggedBlock take() { return std::move(read_); }

    const Result<void>& refused() const { return refused_; }

private:
    rocksdb::Status note_transaction() {
        refused_ = fail(ErrorKind::corrupt, "a store writes no transactions");
        return {};
    }

    rocksdb::Status append_bulk(std::string_view rows) {
        BlockRow row;
        for (std::string_view rest = rows; !rest.empty();) {
            if (!take_row(rest, row)) {
                return rocksdb::Status::Corruption("bulk rows are not whole");
            }
            if (!knows(row.table)) {
                return rocksdb::Status::Aborted();
            }
        }
        read_.rows.bulk_rows += rows;
        return {};
    }

    rocksdb::Status append(const BlockRow& row) {
        if (!knows(row.table)) {
            return rocksdb::Status::Aborted();
        }
        append_row(row, read_.rows.rows);
        return {};
    }

    bool knows(std::uint32_t table) {
        const bool known = families_->tables->table(table) != nullptr;
        if (!known) {
            refused_ = fail(
                ErrorKind::conflict,
                fmt::format(
                    "a table was written to (number {}) that the backup has not got: another "
                    "version of footfall made it later. Restore a backup that was made since, or "
                    "an earlier moment.",
                    table
                )
            );
        }
        return known;
    }

    rocksdb::Status note_of_store(std::string_view key, std::string_view value) {
        if (key != stamp_key) {
            return {};
        }
        const Result<Stamp> stamp = decode_stamp(value);
        if (!stamp) {
            return rocksdb::Status::Corruption(stamp.error().message);
        }
        read_.stamp = *stamp;
        return {};
    }

    const LoggedFamilies* families_;
    LoggedBlock read_;
    Result<void> refused_;
};

}  // namespace

Result<LoggedBlock> read_logged_block(std::string_view record, const LoggedFamilies& families) {
    const rocksdb::WriteBatch batch{std::string{record}};
    Reading reading{families};
    const rocksdb::Status status = batch.Iterate(&reading);
    TRY_VOID(reading.refused());
    if (!status.ok()) {
        return std::unexpected(to_error(status, "read a block of a write-ahead log"));
    }
    return reading.take();
}

}  // namespace footfall::storage_rocksdb
