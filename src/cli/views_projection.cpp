#include "cli/views_projection.h"

#include <memory>
#include <utility>
#include <vector>

namespace footfall::cli {
namespace {

class ViewsHold final : public intake::Projection::Hold {
public:
    ViewsHold(views::Views& views, views::Hold hold) : views_{&views}, hold_{std::move(hold)} {}

    void apply(const intake::JudgedRecord& record) override {
        const guard::JudgedEvent& judged = *record.judged;
        const std::string_view refusal =
            judged.verdict.refusal ? std::string_view{judged.verdict.refusal->reason} : "";
        views::Fact fact{
            .action = judged.event.action,
            .object = judged.event.object,
            .time = judged.event.time,
            .person = record.person,
            .refusal = refusal
        };
        views_->apply(hold_, record.offset, fact);
        fact.object = views::all_objects;
        views_->apply(hold_, record.offset, fact);
    }

private:
    views::Views* views_;
    views::Hold hold_;
};

}  // namespace

Result<std::unique_ptr<intake::Projection::Hold>> ViewsProjection::hold(
    std::uint32_t lane, std::span<const events::Event* const> events
) {
    std::vector<views::Touch> touches;
    touches.reserve(2 * events.size());
    for (const events::Event* each : events) {
        for (const std::string_view object : {std::string_view{each->object}, views::all_objects}) {
            touches.push_back({.action = each->action, .object = object, .time = each->time});
        }
    }
    TRY(views::Hold held, views_->hold(lane, touches));
    return std::make_unique<ViewsHold>(*views_, std::move(held));
}

}  // namespace footfall::cli
