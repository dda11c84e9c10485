#include "storage_rocksdb/logged_block.h"

#include "foundation/fixed_bytes.h"
#include "foundation/varint.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

/// What a write of a batch is, as RocksDB numbers it (db/dbformat.h). A store writes no others.
enum class Kind : unsigned char {
    erase = 0x0,
    put = 0x1,
    log_data = 0x3,
    erase_of_family = 0x4,
    put_of_family = 0x5,
    nothing = 0xd,
    erase_range_of_family = 0xe,
    erase_range = 0xf
};

std::unexpected<Error> damaged(std::string_view what) {
    return fail(ErrorKind::corrupt, fmt::format("a block of a write-ahead log: {}", what));
}

/// Reads a batch: the number of its first write (8 bytes), how many writes (4), and the writes. By
/// itself, for the engine takes what it reads for its own, and ends the program if it is not so.
class Reading {
public:
    Reading(std::string_view record, const LoggedFamilies& families)
        : left_{record}, families_{&families} {}

    Result<LoggedBlock> run() {
        std::uint64_t sequence = 0;
        std::uint32_t count = 0;
        if (!take_fixed(left_, sequence) || !take_fixed(left_, count)) {
            return damaged("it has no head");
        }
        while (!left_.empty()) {
            TRY_VOID(take_write());
        }
        if (writes_ != count) {
            return damaged("it has another number of writes than it says");
        }
        return std::move(read_);
    }

private:
    Result<void> take_write() {
        const auto kind = static_cast<Kind>(left_.front());
        left_.remove_prefix(1);
        switch (kind) {
            case Kind::nothing:
                return {};
            case Kind::log_data:
                return take_text(key_) ? Result<void>{} : damaged("it ends within a write");
            case Kind::put:
            case Kind::put_of_family:
                TRY_VOID(take_parts(kind == Kind::put_of_family, true));
                return put();
            case Kind::erase:
            case Kind::erase_of_family:
                TRY_VOID(take_parts(kind == Kind::erase_of_family, false));
                return append({.table = family_, .erase = true, .key = key_});
            case Kind::erase_range:
            case Kind::erase_range_of_family:
                TRY_VOID(take_parts(kind == Kind::erase_range_of_family, true));
                return family_ == families_->blocks
                           ? Result<void>{}
                           : damaged("rows of a table were erased as a range");
        }
        return damaged(fmt::format("a write of the kind {}", static_cast<unsigned>(kind)));
    }

    /// Of a write: its family, which is the first where it is not said, its key, and its value or
    /// the other end of a range.
    Result<void> take_parts(bool says_family, bool has_value) {
        std::uint64_t family = 0;
        value_ = {};
        if ((says_family && !take_varint(left_, family)) ||
            family > std::numeric_limits<std::uint32_t>::max() || !take_text(key_) ||
            (has_value && !take_text(value_))) {
            return damaged("it ends within a write");
        }
        family_ = static_cast<std::uint32_t>(family);
        ++writes_;
        return {};
    }

    bool take_text(std::string_view& text) {
        std::uint64_t size = 0;
        if (!take_varint(left_, size) || size > left_.size()) {
            return false;
        }
        text = left_.substr(0, size);
        left_.remove_prefix(size);
        return true;
    }

    Result<void> put() {
        if (family_ == families_->blocks) {
            return append_bulk();
        }
        if (family_ != families_->of_store) {
            return append({.table = family_, .key = key_, .value = value_});
        }
        if (key_ == stamp_key) {
            TRY(read_.stamp, decode_stamp(value_));
        }
        return {};
    }

    Result<void> append_bulk() {
        BlockRow row;
        for (std::string_view rest = value_; !rest.empty();) {
            if (!take_row(rest, row)) {
                return damaged("bulk rows are not whole");
            }
            TRY_VOID(check_known(row.table));
        }
        read_.rows.bulk_rows += value_;
        return {};
    }

    Result<void> append(const BlockRow& row) {
        TRY_VOID(check_known(row.table));
        append_row(row, read_.rows.rows);
        return {};
    }

    Result<void> check_known(std::uint32_t table) const {
        if (families_->tables->table(table) != nullptr) {
            return {};
        }
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "a table was written to (number {}) that the backup has not got: another version "
                "of footfall made it later. Restore a backup that was made since, or an earlier "
                "moment.",
                table
            )
        );
    }

    std::string_view left_;
    const LoggedFamilies* families_;
    LoggedBlock read_;
    std::uint32_t writes_ = 0;
    std::uint32_t family_ = 0;  ///< Of the write that was taken last; so are these.
    std::string_view key_;
    std::string_view value_;
};

}  // namespace

Result<LoggedBlock> read_logged_block(std::string_view record, const LoggedFamilies& families) {
    return Reading{record, families}.run();
}

}  // namespace footfall::storage_rocksdb
