#include "intake/known_since.h"

#include "events/verdict.h"
#include "foundation/clock_watch.h"

#include <variant>

namespace footfall::intake {

Result<std::optional<Instant>> KnownSince::of(std::uint32_t lane, Instant arrival) {
    const bool has_all = context_->log->begin(lane) == 0;
    if (in_store_) {
        if (has_all) {
            return std::nullopt;
        }
        TRY(const auto first, first_arrival(lane));
        return first.value_or(Instant::max());
    }
    if (!context_->keep_rows) {
        return std::nullopt;
    }
    // Rows of ids expire.
    const Instant since = arrival - *context_->keep_rows;
    const journal::LogReader* const earlier = context_->earlier_log;
    if (has_all && (earlier == nullptr || earlier->begin(lane) == 0)) {
        TRY(const auto first, first_arrival(lane));
        if (!first || *first > since) {
            return std::nullopt;  // none is so old
        }
    }
    return since;
}

/// Of the first event that the lane has, a little later: its clock may have been behind. Absent: it
/// has none.
Result<std::optional<Instant>> KnownSince::first_arrival(std::uint32_t lane) {
    const std::uint64_t begin = context_->log->begin(lane);
    {
        const std::lock_guard lock{mutex_};
        if (const auto& known = firsts_[lane]; known && known->begin == begin) {
            return known->arrival;
        }
    }
    TRY(const auto arrival, read_first_arrival(lane, begin));
    context_->log->rest(lane);
    if (arrival) {
        const std::lock_guard lock{mutex_};
        firsts_[lane] = First{.begin = begin, .arrival = *arrival};
    }
    return arrival;
}

Result<std::optional<Instant>> KnownSince::read_first_arrival(
    std::uint32_t lane, std::uint64_t from
) const {
    for (;;) {
        TRY(const journal::Records records,
            context_->log->read(lane, from, {.records = 16, .bytes = 1 << 20}));
        if (records.empty()) {
            return std::nullopt;
        }
        for (std::size_t at = 0; at < records.size(); ++at) {
            TRY(const events::LogRecord record, events::read_record(records[at]));
            if (const auto* const judged = std::get_if<events::JudgedEvent>(&record)) {
                return judged->arrival + clock_slack;
            }
        }
        from = records.next();
    }
}

}  // namespace footfall::intake
