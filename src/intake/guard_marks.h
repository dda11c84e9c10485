#pragma once

#include "foundation/clock.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace footfall::intake {

/// Counted events before `offset` are of no later time than `time`.
struct GuardMark {
    std::uint64_t offset = 0;
    Instant time = Instant::min();

    friend bool operator==(const GuardMark&, const GuardMark&) = default;
};

/// From which records the rules' memory of a lane is made again after a start: so far back that
/// events in order need no look-up, but not further than reading them takes a moment. Belongs to a
/// lane.
class GuardMarks {
public:
    /// The furthest that is read again.
    static constexpr std::uint64_t records_max = 16'000;

    /// Begins at a mark.
    void begin(GuardMark mark) {
        marks_.assign(1, mark);
        latest_ = mark.time;
    }

    /// A record was appended; `counted`, with its time, or not.
    void note(std::uint64_t offset, bool counted, Instant time) {
        if (offset >= marks_.back().offset + records_apart) {
            marks_.push_back({.offset = offset, .time = latest_});
        }
        if (counted && time > latest_) {
            latest_ = time;
        }
    }

    /// Where to begin so that what is remembered reaches back by `reach` from the latest event; not
    /// behind `durable`: records from there on may yet be lost.
    GuardMark start(std::chrono::microseconds reach, std::uint64_t end, std::uint64_t durable) {
        const auto is_behind = [&](const GuardMark& mark) {
            const bool is_far = mark.offset + records_max < end;
            const bool is_old =
                mark.time == Instant::min() ? latest_ == mark.time : mark.time + reach <= latest_;
            return mark.offset <= durable && (is_far || is_old);
        };
        while (marks_.size() > 1 && is_behind(marks_[1])) {
            marks_.pop_front();
        }
        return marks_.front();
    }

    /// Appends all of it for take().
    void append_to(std::string& bytes) const;

    /// Is as those were that append_to() appended, and takes it off the front of `bytes`. False:
    /// these are other bytes; begin() is to be called.
    bool take(std::string_view& bytes);

private:
    static constexpr std::uint64_t records_apart = 256;

    std::deque<GuardMark> marks_{GuardMark{}};
    Instant latest_ = Instant::min();
};

}  // namespace footfall::intake
