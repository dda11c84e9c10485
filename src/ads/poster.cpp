#include "ads/poster.h"

#include "ads/cells.h"
#include "ads/line_groups.h"
#include "ads/rate_changes.h"
#include "ads/schema.h"
#include "projecting/writer.h"
#include "storage/blocking.h"
#include "storage/decimal.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace footfall::ads {
namespace {

/// Who asked for a change finds out what became of it for so long.
constexpr std::chrono::hours answers_kept{1};

/// Merges lines, in their groups, with their rows of one table: reads all of these at once.
template <class Rows>
class RowsMerge {
public:
    RowsMerge(const Rows& rows, std::uint64_t log) : rows_{rows}, log_{log} {}

    /// Keys of rows that were not there before, or had some of the lines already: then the write
    /// that made them may have been torn, and what was to stand beside them may be missing.
    const std::vector<typename Rows::Key>& made() const { return made_; }

    Result<void> run(
        storage::Store& store, std::span<const LineGroup> groups, storage::Batch& batch
    ) {
        for (const LineGroup& each : groups) {
            if (const auto key = rows_.key_of(each.lane, *each.sum.like)) {
                keyed_.emplace_back(*key, &each);
            }
        }
        std::ranges::sort(keyed_, {}, &Keyed::first);
        std::vector<std::vector<storage::Value>> keys;
        for (std::size_t at = 0; at < keyed_.size(); ++at) {
            if (at == 0 || keyed_[at].first != keyed_[at - 1].first) {
                keys.push_back(Rows::row_key(keyed_[at].first, log_));
            }
        }
        if (keys.empty()) {
            return {};
        }
        TRY(const storage::Found found, storage::read_many(store, rows_.table(), keys));
        std::size_t key = 0;
        for (auto first = keyed_.begin(); first != keyed_.end(); ++key) {
            const auto end = std::find_if(first, keyed_.end(), [&](const Keyed& each) {
                return each.first != first->first;
            });
            TRY_VOID(merge_row(found, key, {first, end}, std::move(keys[key]), batch));
            first = end;
        }
        return {};
    }

private:
    using Keyed = std::pair<typename Rows::Key, const LineGroup*>;

    Result<void> merge_row(
        const storage::Found& found,
        std::size_t key,
        std::span<const Keyed> groups,
        std::vector<storage::Value> row,
        storage::Batch& batch
    ) {
        typename Rows::Cell cell;
        if (const auto at = found.row_of_key[key]) {
            TRY(cell, Rows::read(found.rows, *at));
        }
        const std::uint64_t stored = cell.through;
        bool is_made = stored == 0;
        for (const auto& [same, group] : groups) {
            is_made = is_made || group->first() < stored;
            if (group->first() >= stored) {
                cell.add(group->sum);
            } else if (group->sum.through > stored) {
                cell.add(group->sum_from(stored));
            }
        }
        if (is_made) {
            made_.push_back(groups.front().first);
        }
        if (cell.through > stored) {
            Rows::append(cell, row);
            batch.upsert(rows_.table(), storage::views_of(row));
        }
        return {};
    }

    Rows rows_;
    std::uint64_t log_;
    std::vector<Keyed> keyed_;
    std::vector<typename Rows::Key> made_;
};

template <class Rows>
Result<void> merge_rows(
    const Rows& rows,
    std::uint64_t log,
    storage::Store& store,
    std::span<const LineGroup> groups,
    storage::Batch& batch
) {
    return RowsMerge<Rows>{rows, log}.run(store, groups, batch);
}

/// A party is in the list once it has a row of a day, whatever was lost of the write of both.
Result<void> merge_days(
    PartyKind kind,
    const Parties& parties,
    std::uint64_t log,
    storage::Store& store,
    std::span<const LineGroup> groups,
    storage::Batch& batch
) {
    RowsMerge<DayRows> days{DayRows{kind}, log};
    TRY_VOID(days.run(store, groups, batch));
    std::set<std::pair<std::string_view, std::string_view>> named;
    for (const DayRows::Key& key : days.made()) {
        const auto& [party, currency, day, booked, arrived, lane] = key;
        if (named.emplace(party, currency).second) {
            parties.add(kind, party, currency, batch);
        }
    }
    return {};
}

/// Changes of rates, in the order of their lanes. A party's stand all in one lane.
class RatesMerge {
public:
    RatesMerge(storage::Store& store, const Clock& clock, std::uint64_t log, const Parties& parties)
        : store_{&store}, clock_{&clock}, log_{log}, parties_{&parties} {}

    Result<void> add(std::uint32_t lane, const RateEntry& entry, storage::Batch& batch) {
        const auto of_party = std::pair{entry.said.kind, entry.said.party};
        auto history = histories_.find(of_party);
        if (history == histories_.end()) {
            TRY(RateHistory stored, RateHistory::read(*store_, of_party.first, of_party.second));
            history = histories_.emplace(of_party, std::move(stored)).first;
        }
        const std::string writer = projecting::writer_of(log_, lane);
        auto outcome = history->second.decide(entry, writer);
        const RecordedRate* const change = history->second.from_record(writer, entry.offset);
        if (change != nullptr) {
            outcome = RateOutcome::recorded;  // also where its row stands, and the answer was lost
            add_rate_row(of_party.first, of_party.second, *change, batch);
            parties_->add(of_party.first, of_party.second, "", batch);
        }
        if (outcome) {
            const Instant expires = clock_->now() + answers_kept;
            batch.upsert(
                ledger_answer_table,
                {std::string_view{entry.said.id},
                 name_of(*outcome),
                 change != nullptr ? change->recorded.time_since_epoch().count() : 0,
                 expires.time_since_epoch().count()}
            );
        }
        return {};
    }

private:
    storage::Store* store_;
    const Clock* clock_;
    std::uint64_t log_;
    const Parties* parties_;
    std::map<std::pair<PartyKind, std::string>, RateHistory> histories_;
};

using SealsOfMerge = std::set<std::pair<std::uint32_t, Month>>;

/// A lane passed a seal. Of several of one month the first stands.
Result<void> add_seal(
    storage::Store& store,
    std::uint64_t log,
    std::uint32_t lane,
    const SealEntry& entry,
    SealsOfMerge& seals,
    storage::Batch& batch
) {
    if (!seals.emplace(lane, entry.said.month).second) {
        return {};
    }
    const std::int64_t month = first_day(entry.said.month);
    const std::string writer = projecting::writer_of(log, lane);
    TRY(const auto standing,
        storage::read_one(store, ledger_seal_table, {std::string{the_ledger}, month, writer}));
    if (!standing) {
        batch.upsert(
            ledger_seal_table,
            {the_ledger,
             month,
             std::string_view{writer},
             entry.said.said.time_since_epoch().count(),
             std::string_view{entry.said.author},
             std::string_view{entry.said.reason},
             static_cast<std::int64_t>(entry.offset)}
        );
    }
    return {};
}

}  // namespace

Result<void> Poster::merge(std::span<const Waiting::Part> parts, storage::Batch& batch) {
    LineGroups lines;
    for (const Waiting::Part& part : parts) {
        lines.take(part.lane, part.entries);
    }
    const std::span<const LineGroup> groups = lines.all();
    for (const PartyKind kind : {PartyKind::reseller, PartyKind::publisher}) {
        TRY_VOID(merge_days(kind, *parties_, log_, *store_, groups, batch));
        TRY_VOID(merge_rows(MonthRows{kind}, log_, *store_, groups, batch));
        TRY_VOID(merge_rows(AdRows{kind}, log_, *store_, groups, batch));
    }
    TRY_VOID(merge_rows(ClicksPerAdRows{}, log_, *store_, groups, batch));
    RatesMerge rates{*store_, *clock_, log_, *parties_};
    SealsOfMerge seals;
    for (const Waiting::Part& part : parts) {
        for (const Entry& entry : part.entries) {
            if (const auto* const rate = std::get_if<RareEntry<RateEntry>>(&entry.what)) {
                TRY_VOID(rates.add(part.lane, **rate, batch));
            } else if (const auto* const seal = std::get_if<RareEntry<SealEntry>>(&entry.what)) {
                TRY_VOID(add_seal(*store_, log_, part.lane, **seal, seals, batch));
            }
        }
    }
    return {};
}

}  // namespace footfall::ads
