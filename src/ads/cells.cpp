#include "ads/cells.h"

#include "storage/decimal.h"

#include <algorithm>
#include <chrono>

namespace footfall::ads {
namespace {

std::int64_t signed_of(std::uint64_t number) {
    return static_cast<std::int64_t>(number);
}

std::uint64_t count_at(const storage::Rows& rows, std::size_t row, std::size_t column) {
    return static_cast<std::uint64_t>(rows.at(row, column).number());
}

/// Clicks, sales and refunds stand from `first` on, the amount in `amount`.
Result<Amounts> read_amounts(
    const storage::Rows& rows, std::size_t row, std::size_t first, std::size_t amount
) {
    TRY(const storage::Wide micros, storage::decimal_of(rows.at(row, amount).text()));
    return Amounts{
        .clicks = count_at(rows, row, first),
        .sales = count_at(rows, row, first + 1),
        .refunds = count_at(rows, row, first + 2),
        .amount = micros
    };
}

void append_counts(const Amounts& amounts, std::vector<storage::Value>& row) {
    row.emplace_back(signed_of(amounts.clicks));
    row.emplace_back(signed_of(amounts.sales));
    row.emplace_back(signed_of(amounts.refunds));
}

void append_amount(const Amounts& amounts, std::vector<storage::Value>& row) {
    row.emplace_back(storage::decimal_bytes(amounts.amount));
}

}  // namespace

void DayCell::add(const LineSum& lines) {
    first_arrival =
        through == 0 ? lines.first_arrival : std::min(first_arrival, lines.first_arrival);
    through = std::max(through, lines.through);
    if (lines.like->refusal().empty()) {
        amounts += lines.amounts;
        quarters[lines.like->quarter] += lines.amounts;
    } else {
        refused[std::string{lines.like->refusal()}][lines.like->quarter] += lines.count;
    }
}

void MonthCell::add(const LineSum& lines) {
    through = std::max(through, lines.through);
    days[lines.like->day] += lines.amounts;
}

Amounts MonthCell::amounts() const {
    Amounts sum;
    for (const auto& [day, of_day] : days) {
        sum += of_day;
    }
    return sum;
}

void AdCell::add(const LineSum& lines) {
    through = std::max(through, lines.through);
    amounts += lines.amounts;
    quarters[lines.like->quarter] += lines.amounts;
}

std::optional<DayRows::Key> DayRows::key_of(std::uint32_t lane, const Line& line) const {
    const std::string_view party = line.party(kind);
    if (party.empty() && kind == PartyKind::publisher) {
        return std::nullopt;
    }
    return Key{party, line.currency(), line.day, line.booked, line.arrived, lane};
}

std::vector<storage::Value> DayRows::row_key(const Key& key, std::uint64_t log) {
    const auto& [party, currency, day, booked, arrived, lane] = key;
    return {
        std::string{party},
        std::string{currency},
        std::int64_t{day},
        std::int64_t{day_of_booked(booked)},
        std::int64_t{arrived},
        first_epoch,
        projecting::writer_of(log, lane)
    };
}

Result<DayCell> DayRows::read(const storage::Rows& rows, std::size_t row) {
    const std::size_t first = rows.table().key_width();
    DayCell cell;
    TRY(cell.amounts, read_amounts(rows, row, first, first + 4));
    TRY(cell.refused, read_refusals(rows.at(row, first + 3).text()));
    TRY(cell.quarters, read_quarters(rows.at(row, first + 5).text()));
    cell.through = count_at(rows, row, first + 6);
    cell.first_arrival = Instant{std::chrono::microseconds{rows.at(row, first + 7).number()}};
    return cell;
}

void DayRows::append(const DayCell& cell, std::vector<storage::Value>& row) {
    append_counts(cell.amounts, row);
    row.emplace_back(packed_refusals(cell.refused));
    append_amount(cell.amounts, row);
    row.emplace_back(packed_quarters(cell.quarters));
    row.emplace_back(signed_of(cell.through));
    row.emplace_back(std::int64_t{cell.first_arrival.time_since_epoch().count()});
}

/// Refused lines are in the rows of days: nobody asks for them by month alone.
std::optional<MonthRows::Key> MonthRows::key_of(std::uint32_t lane, const Line& line) const {
    const std::string_view party = line.party(kind);
    const bool is_nobodys = party.empty() && kind == PartyKind::publisher;
    if (is_nobodys || !line.refusal().empty()) {
        return std::nullopt;
    }
    return Key{party, line.currency(), line.booked, lane};
}

std::vector<storage::Value> MonthRows::row_key(const Key& key, std::uint64_t log) {
    const auto& [party, currency, booked, lane] = key;
    return {
        std::string{party},
        std::string{currency},
        std::int64_t{day_of_booked(booked)},
        first_epoch,
        projecting::writer_of(log, lane)
    };
}

Result<MonthCell> MonthRows::read(const storage::Rows& rows, std::size_t row) {
    const std::size_t first = rows.table().key_width();
    MonthCell cell;
    TRY(cell.days, read_days(rows.at(row, first + 4).text()));
    cell.through = count_at(rows, row, first + 5);
    return cell;
}

void MonthRows::append(const MonthCell& cell, std::vector<storage::Value>& row) {
    const Amounts sum = cell.amounts();
    append_counts(sum, row);
    append_amount(sum, row);
    row.emplace_back(packed_days(cell.days));
    row.emplace_back(signed_of(cell.through));
}

std::optional<AdRows::Key> AdRows::key_of(std::uint32_t lane, const Line& line) const {
    const std::string_view party = line.party(kind);
    if (party.empty() || !line.refusal().empty()) {
        return std::nullopt;
    }
    const PartyKind other =
        kind == PartyKind::reseller ? PartyKind::publisher : PartyKind::reseller;
    return Key{
        party,
        month_of(line.day),
        line.ad(),
        line.party(other),
        line.currency(),
        line.day,
        line.booked,
        line.arrived,
        lane
    };
}

std::vector<storage::Value> AdRows::row_key(const Key& key, std::uint64_t log) {
    const auto& [party, month, ad, other, currency, day, booked, arrived, lane] = key;
    return {
        std::string{party},
        std::int64_t{first_day(month)},
        std::string{ad},
        std::string{other},
        std::string{currency},
        std::int64_t{day},
        std::int64_t{day_of_booked(booked)},
        std::int64_t{arrived},
        first_epoch,
        projecting::writer_of(log, lane)
    };
}

Result<AdCell> AdRows::read(const storage::Rows& rows, std::size_t row) {
    const std::size_t first = rows.table().key_width();
    AdCell cell;
    TRY(cell.amounts, read_amounts(rows, row, first, first + 3));
    TRY(cell.quarters, read_quarters(rows.at(row, first + 4).text()));
    cell.through = count_at(rows, row, first + 5);
    return cell;
}

void AdRows::append(const AdCell& cell, std::vector<storage::Value>& row) {
    append_counts(cell.amounts, row);
    append_amount(cell.amounts, row);
    row.emplace_back(packed_quarters(cell.quarters));
    row.emplace_back(signed_of(cell.through));
}

std::optional<ClicksPerAdRows::Key> ClicksPerAdRows::key_of(std::uint32_t lane, const Line& line) {
    return Key{line.ad(), line.day, line.currency(), lane};
}

std::vector<storage::Value> ClicksPerAdRows::row_key(const Key& key, std::uint64_t log) {
    const auto& [ad, day, currency, lane] = key;
    return {
        std::string{ad},
        std::int64_t{day},
        std::string{currency},
        first_epoch,
        projecting::writer_of(log, lane)
    };
}

void add_click_row(
    const Line& line, const events::Event& event, std::string_view writer, storage::Batch& batch
) {
    const storage::DecimalBytes amount{line.amount};
    batch.upsert(
        ad_click_table,
        {line.reseller(),
         std::int64_t{line.day},
         std::int64_t{line.quarter},
         std::int64_t{event.time.time_since_epoch().count()},
         event.id,
         writer,
         signed_of(line.offset),
         first_epoch,
         event.action,
         event.object,
         line.ad(),
         line.publisher(),
         amount.view(),
         line.currency(),
         std::int64_t{line.arrival.time_since_epoch().count()},
         std::int64_t{first_day(line.booked)}}
    );
}

}  // namespace footfall::ads
