#pragma once

#include "journal/log.h"
#include "journal_kafka/topic_writer.h"

#include <future>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::journal_kafka {

/// Waits until the position of a log or a writer is decided.
template <class Writer>
Result<void> wait_durable(Writer& writer, storage::CommitPosition position) {
    std::promise<Result<void>> told;
    writer.when_durable(position, [&](Result<void> outcome) {
        told.set_value(std::move(outcome));
    });
    return told.get_future().get();
}

/// Appends one record and waits.
inline Result<void> append_durably(journal::Log& log, std::uint32_t lane, std::string_view record) {
    const std::vector<std::string_view> one{record};
    TRY(const storage::CommitPosition position, log.append(lane, one));
    return wait_durable(log, position);
}

/// All records of a lane.
inline Result<std::vector<std::string>> read_lane(journal::Log& log, std::uint32_t lane) {
    std::vector<std::string> all;
    for (;;) {
        TRY(const journal::Records some, log.read(lane, all.size(), {}));
        if (some.empty()) {
            return all;
        }
        for (std::size_t at = 0; at < some.size(); ++at) {
            all.emplace_back(some[at]);
        }
    }
}

}  // namespace footfall::journal_kafka
