#pragma once

#include "ads/month.h"
#include "events/control.h"
#include "storage/table.h"

#include <cstdint>
#include <span>

namespace footfall::ads {

/// What of the judged past is read; another one while events are judged anew.
inline constexpr std::int64_t first_epoch = 0;

/// Tables of which there is one for resellers and one for publishers, with the same columns.
/// docs/formats/ads.md says what their bytes mean.
struct PartyTables {
    /// Who there is, and in which currencies: by the lane of the name, in the order of names. Of a
    /// party that has rates alone the currency is empty.
    storage::Table party;
    /// Every change of a rate that was ever recorded. `withdrawn`: the day counts as never given.
    /// `booked`: the first day of the month that it is booked in; absent_day: the beginning.
    /// `log`, `lane`, `offset`: the record it follows from.
    storage::Table rate;
    /// What was booked in a month of a party's ledger day and had arrived on another.
    storage::Table day;
    /// The same by booked month alone, its days packed.
    storage::Table month;
    /// The same by ad and other party.
    storage::Table ad;
    /// A month that was sealed, as it will always be shown.
    storage::Table sealed;
};

extern const PartyTables reseller_tables;
extern const PartyTables publisher_tables;

inline const PartyTables& tables_of(events::PartyKind kind) {
    return kind == events::PartyKind::reseller ? reseller_tables : publisher_tables;
}

/// Every counted click and sale, for as long as they are kept: the record that sums are held to.
/// `writer` and `offset`, the record it follows from, are in its key: several of one time may have
/// no id, or one id on several objects.
extern const storage::Table ad_click_table;

/// Clicks and sales of an ad by day.
extern const storage::Table clicks_per_ad_table;

/// The zone and the currency that the ledger was begun with.
extern const storage::Table ledger_table;

/// Which lane has passed which seal.
extern const storage::Table ledger_seal_table;

/// What became of a change that somebody asked for. Rows go after an hour.
extern const storage::Table ledger_answer_table;

/// When the ledger was last held to its log, and what differed. Row 0 has the sums, the others a
/// sentence each.
extern const storage::Table ledger_check_table;

/// Up to which month rows of ad_click were let go.
extern const storage::Table ad_click_dropped_table;

/// The one partition of the ledger_table, the ledger_seal_table, the ledger_check_table and the
/// ad_click_dropped_table.
inline constexpr std::string_view the_ledger = "ledger";

/// Stands for from_the_beginning in columns of days: 0001-01-01.
inline constexpr Day beginning_day = -719'162;

inline Day day_of_booked(Month booked) {
    return booked == from_the_beginning ? beginning_day : first_day(booked);
}

inline Month booked_of_day(Day day) {
    return day == beginning_day ? from_the_beginning : month_of(day);
}

std::span<const storage::Table* const> all_tables();

}  // namespace footfall::ads
