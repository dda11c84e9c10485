#include "ads/income_rows.h"

#include "ads/money_text.h"
#include "ads/share.h"
#include "events/rfc3339.h"
#include "foundation/calendar_day.h"
#include "foundation/json_string.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::ads {
namespace {

/// Who recorded the change that an adjustment follows from.
const RecordedRate* change_of(const RateHistory& rates, const Adjustment& adjustment) {
    const auto& changes = rates.changes();
    const auto found = std::ranges::find_if(changes, [&](const RecordedRate& each) {
        return adjustment.cause == Cause::rate &&
               static_cast<std::uint64_t>(each.recorded.time_since_epoch().count()) ==
                   adjustment.recorded;
    });
    return found == changes.end() ? nullptr : &*found;
}

}  // namespace

std::string counts_json(const Amounts& amounts) {
    return fmt::format(
        R"("clicks":{},"sales":{},"refunds":{})", amounts.clicks, amounts.sales, amounts.refunds
    );
}

void begin_row(std::string& json) {
    if (!json.ends_with('[')) {
        json += ',';
    }
}

void append_day_row(const ShownDay& day, std::string& json) {
    begin_row(json);
    json += fmt::format(
        R"({{"day":"{}",{},"amount":"{}","reward_percent":{},"income":"{}","sealed":{}}})",
        format_day(day.day),
        counts_json(day.amounts),
        money_text(day.amounts.amount),
        day.share ? fmt::format(R"("{}")", format_share(*day.share)) : "null",
        money_text(day.income),
        day.sealed
    );
}

void append_adjustment_row(
    const RateHistory& rates, const ShownAdjustment& adjustment, std::string& json
) {
    const Adjustment& what = adjustment.what;
    const RecordedRate* const change = change_of(rates, what);
    begin_row(json);
    json += fmt::format(
        R"({{"day":"{}","posted":{},"cause":"{}",{},"amount":"{}","was":"{}","is":"{}",)"
        R"("difference":"{}","recorded_at":{},"author":{},"reason":{},"sealed":{}}})",
        format_day(what.day),
        what.posted ? fmt::format(R"("{}")", format_day(*what.posted)) : "null",
        what.cause == Cause::late ? "late" : "rate",
        counts_json(what.amounts),
        money_text(what.amounts.amount),
        exact_text(what.was),
        exact_text(what.is),
        money_text(adjustment.difference),
        change == nullptr ? "null"
                          : fmt::format(R"("{}")", events::format_rfc3339(change->recorded)),
        change == nullptr ? "null" : json_string(change->author),
        change == nullptr ? "null" : json_string(change->reason),
        adjustment.sealed
    );
}

}  // namespace footfall::ads
