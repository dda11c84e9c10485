#include "intake/young_events.h"

#include <algorithm>

namespace footfall::intake {

void YoungEvents::add(const YoungEvent& event) {
    const std::uint64_t number = first_ + events_.size();
    Entry& entry = events_.emplace_back(Entry{.event = event});
    if (event.identity != 0) {
        by_identity_.insert_or_assign(event.identity, number);
    }
    if (event.counted) {
        const auto [latest, is_first] = by_repeat_.try_emplace(event.repeat, number);
        if (!is_first) {
            entry.before = latest->second;
            latest->second = number;
        }
    }
}

void YoungEvents::take_back(std::size_t count) {
    for (; count > 0; --count) {
        const Entry& last = events_.back();
        if (last.event.identity != 0) {
            by_identity_.erase(last.event.identity);
        }
        if (last.event.counted) {
            if (last.before != none && last.before >= first_) {
                by_repeat_[last.event.repeat] = last.before;
            } else {
                by_repeat_.erase(last.event.repeat);
            }
        }
        events_.pop_back();
    }
}

void YoungEvents::appended(std::size_t count, storage::CommitPosition position) {
    std::for_each_n(events_.rbegin(), static_cast<std::ptrdiff_t>(count), [position](Entry& entry) {
        entry.event.record = position;
    });
}

void YoungEvents::submitted(std::size_t count, storage::CommitPosition position) {
    submitted_ = std::max(submitted_, first_);
    for (; count > 0; --count) {
        at(submitted_++).event.rows = position;
    }
}

const YoungEvent* YoungEvents::find(std::uint64_t identity) const {
    const auto found = by_identity_.find(identity);
    return found == by_identity_.end() ? nullptr : &at(found->second).event;
}

void YoungEvents::append_times(std::uint64_t repeat, std::vector<Instant>& times) const {
    const auto latest = by_repeat_.find(repeat);
    if (latest == by_repeat_.end()) {
        return;
    }
    for (std::uint64_t number = latest->second; number != none && number >= first_;) {
        const Entry& entry = at(number);
        times.push_back(entry.event.time);
        number = entry.before;
    }
}

std::uint64_t YoungEvents::readable_before(const storage::Store& store) {
    readable_ = std::max(readable_, first_);
    const auto is_readable = [&](std::uint64_t number) {
        const storage::CommitPosition position = at(number).event.rows;
        return position != YoungEvent::nowhere && store.durable(position);
    };
    while (readable_ < first_ + events_.size() && is_readable(readable_)) {
        ++readable_;
    }
    return readable_;
}

const YoungEvent* YoungEvents::first_unstored(const storage::Store& store) {
    const std::uint64_t number = readable_before(store);
    return number < first_ + events_.size() ? &at(number).event : nullptr;
}

void YoungEvents::drop_before(std::uint64_t number) {
    for (; first_ < number && !events_.empty(); ++first_) {
        const YoungEvent& event = events_.front().event;
        if (const auto found = by_identity_.find(event.identity);
            found != by_identity_.end() && found->second == first_) {
            by_identity_.erase(found);
        }
        if (const auto found = by_repeat_.find(event.repeat);
            event.counted && found != by_repeat_.end() && found->second == first_) {
            by_repeat_.erase(found);
        }
        events_.pop_front();
    }
}

void YoungEvents::clear() {
    first_ += events_.size();
    submitted_ = first_;
    events_.clear();
    by_identity_.clear();
    by_repeat_.clear();
}

}  // namespace footfall::intake
