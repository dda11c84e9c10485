#include "cli/views_projection.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

/// What events touch, each object and day once in a row, and where each event finds it.
struct Touched {
    /// Of an event, among the touches: that of its object, and that of all objects.
    struct Places {
        std::size_t object;
        std::size_t all;
    };

    std::vector<views::Touch> touches;
    std::vector<Places> places;
};

Touched touched_by(std::span<const events::Event* const> events) {
    Touched touched;
    std::vector<views::Touch>& touches = touched.touches;
    touches.reserve(2 * events.size());
    touched.places.reserve(events.size());
    for (const events::Event* each : events) {
        views::Touch touch{
            .action = each->action, .object = views::all_objects, .time = each->time
        };
        // Events that come together are mostly of one action and day.
        std::size_t all = touches.size();
        if (!touched.places.empty()) {
            const std::size_t before = touched.places.back().all;
            const bool as_before = touches[before].action == touch.action &&
                                   views::day_of(touches[before].time) == views::day_of(touch.time);
            all = as_before ? before : all;
        }
        if (all == touches.size()) {
            touches.push_back(touch);
        }
        touch.object = each->object;
        touched.places.push_back({.object = touches.size(), .all = all});
        touches.push_back(touch);
    }
    return touched;
}

/// Each record counts twice: for its object, and for all.
std::vector<views::Fact> facts_of(
    std::span<const intake::JudgedRecord> records, std::span<const Touched::Places> places
) {
    std::vector<views::Fact> facts;
    facts.reserve(2 * records.size());
    for (const intake::JudgedRecord& record : records) {
        const guard::JudgedEvent& judged = *record.judged;
        views::Fact fact{
            .touch = places[record.event].object,
            .offset = record.offset,
            .time = judged.event.time,
            .person = record.person
        };
        if (judged.verdict.refusal) {
            fact.refusal = judged.verdict.refusal->reason;
        }
        facts.push_back(fact);
        fact.touch = places[record.event].all;
        facts.push_back(fact);
    }
    return facts;
}

class ViewsHold final : public intake::Projection::Hold {
public:
    ViewsHold(views::Views& views, views::Hold hold, std::vector<Touched::Places> places)
        : views_{&views}, hold_{std::move(hold)}, places_{std::move(places)} {}

    void apply(std::span<const intake::JudgedRecord> records) override {
        views_->apply(hold_, facts_of(records, places_));
    }

private:
    views::Views* views_;
    views::Hold hold_;
    std::vector<Touched::Places> places_;
};

}  // namespace

Result<std::unique_ptr<intake::Projection::Hold>> ViewsProjection::hold(
    std::uint32_t lane, std::span<const events::Event* const> events
) {
    Touched touched = touched_by(events);
    TRY(views::Hold held, views_->hold(lane, touched.touches));
    return std::make_unique<ViewsHold>(*views_, std::move(held), std::move(touched.places));
}

Result<void> ViewsProjection::expire(
    std::uint32_t lane,
    std::span<const events::Event* const> events,
    std::span<const intake::JudgedRecord> records
) {
    const Touched touched = touched_by(events);
    return views_->expire(lane, touched.touches, facts_of(records, touched.places));
}

}  // namespace footfall::cli
