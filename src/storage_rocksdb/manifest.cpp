#include "storage_rocksdb/manifest.h"

#include "foundation/varint.h"
#include "storage_rocksdb/fixed_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

// Tags of the fields of an edit: RocksDB never gives a number another meaning.
enum Tag : std::uint64_t {
    comparator = 1,
    log_number = 2,
    next_file_number = 3,
    last_sequence = 4,
    deleted_file = 6,
    previous_log_number = 9,
    min_log_number_to_keep = 10,
    new_file_4 = 103,
    column_family = 200,
    column_family_add = 201,
    column_family_drop = 202,
    max_column_family = 203,
    in_atomic_group = 300,
    skippable = 1 << 13  ///< This bit: a field of a length that is told, not needed by readers.
};

constexpr std::uint64_t end_of_table = 1;
constexpr std::uint64_t unskippable_in_table = 1 << 6;
constexpr std::uint64_t min_log_in_table = 3;

bool take_bytes(std::string_view& bytes, std::string_view& taken) {
    std::uint64_t length = 0;
    if (!take_varint(bytes, length) || length > bytes.size()) {
        return false;
    }
    taken = bytes.substr(0, length);
    bytes.remove_prefix(length);
    return true;
}

}  // namespace

Result<void> Manifest::apply(std::string_view record) {
    TRY(Edit edit, decode(record));
    if (!edit.in_group) {
        apply(edit);
        return {};
    }
    const bool last = edit.remaining == 0;
    group_.push_back(std::move(edit));
    if (last) {
        for (const Edit& each : std::exchange(group_, {})) {
            apply(each);
        }
    }
    return {};
}

void Manifest::apply(const Edit& edit) {
    first_log_ = std::max(first_log_, edit.first_log);
    if (edit.drops_family) {
        families_.erase(edit.family);
        return;
    }
    Family& family = families_[edit.family];
    family.log = std::max(family.log, edit.log);
    for (const std::uint64_t number : edit.removed) {
        family.tables.erase(number);
    }
    for (const Table& table : edit.added) {
        family.tables[table.number] = table.size;
    }
}

std::map<std::uint64_t, std::uint64_t> Manifest::tables() const {
    std::map<std::uint64_t, std::uint64_t> all;
    for (const auto& [id, family] : families_) {
        all.insert(family.tables.begin(), family.tables.end());
    }
    return all;
}

std::uint64_t Manifest::first_log() const {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    for (const auto& [id, family] : families_) {
        first = std::min(first, family.log);
    }
    return std::max(first, first_log_);
}

Result<Manifest::Edit> Manifest::decode(std::string_view record) {
    Edit edit;
    while (!record.empty()) {
        std::uint64_t tag = 0;
        if (!take_varint(record, tag) || !take_field(tag, record, edit)) {
            return fail(
                ErrorKind::conflict, fmt::format("it holds an entry of an unknown kind, {}", tag)
            );
        }
    }
    return edit;
}

bool Manifest::take_field(std::uint64_t tag, std::string_view& bytes, Edit& edit) {
    std::uint64_t ignored = 0;
    std::string_view ignored_bytes;
    switch (tag) {
        case log_number:
            return take_varint(bytes, edit.log);
        case min_log_number_to_keep:
            return take_varint(bytes, edit.first_log);
        case column_family:
            return take_varint(bytes, edit.family);
        case next_file_number:
        case last_sequence:
        case previous_log_number:
        case max_column_family:
            return take_varint(bytes, ignored);
        case deleted_file:
            return take_varint(bytes, ignored) && take_varint(bytes, edit.removed.emplace_back());
        case new_file_4:
            return take_table(bytes, edit);
        case column_family_drop:
            edit.drops_family = true;
            return true;
        case in_atomic_group:
            edit.in_group = true;
            return take_varint(bytes, edit.remaining);
        case comparator:
        case column_family_add:
            return take_bytes(bytes, ignored_bytes);
        default:
            return (tag & skippable) != 0 && take_bytes(bytes, ignored_bytes);
    }
}

/// Level, number, size, smallest and largest key, smallest and largest sequence number; then fields
/// of its own, each with its length.
bool Manifest::take_table(std::string_view& bytes, Edit& edit) {
    std::uint64_t ignored = 0;
    std::string_view field;
    Table& table = edit.added.emplace_back();
    if (!take_varint(bytes, ignored) || !take_varint(bytes, table.number) ||
        !take_varint(bytes, table.size) || !take_bytes(bytes, field) || !take_bytes(bytes, field) ||
        !take_varint(bytes, ignored) || !take_varint(bytes, ignored)) {
        return false;
    }
    for (;;) {
        std::uint64_t tag = 0;
        if (!take_varint(bytes, tag)) {
            return false;
        }
        if (tag == end_of_table) {
            return true;
        }
        if (!take_bytes(bytes, field) || ((tag & unskippable_in_table) != 0)) {
            return false;
        }
        if (tag == min_log_in_table && field.size() == sizeof(std::uint64_t)) {
            edit.first_log = fixed<std::uint64_t>(field);
        }
    }
}

}  // namespace footfall::storage_rocksdb
