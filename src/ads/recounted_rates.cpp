#include "ads/recounted_controls.h"
#include "ads/schema.h"
#include "foundation/calendar_day.h"
#include "projecting/writer.h"
#include "storage/blocking.h"
#include "storage/decimal.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace footfall::ads {
namespace {

/// Of one party; design: a bound on what is read to answer one question.
constexpr std::size_t most_changes_of_a_party = 10'000;

}  // namespace

RecountedRates::RecountedRates(const projecting::RecountPart& part)
    : part_{part}, writer_{projecting::writer_of(part.log, part.lane)} {}

void RecountedRates::add(
    std::uint64_t offset, const events::RateSaid& said, std::optional<Month> sealed
) {
    if (is_of_part(part_, said.party)) {
        said_[{said.kind, said.party}].push_back({.offset = offset, .sealed = sealed, .said = said}
        );
    }
}

Result<RecountedRates::Change> RecountedRates::read_change(
    const storage::Rows& rows, std::size_t row
) {
    TRY(const storage::Wide share,
        storage::decimal_of(column_of(rows, row, "reward_percent").text()));
    Change change{
        .effective = static_cast<Day>(column_of(rows, row, "effective_since").number()),
        .recorded = column_of(rows, row, "recorded_at").number(),
        .share = {},
        .booked = static_cast<Day>(column_of(rows, row, "booked").number()),
        .author = std::string{column_of(rows, row, "author").text()},
        .reason = std::string{column_of(rows, row, "reason").text()}
    };
    if (column_of(rows, row, "withdrawn").number() == 0) {
        change.share = static_cast<std::uint32_t>(share);
    }
    return change;
}

std::string RecountedRates::text_of(const Change& change) {
    const std::string share =
        change.share ? storage::decimal_text(storage::Wide{*change.share}) : "withdrawn";
    const std::string booked =
        change.booked == beginning_day ? std::string{"the beginning"} : format_day(change.booked);
    return fmt::format(
        "{} since {}, recorded at {}, booked in {}, by \"{}\", reason \"{}\"",
        share,
        format_day(change.effective),
        change.recorded,
        booked,
        change.author,
        change.reason
    );
}

/// What becomes of a change on top of these; absent: nothing.
std::optional<RecountedRates::Change> RecountedRates::decide(
    const std::vector<Change>& history, const Said& said
) {
    std::int64_t last = 0;
    const Change* standing = nullptr;
    for (const Change& each : history) {
        last = std::max(last, each.recorded);
        if (each.effective == said.said.effective &&
            (standing == nullptr || each.recorded > standing->recorded)) {
            standing = &each;
        }
    }
    if (said.said.if_match && *said.said.if_match != fmt::format("{}-{:x}", history.size(), last)) {
        return std::nullopt;
    }
    const bool changes_nothing = standing == nullptr ? !said.said.share
                                                     : standing->share == said.said.share &&
                                                           standing->reason == said.said.reason;
    if (changes_nothing || history.size() >= most_changes_of_a_party) {
        return std::nullopt;
    }
    return Change{
        .effective = said.said.effective,
        .recorded = std::max(std::int64_t{said.said.said.time_since_epoch().count()}, last + 1),
        .share = said.said.share,
        .booked = said.sealed ? first_day(*said.sealed + 1) : beginning_day,
        .author = said.said.author,
        .reason = said.said.reason
    };
}

RecountedRates::Changes RecountedRates::decide_all(
    std::vector<Change> history, const std::vector<Said>& said
) {
    Changes decided;
    for (const Said& each : said) {
        if (auto change = decide(history, each)) {
            history.push_back(*change);
            decided.emplace(each.offset, *std::move(change));
        }
    }
    return decided;
}

Result<RecountedRates::Stored> RecountedRates::read_stored(const Party& party, const Reach& reach)
    const {
    TRY(const storage::Rows rows,
        storage::read_all(
            *part_.store, {.table = &tables_of(party.first).rate, .partition = {party.second}}
        ));
    Stored stored;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(Change change, read_change(rows, row));
        const auto offset = count_of(rows, row, "offset");
        const bool is_own = column_of(rows, row, "writer").text() == writer_;
        if (is_own && reach.has(offset)) {
            stored.of_records.emplace(offset, std::move(change));
        } else if (!is_own || offset < reach.first) {
            stored.before.push_back(std::move(change));
        }
    }
    return stored;
}

Result<void> RecountedRates::compare_stored(
    projecting::WrittenRows& rows, const Reach& reach, std::vector<std::string>& differences
) {
    for (const auto& [party, said] : said_) {
        Stored stored;
        Changes truth;
        for (bool may_come = true; may_come;) {
            const std::uint64_t written = rows.end();
            TRY(stored, read_stored(party, reach));
            truth = decide_all(std::move(stored.before), said);
            const bool is_behind =
                std::any_of(truth.lower_bound(written), truth.end(), [&](const auto& each) {
                    return !stored.of_records.contains(each.first);
                });
            if (!is_behind) {
                break;
            }
            TRY(may_come, rows.wait());
        }
        compare(party, truth, stored.of_records, differences);
    }
    return {};
}

Result<void> RecountedRates::compare_unsaid(
    events::PartyKind kind,
    const std::string& party,
    const Reach& reach,
    std::vector<std::string>& differences
) {
    TRY(const Stored stored, read_stored({kind, party}, reach));
    compare({kind, party}, {}, stored.of_records, differences);
    return {};
}

void RecountedRates::compare(
    const Party& party,
    const Changes& truth,
    const Changes& stored,
    std::vector<std::string>& differences
) {
    const auto name = [&](std::uint64_t offset) {
        return fmt::format(
            "{}: \"{}\", record {}", tables_of(party.first).rate.name, party.second, offset
        );
    };
    for (const auto& [offset, change] : truth) {
        const auto row = stored.find(offset);
        if (row == stored.end()) {
            differences.push_back(
                fmt::format("{}: none stored; the log has {}", name(offset), text_of(change))
            );
        } else if (text_of(row->second) != text_of(change)) {
            differences.push_back(fmt::format(
                "{}: {} stored; the log has {}", name(offset), text_of(row->second), text_of(change)
            ));
        }
    }
    for (const auto& [offset, change] : stored) {
        if (!truth.contains(offset)) {
            differences.push_back(fmt::format(
                "{}: {} stored; by the log nothing was to be recorded",
                name(offset),
                text_of(change)
            ));
        }
    }
}

}  // namespace footfall::ads
