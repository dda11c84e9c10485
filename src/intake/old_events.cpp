#include "intake/old_events.h"

#include "events/event_keys.h"

#include <cstddef>
#include <utility>
#include <variant>

namespace footfall::intake {
namespace {

/// Records that are read at once: they, and what was counted of them, are in memory together.
constexpr journal::ReadLimit page{.records = 1000, .bytes = 4 << 20};

}  // namespace

Result<OldEvents::Step> OldEvents::next() {
    if (!at_) {
        cut_ = context_->log->begin(lane_);
        ended_ = cut_ >= bound_;
    }
    Step step{.begin = cut_, .next = cut_};
    if (last_) {
        step.offsets.push_back(last_->offset);
        step.events.push_back(std::move(last_->event));
        last_.reset();
    }
    while (!ended_ && step.next == step.begin) {
        TRY_VOID(read_page(step));
    }
    if (!step.offsets.empty() && step.offsets.back() >= step.next) {
        last_ = Place{.offset = step.offsets.back(), .event = std::move(step.events.back())};
        step.offsets.pop_back();
        step.events.pop_back();
    }
    cut_ = step.next;
    return step;
}

Result<void> OldEvents::read_page(Step& step) {
    TRY(const journal::Records records, context_->log->read(lane_, at_.value_or(step.begin), page));
    // A gap is another process's: it lets go of the lane meanwhile.
    if (records.empty() || (at_ && records.first() != *at_)) {
        ended_ = true;
        return {};
    }
    if (!at_) {
        step.begin = records.first();
        step.next = records.first();
    }
    at_ = records.next();
    for (std::size_t at = 0; at < records.size() && !ended_; ++at) {
        TRY(events::LogRecord record, events::read_record(records[at]));
        ended_ = !take(records.first() + at, std::move(record), step);
    }
    return {};
}

/// False: from here on all stays.
bool OldEvents::take(std::uint64_t offset, events::LogRecord record, Step& step) {
    if (offset > bound_) {
        return false;
    }
    if (sources_.repeats(record)) {
        return true;
    }
    auto* const judged = std::get_if<events::JudgedEvent>(&record);
    const bool has_events = !step.events.empty();
    if (judged == nullptr) {
        if (has_events && events::source_of(std::get<events::Control>(record))) {
            step.next = offset;
        } else if (has_events && sources_.next() == 0 && offset < bound_) {
            step.next = offset + 1;
        }
        return true;
    }
    if (has_events) {
        step.next = offset;
    }
    if (judged->arrival >= limit_.before && offset >= limit_.all_to) {
        young_ = Young{.offset = offset, .arrival = judged->arrival};
        return false;
    }
    if (offset == bound_) {
        return false;
    }
    if (!judged->source) {
        step.next = offset + 1;
    }
    const events::EventKeys keys = events::keys_of(*judged, context_->secret);
    step.events.push_back({.judged = std::move(*judged), .keys = keys});
    step.offsets.push_back(offset);
    return true;
}

}  // namespace footfall::intake
