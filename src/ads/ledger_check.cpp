#include "ads/ledger_check.h"

#include "ads/row_sums.h"
#include "ads/schema.h"
#include "events/event.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>

namespace footfall::ads {
namespace {

constexpr std::chrono::hours night_begins{3};
constexpr std::chrono::hours night_ends{6};
constexpr std::chrono::hours longest_without{48};
constexpr std::chrono::hours longest_check{6};

std::optional<Instant> instant_of(std::int64_t stored) {
    return stored == 0 ? std::nullopt : std::optional{Instant{std::chrono::microseconds{stored}}};
}

std::int64_t stored_of(std::optional<Instant> instant) {
    return instant ? instant->time_since_epoch().count() : 0;
}

}  // namespace

Result<LedgerCheck> LedgerCheck::read(storage::Store& store) {
    TRY(const storage::Rows rows,
        storage::read_all(
            store, {.table = &ledger_check_table, .partition = {std::string{the_ledger}}}
        ));
    LedgerCheck check;
    check.first.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (count_of(rows, row, "number") > 0) {
            check.first.emplace_back(column_of(rows, row, "difference").text());
            continue;
        }
        check.checked_at = instant_of(column_of(rows, row, "checked_at").number());
        check.begun_at = instant_of(column_of(rows, row, "begun_at").number());
        check.differences = count_of(rows, row, "differences");
    }
    check.first.resize(std::min<std::size_t>(check.first.size(), check.differences));
    return check;
}

/// Rows of sentences of before that are too many stay, and are passed over.
Result<void> LedgerCheck::write(storage::Store& store) const {
    storage::Batch batch;
    batch.upsert(
        ledger_check_table,
        {the_ledger,
         std::int64_t{0},
         stored_of(checked_at),
         static_cast<std::int64_t>(differences),
         std::string_view{},
         stored_of(begun_at)}
    );
    for (std::size_t at = 0; at < first.size(); ++at) {
        batch.upsert(
            ledger_check_table,
            {the_ledger,
             static_cast<std::int64_t>(at + 1),
             std::int64_t{0},
             std::int64_t{0},
             std::string_view{first[at]},
             std::int64_t{0}}
        );
    }
    return storage::write_durably(store, batch);
}

void LedgerCheck::add(const std::string& difference) {
    ++differences;
    if (first.size() < most_first) {
        first.emplace_back(events::cut_text(difference, most_bytes));
    }
}

bool LedgerCheck::is_due(Instant now, Instant up, const TimeZone& zone) const {
    const bool is_under_way = begun_at && begun_at > checked_at && now - *begun_at < longest_check;
    if (is_under_way) {
        return false;
    }
    const Instant last = checked_at.value_or(up);
    const Instant midnight = zone.start_of(zone.day_of(now));
    const bool is_night = now >= midnight + night_begins && now < midnight + night_ends;
    const bool was_this_night = checked_at && *checked_at >= midnight + night_begins;
    return (is_night && !was_this_night) || now - last >= longest_without;
}

}  // namespace footfall::ads
