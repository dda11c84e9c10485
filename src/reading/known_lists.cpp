#include "reading/known_lists.h"

#include <utility>

namespace footfall::reading {
namespace {

/// What the entry takes beside its list: two nodes, and a control block.
constexpr std::size_t entry_bytes = 200;

}  // namespace

std::size_t KnownLists::Kept::bytes_of(const Entry& entry) {
    return entry_bytes + entry.list->bytes();
}

std::shared_ptr<const KnownList> KnownLists::Kept::find(const ListKey& key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) {
        return nullptr;
    }
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->list;
}

void KnownLists::Kept::put(Entry entry, std::size_t bytes_max) {
    const std::size_t bytes = bytes_of(entry);
    if (bytes > bytes_max || by_key_.contains(entry.key)) {
        return;
    }
    while (bytes_ + bytes > bytes_max) {
        bytes_ -= bytes_of(entries_.back());
        by_key_.erase(entries_.back().key);
        entries_.pop_back();
    }
    bytes_ += bytes;
    entries_.push_front(std::move(entry));
    by_key_.emplace(entries_.front().key, entries_.begin());
}

std::size_t KnownLists::Kept::recount() const {
    std::size_t sum = 0;
    for (const Entry& each : entries_) {
        sum += bytes_of(each);
    }
    return sum;
}

std::shared_ptr<const KnownList> KnownLists::find(const ListKey& key) {
    return kept_.change(only, [&](Kept& kept) { return kept.find(key); });
}

void KnownLists::put(
    const ListKey& key, std::shared_ptr<const KnownList> list, std::size_t bytes_max
) {
    kept_.change(only, [&](Kept& kept) {
        kept.put({.key = key, .list = std::move(list)}, bytes_max);
    });
}

std::size_t KnownLists::size() {
    return kept_.look(only, [](const Kept& kept) { return kept.size(); });
}

}  // namespace footfall::reading
