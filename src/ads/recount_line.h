#pragma once

#include "ads/month.h"
#include "events/money.h"
#include "foundation/clock.h"
#include "foundation/time_zone.h"
#include "projecting/projection.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::ads {

/// With what the ledger was begun, as its row says.
struct LedgerBasis {
    TimeZone zone;
    std::string currency = "XXX";
};

/// A click or a sale as whoever counts again takes it from its event: by other code than Line's, so
/// that the two can be held to each other. Borrows the texts of the event.
struct RecountLine {
    std::uint64_t offset = 0;  ///< In its lane.
    Instant time{};
    Instant arrival{};
    Day day = 0;      ///< Ledger day of its time,
    Day arrived = 0;  ///< and of its arrival.
    Month booked = 0;
    unsigned quarter = 0;  ///< Quarter-hours since its day began.
    bool is_sale = false;
    events::Micros amount = 0;
    std::string_view id;
    std::string_view currency;
    std::string_view reseller;
    std::string_view publisher;
    std::string_view ad;
    std::string_view object;
    std::string_view refusal;  ///< Empty: it counts.
};

/// Absent: the event is none of the ledger. `sealed`: the last month that a seal before it in its
/// lane names. Pure; what it answers must not outlive `record` and `basis`.
std::optional<RecountLine> recount_line(
    const projecting::JudgedRecord& record, const LedgerBasis& basis, std::optional<Month> sealed
);

}  // namespace footfall::ads
