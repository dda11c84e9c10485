#include "intake/known_ids.h"

#include "events/event_keys.h"
#include "foundation/log.h"
#include "intake/questions.h"
#include "intake/schema.h"
#include "storage/blocking.h"

#include <chrono>
#include <utility>

namespace footfall::intake {
namespace {

/// How often the thread looks whether the filter is full, and tries again after a failure.
constexpr std::chrono::seconds period{10};
constexpr std::size_t page_rows = 10'000;

}  // namespace

KnownIds::KnownIds(const Context& context, JudgeLanes& lanes, std::size_t bytes)
    : context_{&context}, lanes_{&lanes}, bytes_{bytes} {}

void KnownIds::start() {
    turns_.emplace("known ids", runtime::Urgency::background, [this](const std::stop_token& stop) {
        if (is_due()) {
            if (const Result<void> built = build(stop); !built) {
                troubles_.say(
                    LogLevel::warning, "known ids: " + built.error().message + "; trying again"
                );
            }
        }
        return period;
    });
}

void KnownIds::stop() {
    turns_.reset();
}

bool KnownIds::is_due() const {
    const std::shared_ptr<const IdFilter> all = this->all();
    if (all == nullptr) {
        return true;
    }
    if (all->added() <= all->capacity()) {
        return false;
    }
    std::uint64_t kept = 0;
    for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
        kept += lanes_->with(lane, [&](auto&) {
            return context_->log->end(lane) - context_->log->begin(lane);
        });
    }
    return kept < all->added() / 2;
}

Result<void> KnownIds::build(const std::stop_token& stop) {
    const auto filter = std::make_shared<IdFilter>(bytes_);
    const auto with_all_lanes = [&](auto function) {
        for (std::uint32_t lane = 0; lane < JudgeLanes::count; ++lane) {
            lanes_->with(lane, [&](auto& judge) { function(*judge); });
        }
    };
    with_all_lanes([&](LaneJudge& judge) { judge.begin_adding_to(filter); });
    Result<void> stored = add_stored(*filter, stop);
    if (!stored || stop.stop_requested()) {
        with_all_lanes([&](LaneJudge& judge) { judge.end_adding_to(*filter); });
        return stored;
    }
    std::shared_ptr<IdFilter> before = filter;
    {
        const std::lock_guard lock{mutex_};
        all_.swap(before);
    }
    // Who was answered by the old one asked before this.
    if (before != nullptr) {
        with_all_lanes([&](LaneJudge& judge) { judge.end_adding_to(*before); });
    }
    return {};
}

Result<void> KnownIds::add_stored(IdFilter& filter, const std::stop_token& stop) const {
    const StandingRows standing{*context_};
    storage::ScanQuery query{.table = &event_by_id_table, .max_rows = page_rows};
    do {
        TRY(const storage::Page page, scan_page(*context_->store, query));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            if (!standing.is_in_log(page.rows, row)) {
                continue;
            }
            const auto id = static_cast<std::uint64_t>(page.rows.at(row, 0).number());
            filter.add(events::identity_of(id, page.rows.at(row, 1).text(), context_->secret));
        }
        query.continuation = page.continuation;
    } while (!query.continuation.empty() && !stop.stop_requested());
    return {};
}

}  // namespace footfall::intake
