#include "storage_rocksdb/bulk_sort.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace footfall::storage_rocksdb {
namespace {

/// Below this many, comparing whole keys is quicker than another pass.
constexpr std::size_t short_run = 12;

struct Headed {
    std::uint64_t head;  ///< The next eight bytes of the key, as a number of the same order.
    const PendingRow* row;
};

std::string_view rest_of(const PendingRow& row, std::size_t from) {
    const std::string_view key = row.key();
    return key.substr(std::min(from, key.size()));
}

std::uint64_t head_of(std::string_view bytes) {
    std::uint64_t head = 0;
    std::memcpy(&head, bytes.data(), std::min(bytes.size(), sizeof(head)));
    return std::endian::native == std::endian::little ? __builtin_bswap64(head) : head;
}

/// How many bytes behind the first `from` all keys of the run share.
std::size_t shared_bytes(std::span<const Headed> run, std::size_t from) {
    std::string_view shared = rest_of(*run.front().row, from);
    for (const Headed& each : run.subspan(1)) {
        const std::string_view other = rest_of(*each.row, from);
        const auto differ = std::ranges::mismatch(shared, other);
        shared = shared.substr(0, static_cast<std::size_t>(differ.in1 - shared.begin()));
    }
    return shared.size();
}

/// Orders by the bytes behind `from`; of equal keys the latest first.
void sort_by_comparing(std::span<Headed> run, std::size_t from) {
    std::ranges::sort(run, [from](const Headed& left, const Headed& right) {
        const auto order = rest_of(*left.row, from) <=> rest_of(*right.row, from);
        return order != 0 ? order < 0 : left.row->order > right.row->order;
    });
}

/// Orders rows whose keys are equal in the first `from` bytes.
void sort_run(std::span<Headed> run, std::size_t from) {
    if (run.size() <= short_run) {
        sort_by_comparing(run, from);
        return;
    }
    from += shared_bytes(run, from);
    for (Headed& each : run) {
        each.head = head_of(rest_of(*each.row, from));
    }
    std::ranges::sort(run, {}, &Headed::head);
    if (run.front().head == run.back().head) {
        sort_by_comparing(run, from);  // one key many times: there is nothing left to split by
        return;
    }
    while (!run.empty()) {
        const auto same = std::ranges::upper_bound(run, run.front().head, {}, &Headed::head);
        const auto count = static_cast<std::size_t>(same - run.begin());
        sort_run(run.first(count), from);
        run = run.subspan(count);
    }
}

}  // namespace

void sort_by_key(SortedRows& rows) {
    std::vector<Headed> headed;
    headed.reserve(rows.size());
    for (const PendingRow* row : rows) {
        headed.push_back({.head = 0, .row = row});
    }
    sort_run(headed, 0);
    rows.clear();
    for (const Headed& each : headed) {
        if (rows.empty() || rows.back()->key() != each.row->key()) {
            rows.push_back(each.row);
        }
    }
}

}  // namespace footfall::storage_rocksdb
