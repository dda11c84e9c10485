#include "ads/recounted_sums.h"

#include "ads/schema.h"
#include "events/event_keys.h"
#include "projecting/writer.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace footfall::ads {
namespace {

/// The day from which on lines of a row can have arrived.
Day earliest_day(const storage::Table& table, std::span<const storage::Value> key) {
    for (const std::string_view column : {"arrived", "day", "booked"}) {
        if (const auto day = key_column(table, key, column)) {
            return static_cast<Day>(day->number());
        }
    }
    return 0;
}

}  // namespace

bool is_of_part(const projecting::RecountPart& part, std::string_view owner) {
    return siphash13(part.secret, owner) % part.of == part.number;
}

RecountedSums::RecountedSums(const projecting::RecountPart& part)
    : part_{part}, writer_{projecting::writer_of(part.log, part.lane)} {}

void RecountedSums::add(const RecountLine& line) {
    for (std::size_t at = 0; at < sum_tables().size(); ++at) {
        const SumTable& table = sum_tables()[at];
        const auto owner = owner_in(table, line);
        if (owner && is_of_part(part_, *owner)) {
            add_line(table, line, truth_[{at, sum_key(table, line, writer_)}]);
        }
    }
}

std::vector<storage::Value> RecountedSums::partition_of(const Name& name) {
    const auto width =
        static_cast<std::ptrdiff_t>(sum_tables()[name.first].table->partition.size());
    return {name.second.begin(), name.second.begin() + width};
}

Result<std::uint64_t> RecountedSums::read_stored(projecting::WrittenRows& rows) {
    for (auto from = truth_.cbegin(); from != truth_.cend();) {
        const std::size_t table = from->first.first;
        const std::vector<storage::Value> partition = partition_of(from->first);
        const auto to = std::find_if(from, truth_.cend(), [&](const auto& each) {
            return each.first.first != table || partition_of(each.first) != partition;
        });
        for (bool may_come = true; may_come;) {
            const std::uint64_t written = rows.end();
            TRY_VOID(read_partition(table, partition));
            if (!is_behind(from, to, written)) {
                break;
            }
            TRY(may_come, rows.wait());
        }
        TRY_VOID(look_for_owner(from->first));
        from = to;
    }
    std::uint64_t through = 0;
    for (const auto& [name, sums] : stored_) {
        through = std::max(through, sums.through);
    }
    return through;
}

Result<void> RecountedSums::read_partition(
    std::size_t table, const std::vector<storage::Value>& partition
) {
    const storage::Table& of = *sum_tables()[table].table;
    TRY(const storage::Rows rows,
        storage::read_all(*part_.store, {.table = &of, .partition = partition}));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (column_of(rows, row, "writer").text() == writer_) {
            TRY(RowSums sums, read_sums(rows, row));
            stored_.insert_or_assign({table, key_of(rows, row)}, std::move(sums));
        }
    }
    return {};
}

/// Whether lines that the log has from `written` on are in no row.
bool RecountedSums::is_behind(
    Sums::const_iterator from, Sums::const_iterator to, std::uint64_t written
) const {
    return std::any_of(from, to, [&](const auto& each) {
        const auto row = stored_.find(each.first);
        const std::uint64_t through = row == stored_.end() ? 0 : row->second.through;
        return each.second.through > written && through < each.second.through;
    });
}

/// A party with a row of a day is in the list of parties.
Result<void> RecountedSums::look_for_owner(const Name& name) {
    for (const events::PartyKind kind :
         {events::PartyKind::reseller, events::PartyKind::publisher}) {
        if (sum_tables()[name.first].table != &tables_of(kind).day || !stored_.contains(name)) {
            continue;
        }
        const auto& party = std::get<std::string>(name.second[0]);
        const auto& currency = std::get<std::string>(name.second[1]);
        const std::int64_t lane = events::lane_of(party, part_.secret);
        TRY(const auto listed,
            storage::read_one(*part_.store, tables_of(kind).party, {lane, party, currency}));
        if (!listed) {
            unlisted_.push_back(fmt::format(
                "{}: \"{}\" with the currency \"{}\" is not there; it has rows of days",
                tables_of(kind).party.name,
                party,
                currency
            ));
        }
    }
    return {};
}

void RecountedSums::add_behind(const RecountLine& line) {
    for (std::size_t at = 0; at < sum_tables().size(); ++at) {
        const SumTable& table = sum_tables()[at];
        const auto owner = owner_in(table, line);
        if (!owner || !is_of_part(part_, *owner)) {
            continue;
        }
        const Name name{at, sum_key(table, line, writer_)};
        const auto row = stored_.find(name);
        if (row != stored_.end() && line.offset < row->second.through) {
            add_line(table, line, truth_[name]);
        }
    }
}

void RecountedSums::add_differences(const Reach& reach, std::vector<std::string>& differences)
    const {
    std::ranges::copy(unlisted_, std::back_inserter(differences));
    for (const auto& [name, truth] : truth_) {
        const storage::Table& table = *sum_tables()[name.first].table;
        const std::string text = row_name(table, name.second);
        const auto row = stored_.find(name);
        if (row == stored_.end()) {
            differences.push_back(
                fmt::format("{}: none stored; the log has {}", text, text_of(truth))
            );
            continue;
        }
        const auto difference = reach.has_all_of(earliest_day(table, name.second))
                                    ? sums_difference(text, row->second, truth, "the log has")
                                    : sums_lack(text, row->second, truth);
        if (difference) {
            differences.push_back(*difference);
        }
    }
    for (const auto& [name, stored] : stored_) {
        if (!truth_.contains(name)) {
            compare_extra(name, stored, reach, differences);
        }
    }
}

/// Nothing is said of what has left the log as a whole.
void RecountedSums::compare_extra(
    const Name& name,
    const RowSums& stored,
    const Reach& reach,
    std::vector<std::string>& differences
) const {
    const storage::Table& table = *sum_tables()[name.first].table;
    const bool is_known =
        reach.has_all_of(earliest_day(table, name.second)) || stored.through > reach.first;
    if (is_known) {
        differences.push_back(fmt::format(
            "{}: {} stored; the log has no such line", row_name(table, name.second), text_of(stored)
        ));
    }
}

}  // namespace footfall::ads
