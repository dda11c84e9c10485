#pragma once

#include "events/verdict.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>

namespace footfall::events {

/// Which records of a lane are another of an event, or of a control, that stands before them
/// (JudgedEvent::source). Asked for each record in the order of the lane.
class SourceOrder {
public:
    /// Records from before this one are among those that were read before.
    void begin_at(std::uint64_t next) { next_ = std::max(next_, next); }

    bool repeats(const JudgedEvent& judged) { return repeats(judged.source); }

    bool repeats(const Control& control) { return repeats(source_of(control)); }

    bool repeats(const LogRecord& record) {
        return std::visit([this](const auto& each) { return repeats(each); }, record);
    }

    /// Records from before this one were among those that were read.
    std::uint64_t next() const { return next_; }

private:
    bool repeats(std::optional<std::uint64_t> source) {
        if (!source) {
            return false;
        }
        const bool repeated = *source < next_;
        begin_at(*source + 1);
        return repeated;
    }

    std::uint64_t next_ = 0;
};

}  // namespace footfall::events
