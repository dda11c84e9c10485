#pragma once

#include "reading/friend_list.h"
#include "reading/friend_set.h"
#include "runtime/accounted_lanes.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

namespace footfall::reading {

/// A list of friends that was sent, in the ids of this process. An id is never given to another
/// reader, so it stays right for as long as it is kept.
struct KnownList {
    std::vector<ReaderId> ids = {};        ///< In the order of the list.
    std::vector<ReaderId> ascending = {};  ///< The same.

    std::size_t bytes() const { return (ids.capacity() + ascending.capacity()) * sizeof(ReaderId); }
};

/// Lists of friends that others sent, for the next question about the same: those that were asked
/// about least lately go. Thread-safe: one mutex, held for a look-up.
class KnownLists {
public:
    /// Null: it is not known, or not any more.
    std::shared_ptr<const KnownList> find(const ListKey& key);

    /// Keeps it, and lets others go until all take at most so much; where it takes more by itself
    /// it is not kept.
    void put(const ListKey& key, std::shared_ptr<const KnownList> list, std::size_t bytes_max);

    std::size_t bytes() const { return kept_.bytes(); }

    std::size_t size();

    runtime::AccountAudit audit(std::size_t lane) { return kept_.audit(lane); }

private:
    struct Entry {
        ListKey key;
        std::shared_ptr<const KnownList> list;
    };

    class Kept {
    public:
        std::shared_ptr<const KnownList> find(const ListKey& key);
        void put(Entry entry, std::size_t bytes_max);

        std::size_t size() const { return entries_.size(); }

        std::size_t bytes() const { return bytes_; }

        std::size_t recount() const;

    private:
        static std::size_t bytes_of(const Entry& entry);

        std::list<Entry> entries_;  ///< The one that was asked about last is the first.
        std::unordered_map<ListKey, std::list<Entry>::iterator> by_key_;
        std::size_t bytes_ = 0;
    };

    /// All are in one lane: what was asked about least lately is that of all of them.
    static constexpr std::size_t only = 0;

    runtime::AccountedLanes<Kept> kept_;
};

}  // namespace footfall::reading
