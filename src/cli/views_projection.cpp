#include "cli/views_projection.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

/// Of each event its place among what is touched: that of its object, and that of all objects.
struct Places {
    std::size_t object;
    std::size_t all;
};

class ViewsHold final : public intake::Projection::Hold {
public:
    ViewsHold(views::Views& views, views::Hold hold, std::vector<Places> places)
        : views_{&views}, hold_{std::move(hold)}, places_{std::move(places)} {}

    void apply(std::span<const intake::JudgedRecord> records) override {
        std::vector<views::Fact> facts;
        facts.reserve(2 * records.size());
        for (const intake::JudgedRecord& record : records) {
            const guard::JudgedEvent& judged = *record.judged;
            const Places& places = places_[record.event];
            views::Fact fact{
                .touch = places.object,
                .offset = record.offset,
                .time = judged.event.time,
                .person = record.person
            };
            if (judged.verdict.refusal) {
                fact.refusal = judged.verdict.refusal->reason;
            }
            facts.push_back(fact);
            fact.touch = places.all;
            facts.push_back(fact);
        }
        views_->apply(hold_, facts);
    }

private:
    views::Views* views_;
    views::Hold hold_;
    std::vector<Places> places_;
};

}  // namespace

Result<std::unique_ptr<intake::Projection::Hold>> ViewsProjection::hold(
    std::uint32_t lane, std::span<const events::Event* const> events
) {
    std::vector<views::Touch> touches;
    touches.reserve(2 * events.size());
    std::vector<Places> places;
    places.reserve(events.size());
    for (const events::Event* each : events) {
        views::Touch touch{
            .action = each->action, .object = views::all_objects, .time = each->time
        };
        // Events that come together are mostly of one action and day.
        const bool as_before =
            !places.empty() && touches[places.back().all].action == touch.action &&
            views::day_of(touches[places.back().all].time) == views::day_of(touch.time);
        std::size_t all = touches.size();
        if (as_before) {
            all = places.back().all;
        } else {
            touches.push_back(touch);
        }
        touch.object = each->object;
        places.push_back({.object = touches.size(), .all = all});
        touches.push_back(touch);
    }
    TRY(views::Hold held, views_->hold(lane, touches));
    return std::make_unique<ViewsHold>(*views_, std::move(held), std::move(places));
}

}  // namespace footfall::cli
