#include "ads/page_source.h"

#include "ads/account_rows.h"
#include "ads/rate_changes.h"
#include "projecting/writer.h"

#include <algorithm>
#include <vector>

namespace footfall::ads {
namespace {

/// Copies the lines of a party, and notes of each lane before which record all are these or in
/// rows.
std::vector<WaitingLine> copy_waiting(
    Ledger& ledger, const LinesAsked& asked, PageHorizon& horizon
) {
    std::vector<WaitingLine> lines;
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        std::uint64_t& taken_before = horizon.taken_before.at(lane);
        taken_before = ledger.taken_before(lane);
        ledger.waiting().look(lane, [&](const Entry& entry) {
            taken_before = std::max(taken_before, Entry::offset_of(entry) + 1);
            const auto* const line = std::get_if<Line>(&entry.what);
            if (line != nullptr && asked.is_of(*line)) {
                lines.push_back({.lane = lane, .line = *line});
            }
        });
    }
    return lines;
}

/// Notes what was written while rows were read.
void note_rows(const CellsByKey<MonthRows>& months, std::uint64_t log, PageHorizon& horizon) {
    std::map<std::string, std::uint32_t, std::less<>> lanes;
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        lanes.emplace(projecting::writer_of(log, lane), lane);
    }
    for (const auto& [key, cell] : months) {
        const auto lane = lanes.find(std::get<std::string>(key[4]));
        if (lane != lanes.end() && cell.through > horizon.taken_before.at(lane->second)) {
            horizon.rows.push_back(
                {.lane = lane->second,
                 .booked = booked_of_day(static_cast<Day>(std::get<std::int64_t>(key[2]))),
                 .through = cell.through}
            );
        }
    }
    std::ranges::sort(horizon.rows, {}, &PageHorizon::Row::place);
}

}  // namespace

Result<MadePage> make_party_page(
    Ledger& ledger, PartyKind kind, const std::string& party, const std::string& currency
) {
    PageHorizon horizon;
    const std::vector<WaitingLine> waiting =
        copy_waiting(ledger, {.kind = kind, .name = party}, horizon);
    TRY(const Seals seals, ledger.seals());
    TRY(const RateHistory history, RateHistory::read(ledger.store(), kind, party));
    TRY(const auto months, read_months(ledger, kind, party, currency, waiting));
    note_rows(months, ledger.log(), horizon);
    const Rates rates = history.rates(ledger.zone());
    TRY(const KnownByDay known,
        read_known(ledger, kind, party, currency, rates, seals.sealed(), all_days, waiting));
    TRY(Page page, Page::make(account_of(months), rates, seals.sealed(), known));
    return MadePage{.page = std::move(page), .horizon = std::move(horizon)};
}

}  // namespace footfall::ads
