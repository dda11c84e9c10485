#include "storage_cassandra/write_queue.h"

#include <utility>

namespace footfall::storage_cassandra {

void WriteQueue::push(Part part) {
    newest_ = part.position;
    Waiting& waiting = waiting_[part.owner];
    waiting.bytes += part.write->cells.bytes();
    waiting.parts.push_back(std::move(part));
}

WriteQueue::Group WriteQueue::take(bool only_due) {
    auto oldest = waiting_.end();
    for (auto of_owner = waiting_.begin(); of_owner != waiting_.end(); ++of_owner) {
        const Waiting& waiting = of_owner->second;
        if ((!only_due || waiting.due(newest_)) &&
            (oldest == waiting_.end() ||
             waiting.parts.front().position < oldest->second.parts.front().position)) {
            oldest = of_owner;
        }
    }
    Group group;
    if (oldest == waiting_.end()) {
        return group;
    }
    Waiting& waiting = oldest->second;
    std::size_t bytes = 0;
    while (!waiting.parts.empty() && group.size() < group_parts) {
        const std::size_t next = waiting.parts.front().write->cells.bytes();
        if (!group.empty() && bytes + next > group_bytes) {
            break;
        }
        bytes += next;
        group.push_back(std::move(waiting.parts.front()));
        waiting.parts.pop_front();
    }
    waiting.bytes -= bytes;
    if (waiting.parts.empty()) {
        waiting_.erase(oldest);
    }
    return group;
}

}  // namespace footfall::storage_cassandra
