#include "storage_rocksdb/bulk_sort.h"

#include "storage_rocksdb/prefetch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace footfall::storage_rocksdb {
namespace {

struct Headed {
    std::uint64_t head;     ///< The next eight bytes of the key, as a number of the same order.
    const PendingRow* row;  ///< Null: a later row has the same key.
};

std::string_view rest_of(const Headed& headed, std::size_t from) {
    const std::string_view key = headed.row->key();
    return key.substr(std::min(from, key.size()));
}

std::uint64_t head_of(std::string_view bytes) {
    std::uint64_t head = 0;
    std::memcpy(&head, bytes.data(), std::min(bytes.size(), sizeof(head)));
    return std::endian::native == std::endian::little ? __builtin_bswap64(head) : head;
}

/// How many bytes behind the first `from` all keys of the run share.
std::size_t shared_bytes(std::span<const Headed> run, std::size_t from) {
    std::string_view shared = rest_of(run.front(), from);
    for (std::size_t at = 1; at < run.size(); ++at) {
        prefetch_row(run, at, &Headed::row);
        const auto differ = std::ranges::mismatch(shared, rest_of(run[at], from));
        shared = shared.substr(0, static_cast<std::size_t>(differ.in1 - shared.begin()));
    }
    return shared.size();
}

/// Orders by the bytes behind `from`; of equal keys only the latest stays.
void sort_by_comparing(std::span<Headed> run, std::size_t from) {
    std::ranges::sort(run, [from](const Headed& left, const Headed& right) {
        const auto order = rest_of(left, from) <=> rest_of(right, from);
        return order != 0 ? order < 0 : left.row->order > right.row->order;
    });
    const Headed* kept = &run.front();
    for (Headed& each : run.subspan(1)) {
        if (rest_of(each, from) == rest_of(*kept, from)) {
            each.row = nullptr;
        } else {
            kept = &each;
        }
    }
}

/// Orders rows whose keys are equal in the first `from` bytes.
void sort_run(std::span<Headed> run, std::size_t from) {
    if (run.size() == 1) {
        return;
    }
    from += shared_bytes(run, from);
    for (Headed& each : run) {
        each.head = head_of(rest_of(each, from));
    }
    std::ranges::sort(run, {}, &Headed::head);
    if (run.front().head == run.back().head) {
        sort_by_comparing(run, from);  // one key many times: there is nothing left to split by
        return;
    }
    while (!run.empty()) {
        std::size_t count = 1;
        while (count < run.size() && run[count].head == run.front().head) {
            ++count;
        }
        sort_run(run.first(count), from);
        run = run.subspan(count);
    }
}

}  // namespace

void sort_by_key(SortedRows& rows) {
    if (rows.empty()) {
        return;
    }
    std::vector<Headed> headed;
    headed.reserve(rows.size());
    for (const PendingRow* row : rows) {
        headed.push_back({.head = 0, .row = row});
    }
    sort_run(headed, 0);
    rows.clear();
    for (const Headed& each : headed) {
        if (each.row != nullptr) {
            rows.push_back(each.row);
        }
    }
}

}  // namespace footfall::storage_rocksdb
