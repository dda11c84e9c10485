#include "ads/recount_line.h"

#include <chrono>

namespace footfall::ads {
namespace {

bool is_priced(const events::Event& event) {
    const bool has_action = event.action == "click" || event.action == "sale";
    const bool names_nothing =
        !event.amount && event.reseller.empty() && event.publisher.empty() && event.ad.empty();
    return has_action && !names_nothing;
}

}  // namespace

std::optional<RecountLine> recount_line(
    const projecting::JudgedRecord& record, const LedgerBasis& basis, std::optional<Month> sealed
) {
    const events::JudgedEvent& judged = *record.judged;
    const events::Event& event = judged.event;
    if (!is_priced(event)) {
        return std::nullopt;
    }
    const std::int64_t day = basis.zone.day_of(event.time);
    const auto into_the_day = event.time - basis.zone.start_of(day);
    RecountLine line{
        .offset = record.offset,
        .time = event.time,
        .arrival = judged.arrival,
        .day = static_cast<Day>(day),
        .arrived = static_cast<Day>(basis.zone.day_of(judged.arrival)),
        .booked = month_of(static_cast<Day>(day)),
        .quarter = static_cast<unsigned>(into_the_day / std::chrono::minutes{15}),
        .is_sale = event.action == "sale",
        .amount = event.amount ? *event.amount : 0,
        .id = event.id,
        .currency = event.currency.empty() ? basis.currency : event.currency,
        .reseller = event.reseller,
        .publisher = event.publisher,
        .ad = event.ad.empty() ? event.object : event.ad,
        .object = event.object,
        .refusal = {}
    };
    if (sealed && line.booked <= *sealed) {
        line.booked = *sealed + 1;
    }
    if (const auto& refusal = judged.verdict.refusal) {
        line.refusal = refusal->reason;
    }
    return line;
}

}  // namespace footfall::ads
