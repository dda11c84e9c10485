#include "ads/clicks_report.h"

#include "ads/account_rows.h"
#include "ads/reports.h"

#include <set>
#include <utility>

namespace footfall::ads {
namespace {

/// A day of one currency.
struct CellOfDay {
    Day day = 0;  ///< Of the ledger.
    std::string currency;
    DayCell cell;
};

Result<std::vector<CellOfDay>> read_cells(
    Ledger& ledger, const LinesAsked& of, DayRange range, std::span<const WaitingLine> waiting
) {
    std::vector<CellOfDay> cells;
    if (!of.kind) {
        TRY(auto rows, read_ad_days(ledger, of.name, range, waiting));
        cells.reserve(rows.size());
        for (AdDayRow& each : rows) {
            cells.push_back(
                {.day = each.day, .currency = std::move(each.currency), .cell = std::move(each.cell)
                }
            );
        }
        return cells;
    }
    TRY(const std::set<std::string> currencies, currencies_of(ledger, *of.kind, of.name));
    for (const std::string& currency : currencies) {
        TRY(auto rows, read_day_rows(ledger, *of.kind, of.name, currency, range, waiting));
        cells.reserve(cells.size() + rows.size());
        for (DayRow& each : rows) {
            cells.push_back({.day = each.day, .currency = currency, .cell = std::move(each.cell)});
        }
    }
    return cells;
}

/// Regroups the quarter-hours of a ledger day into days of the zone asked for.
class DaysOfZone {
public:
    DaysOfZone(const LedgerZone& ledger, const TimeZone& zone, DayRange range)
        : ledger_{&ledger}, zone_{&zone}, range_{range} {}

    void add(const CellOfDay& from, ClicksAnswer& answer) {
        for (const auto& [quarter, amounts] : from.cell.quarters) {
            if (ClicksDay* const day = day_of(from.day, quarter)) {
                day->amounts += amounts;
                answer.counts += amounts;
                answer.amounts[from.currency] += amounts.amount;
            }
        }
        for (const auto& [reason, quarters] : from.cell.refused) {
            for (const auto& [quarter, events] : quarters) {
                if (ClicksDay* const day = day_of(from.day, quarter)) {
                    day->refused[reason] += events;
                    answer.refused[reason] += events;
                }
            }
        }
    }

    std::vector<ClicksDay> take() {
        std::vector<ClicksDay> days;
        days.reserve(days_.size());
        for (auto& [day, of_day] : days_) {
            of_day.day = day;
            days.push_back(std::move(of_day));
        }
        return days;
    }

private:
    /// Null: it is not in the range.
    ClicksDay* day_of(Day ledger_day, unsigned quarter) {
        const auto day = static_cast<Day>(zone_->day_of(ledger_->begin_of(ledger_day, quarter)));
        return day < range_.from || day > range_.to ? nullptr : &days_[day];
    }

    const LedgerZone* ledger_;
    const TimeZone* zone_;
    DayRange range_;
    std::map<Day, ClicksDay> days_;
};

}  // namespace

Result<ClicksAnswer> clicks_of(Ledger& ledger, const ClicksQuestion& question) {
    TRY(const WaitingLines waiting, ledger.waiting_lines(question.of));
    const DayRange range = question.range.value_or(all_days);
    TRY(const std::vector<CellOfDay> cells,
        read_cells(ledger, question.of, ledger_days_of(range), waiting.lines));
    ClicksAnswer answer{.provisional = waiting.provisional};
    DaysOfZone days{ledger.zone(), question.zone ? *question.zone : ledger.zone().zone(), range};
    for (const CellOfDay& each : cells) {
        days.add(each, answer);
    }
    answer.days = days.take();
    return answer;
}

}  // namespace footfall::ads
