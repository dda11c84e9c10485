#include "journal_kafka/deliveries.h"

#include "foundation/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::journal_kafka {

using storage::CommitPosition;
using storage::DurableDone;

void Deliveries::expect(std::uint32_t lane, std::uint64_t offset) {
    CHECK(idle(), "the end of a lane is set while records are on the way", lane);
    lanes_[lane].next = offset;
}

Result<CommitPosition> Deliveries::send(
    std::uint32_t lane, std::size_t records, std::size_t bytes, Moment now
) {
    CHECK(lane < lanes_.size() && records > 0, "a lane, and a record", lane, records);
    if (records > limits_.records || bytes > limits_.bytes) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "kafka: {} records of {} bytes at once; the limits are {} and {}",
                records,
                bytes,
                limits_.records,
                limits_.bytes
            )
        );
    }
    if (records_ + records > limits_.records || bytes_ + bytes > limits_.bytes) {
        return fail(ErrorKind::overloaded, "kafka: too many records are on the way");
    }
    open_.push_back({.records = records, .sent = now});
    records_ += records;
    bytes_ += bytes;
    const CommitPosition position = decided_ + open_.size();
    lanes_[lane].open.push_back(position);
    return position;
}

Result<void> Deliveries::deliver(std::uint32_t lane, std::uint64_t offset, std::size_t bytes) {
    Lane& state = lanes_[lane];
    CHECK(!state.open.empty(), "a record was delivered that nobody sent", lane, offset);
    if (state.next && *state.next != offset) {
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "kafka: a record of lane {} was to stand at {} and stands at {}: "
                "somebody else writes to the lane",
                lane,
                *state.next,
                offset
            )
        );
    }
    if (state.next) {
        ++*state.next;
    }
    --records_;
    bytes_ -= bytes;
    Open& open = open_[state.open.front() - decided_ - 1];
    if (--open.records == 0) {
        state.open.pop_front();
        while (!open_.empty() && open_.front().records == 0) {
            open_.pop_front();
            ++decided_;
        }
    }
    return {};
}

void Deliveries::lose() {
    if (open_.empty()) {
        return;
    }
    const CommitPosition last = decided_ + open_.size();
    if (!lost_.empty() && lost_.back().second == decided_) {
        lost_.back().second = last;
    } else {
        lost_.emplace_back(decided_ + 1, last);
    }
    decided_ = last;
    open_.clear();
    records_ = 0;
    bytes_ = 0;
    for (Lane& lane : lanes_) {
        lane.open.clear();
    }
}

bool Deliveries::durable(CommitPosition position) const {
    return position <= decided_ && !lost(position);
}

bool Deliveries::lost(CommitPosition position) const {
    return std::ranges::any_of(lost_, [&](const auto& range) {
        return range.first <= position && position <= range.second;
    });
}

void Deliveries::wait(CommitPosition position, DurableDone done) {
    CHECK(position <= decided_ + open_.size(), "a position that nobody was answered", position);
    CHECK(position > decided_, "a position that is decided", position);
    waiters_.emplace(position, std::move(done));
}

std::vector<std::pair<CommitPosition, DurableDone>> Deliveries::take_decided() {
    std::vector<std::pair<CommitPosition, DurableDone>> taken;
    const auto end = waiters_.upper_bound(decided_);
    for (auto waiter = waiters_.begin(); waiter != end; ++waiter) {
        taken.emplace_back(waiter->first, std::move(waiter->second));
    }
    waiters_.erase(waiters_.begin(), end);
    return taken;
}

std::optional<Deliveries::Moment> Deliveries::oldest() const {
    // A position whose records are all delivered may stand behind one that is not, never first.
    return open_.empty() ? std::nullopt : std::optional{open_.front().sent};
}

}  // namespace footfall::journal_kafka
