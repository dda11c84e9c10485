#pragma once

#include "storage/store.h"
#include "storage_cassandra/write_plan.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace footfall::storage_cassandra {

/// The parts of batches that wait to be sent, in groups: parts of one owner, which is the first
/// replica of what they write, go as one request (docs/decisions/0041-writes-in-groups.md). A part
/// that is larger than a group goes alone.
///
/// Not thread-safe. A part is pushed and taken in O(owners), of which there are as many as nodes.
class WriteQueue {
public:
    /// Cassandra complains of batches without a log beyond 10 partitions, and of any beyond 5 KiB,
    /// by a count of its own that was up to 1.35 times ours.
    static constexpr std::size_t group_parts = 10;
    static constexpr std::size_t group_bytes = 3584;
    /// So many positions later a part waits for no more company: nothing behind it is durable
    /// before.
    static constexpr storage::CommitPosition patience = 256;

    struct Part {
        storage::CommitPosition position;
        std::size_t loss;  ///< How many losses there had been when it was queued.
        std::uint64_t owner;
        std::shared_ptr<const PartitionWrite> write;
    };

    using Group = std::vector<Part>;

    void push(Part part);

    /// Takes a group of the owner who has waited longest; empty if nobody waits, or, when only
    /// those are asked for that are full or have waited long enough, if there is none: then more
    /// may come that can go with the others.
    Group take(bool only_due);

    bool empty() const { return waiting_.empty(); }

    void clear() { waiting_.clear(); }

private:
    struct Waiting {
        std::deque<Part> parts;  ///< Never empty.
        std::size_t bytes = 0;

        bool due(storage::CommitPosition newest) const {
            return parts.size() >= group_parts || bytes >= group_bytes ||
                   newest - parts.front().position >= patience;
        }
    };

    storage::CommitPosition newest_ = 0;        ///< Of the parts that were pushed.
    std::map<std::uint64_t, Waiting> waiting_;  ///< By owner.
};

}  // namespace footfall::storage_cassandra
