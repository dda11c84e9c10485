#include "ads/rate_changes.h"

#include "ads/schema.h"
#include "storage/blocking.h"
#include "storage/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace footfall::ads {
namespace {

constexpr std::array<std::pair<RateOutcome, std::string_view>, 4> outcome_names{
    {{RateOutcome::recorded, "recorded"},
     {RateOutcome::unchanged, "unchanged"},
     {RateOutcome::other_version, "other_version"},
     {RateOutcome::too_many, "too_many"}}
};

Result<RecordedRate> read_change(const storage::Rows& rows, std::size_t row) {
    TRY(const storage::Wide share, storage::decimal_of(rows.at(row, 3).text()));
    const bool withdrawn = rows.at(row, 4).number() != 0;
    if (share < 0 || share > whole) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("a stored rate of {} is no share", rows.at(row, 0).text())
        );
    }
    return RecordedRate{
        .effective = static_cast<Day>(rows.at(row, 1).number()),
        .recorded = Instant{std::chrono::microseconds{rows.at(row, 2).number()}},
        .share = withdrawn ? std::nullopt : std::optional{static_cast<Millionths>(share)},
        .booked = booked_of_day(static_cast<Day>(rows.at(row, 5).number())),
        .author = std::string{rows.at(row, 6).text()},
        .reason = std::string{rows.at(row, 7).text()},
        .writer = std::string{rows.at(row, 8).text()},
        .offset = static_cast<std::uint64_t>(rows.at(row, 9).number())
    };
}

}  // namespace

std::string_view name_of(RateOutcome outcome) {
    return std::ranges::find(outcome_names, outcome, &decltype(outcome_names)::value_type::first)
        ->second;
}

std::optional<RateOutcome> outcome_named(std::string_view name) {
    const auto found =
        std::ranges::find(outcome_names, name, &decltype(outcome_names)::value_type::second);
    return found == outcome_names.end() ? std::nullopt : std::optional{found->first};
}

Result<RateHistory> RateHistory::read(
    storage::Store& store, events::PartyKind kind, std::string_view party
) {
    if (party.empty()) {
        return RateHistory{};  // and Cassandra takes no empty key
    }
    TRY(const storage::Rows rows,
        storage::read_all(
            store, {.table = &tables_of(kind).rate, .partition = {std::string{party}}}
        ));
    return of_rows(rows);
}

Result<std::vector<RateHistory>> RateHistory::read(
    storage::Store& store, events::PartyKind kind, std::span<const std::string> parties
) {
    std::vector<storage::RangeQuery> queries;
    std::vector<std::size_t> named;
    for (std::size_t at = 0; at < parties.size(); ++at) {
        if (!parties[at].empty()) {
            queries.push_back({.table = &tables_of(kind).rate, .partition = {parties[at]}});
            named.push_back(at);
        }
    }
    std::vector<RateHistory> histories(parties.size());
    TRY_VOID(storage::read_each(
        store,
        std::move(queries),
        [&](std::size_t at, const storage::Rows& rows) -> Result<void> {
            TRY(histories[named[at]], of_rows(rows));
            return {};
        }
    ));
    return histories;
}

Result<RateHistory> RateHistory::of_rows(const storage::Rows& rows) {
    RateHistory history;
    history.changes_.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(RecordedRate change, read_change(rows, row));
        history.changes_.push_back(std::move(change));
    }
    return history;
}

std::string RateHistory::version() const {
    return fmt::format("{}-{:x}", changes_.size(), last_recorded().time_since_epoch().count());
}

std::optional<RateOutcome> RateHistory::decide(const RateEntry& entry, std::string_view writer) {
    if (std::ranges::any_of(changes_, [&](const RecordedRate& each) {
            return each.writer == writer && each.offset >= entry.offset;
        })) {
        return std::nullopt;
    }
    const RateOutcome outcome = judge(entry.said);
    if (outcome == RateOutcome::recorded) {
        const Instant after = last_recorded() + std::chrono::microseconds{1};
        insert(
            {.effective = entry.said.effective,
             .recorded = std::max(entry.said.said, after),
             .share = entry.said.share,
             .booked = entry.booked,
             .author = entry.said.author,
             .reason = entry.said.reason,
             .writer = std::string{writer},
             .offset = entry.offset}
        );
    }
    return outcome;
}

RateOutcome RateHistory::judge(const events::RateSaid& said) const {
    if (said.if_match && *said.if_match != version()) {
        return RateOutcome::other_version;
    }
    const RecordedRate* const standing = in_force(said.effective);
    const bool was_never_given = standing == nullptr && !said.share;
    const bool is_same =
        standing != nullptr && standing->share == said.share && standing->reason == said.reason;
    if (was_never_given || is_same) {
        return RateOutcome::unchanged;
    }
    return changes_.size() >= most_changes ? RateOutcome::too_many : RateOutcome::recorded;
}

const RecordedRate* RateHistory::from_record(std::string_view writer, std::uint64_t offset) const {
    const auto found = std::ranges::find_if(changes_, [&](const RecordedRate& each) {
        return each.writer == writer && each.offset == offset;
    });
    return found == changes_.end() ? nullptr : &*found;
}

const RecordedRate* RateHistory::recorded_at(Instant recorded) const {
    const auto found = std::ranges::find(changes_, recorded, &RecordedRate::recorded);
    return found == changes_.end() ? nullptr : &*found;
}

const RecordedRate* RateHistory::in_force(Day effective) const {
    const auto found = std::ranges::find(changes_, effective, &RecordedRate::effective);
    return found == changes_.end() ? nullptr : &*found;
}

Rates RateHistory::rates(const LedgerZone& zone, std::optional<Instant> before) const {
    std::vector<const RecordedRate*> in_order;
    in_order.reserve(changes_.size());
    for (const RecordedRate& each : changes_) {
        if (!before || each.recorded < *before) {
            in_order.push_back(&each);
        }
    }
    std::ranges::sort(in_order, {}, &RecordedRate::recorded);
    Rates rates;
    for (const RecordedRate* const each : in_order) {
        rates.add(
            {.effective = each->effective,
             .share = each->share,
             .booked = each->booked,
             .recorded = static_cast<std::uint64_t>(each->recorded.time_since_epoch().count()),
             .known = zone.day_of(each->recorded)}
        );
    }
    return rates;
}

Instant RateHistory::last_recorded() const {
    Instant last{};
    for (const RecordedRate& each : changes_) {
        last = std::max(last, each.recorded);
    }
    return last;
}

void RateHistory::insert(RecordedRate change) {
    const auto place = std::ranges::find_if(changes_, [&](const RecordedRate& each) {
        return each.effective <= change.effective;
    });
    changes_.insert(place, std::move(change));
}

void add_rate_row(
    events::PartyKind kind,
    std::string_view party,
    const RecordedRate& change,
    storage::Batch& batch
) {
    const storage::DecimalBytes share{change.share.value_or(0)};
    batch.upsert(
        tables_of(kind).rate,
        {party,
         std::int64_t{change.effective},
         change.recorded.time_since_epoch().count(),
         share.view(),
         std::int64_t{change.share ? 0 : 1},
         std::int64_t{day_of_booked(change.booked)},
         std::string_view{change.author},
         std::string_view{change.reason},
         std::string_view{change.writer},
         static_cast<std::int64_t>(change.offset)}
    );
}

}  // namespace footfall::ads
