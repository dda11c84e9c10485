#include "identities/profile_rows.h"

#include "foundation/json_string.h"
#include "identities/schema.h"
#include "identities/sid.h"
#include "identities/stored_data.h"
#include "storage/blocking.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace footfall::identities {
namespace {

// Of profile_index.
constexpr std::size_t sid_column = 4;
constexpr std::size_t shared_column = 5;
// Of profile.
constexpr std::size_t identifier_column = 1;
constexpr std::size_t internal_column = 4;

std::vector<storage::Value> index_key(const Id& id, int level) {
    return {id.identifier, index_partition(id, level), id.id_name, id.id_value};
}

IndexEntry entry_in(const storage::Rows& rows, std::size_t row) {
    return {
        .sid = read_sid(rows.at(row, sid_column).text()),
        .shared = rows.at(row, shared_column).number() != 0
    };
}

/// Members of one network; by name, since they are in the order of ids.
std::string ids_json(std::span<const Member> members) {
    std::string json = "{";
    std::string_view name;
    for (const Member& each : members) {
        const bool is_first = &each == members.data();
        if (is_first || each.id.id_name != name) {
            json += is_first ? "" : "],";
            append_json_string(json, each.id.id_name);
            json += ":[";
            name = each.id.id_name;
        } else {
            json += ',';
        }
        append_json_string(json, each.id.id_value);
    }
    return json + "]}";
}

/// The latest value of each source, by name: {"city":["Oslo"]}.
std::string data_json(std::span<const Member> members) {
    std::map<std::string_view, std::set<std::string_view>> values;
    for (const Member& member : members) {
        for (const SaidDatum& each : member.data) {
            values[each.datum.name].insert(each.datum.latest);
        }
    }
    std::string json = "{";
    for (const auto& [name, of_name] : values) {
        json += fmt::format(
            "{}{}:[{}]", json.size() > 1 ? "," : "", json_string(name), fmt::join(of_name, ",")
        );
    }
    return json + "}";
}

std::string internal_json(std::span<const Member> members) {
    std::string json = "[";
    for (const Member& each : members) {
        json += fmt::format(
            "{}[{},{},{},{}",
            &each == members.data() ? "" : ",",
            json_string(each.id.id_name),
            json_string(each.id.id_value),
            each.since.time_since_epoch().count(),
            json_string(each.source)
        );
        if (!each.data.empty()) {
            json += ',';
            append_stored_data(each.data, json);
        }
        json += ']';
    }
    return json + "]";
}

std::optional<Member> read_member(std::string_view identifier, const boost::json::value& value) {
    const boost::json::array* const parts = value.if_array();
    constexpr std::size_t parts_least = 4;
    if (parts == nullptr || parts->size() < parts_least || parts->size() > parts_least + 1) {
        return std::nullopt;
    }
    const auto* const name = (*parts)[0].if_string();
    const auto* const text = (*parts)[1].if_string();
    const auto* const since = (*parts)[2].if_int64();
    const auto* const source = (*parts)[3].if_string();
    auto data = parts->size() == parts_least ? Result<std::vector<SaidDatum>>{}
                                             : read_stored_data(parts->back());
    if (name == nullptr || text == nullptr || since == nullptr || source == nullptr || !data) {
        return std::nullopt;
    }
    return Member{
        .id =
            {std::string{identifier},
             std::string{name->data(), name->size()},
             std::string{text->data(), text->size()}},
        .since = Instant{std::chrono::microseconds{*since}},
        .source = {source->data(), source->size()},
        .data = *std::move(data)
    };
}

Result<void> read_members(
    std::string_view identifier, std::string_view json, std::vector<Member>& members
) {
    boost::system::error_code damage;
    const boost::json::value parsed = boost::json::parse(json, damage);
    const auto* const list = damage ? nullptr : parsed.if_array();
    for (std::size_t at = 0; list != nullptr && at < list->size(); ++at) {
        auto member = read_member(identifier, (*list)[at]);
        if (!member) {
            break;
        }
        members.push_back(*std::move(member));
        if (at + 1 == list->size()) {
            return {};
        }
    }
    return fail(ErrorKind::corrupt, "a row of profiles is damaged");
}

/// Calls `take(identifier, members)` with those of each network.
template <class Take>
void for_each_network(std::span<const Member> members, const Take& take) {
    for (std::size_t begin = 0; begin < members.size();) {
        const std::string& identifier = members[begin].id.identifier;
        std::size_t end = begin;
        while (end < members.size() && members[end].id.identifier == identifier) {
            ++end;
        }
        take(identifier, members.subspan(begin, end - begin));
        begin = end;
    }
}

}  // namespace

Result<Index> read_index_at(storage::Store& store, std::span<const Id> ids, int level) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(ids.size());
    for (const Id& each : ids) {
        keys.push_back(index_key(each, level));
    }
    TRY(const storage::Found found,
        storage::read_many(store, profile_index_table, std::move(keys)));
    Index index;
    for (std::size_t at = 0; at < ids.size(); ++at) {
        if (const auto row = found.row_of_key[at]) {
            index.emplace(ids[at], entry_in(found.rows, *row));
        }
    }
    return index;
}

/// All places in one read. Where both differ the one that readers ask is answered.
Result<Index> read_index(
    storage::Store& store, const KnownLevels& levels, std::span<const Id> ids, IndexPlaces places
) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(ids.size());
    std::vector<std::size_t> doubled;  // ids that have another key behind those of all
    for (const Id& each : ids) {
        keys.push_back(index_key(each, levels.of(each.identifier).read_level()));
    }
    for (std::size_t at = 0; places == IndexPlaces::all && at < ids.size(); ++at) {
        const IndexStep step = levels.of(ids[at].identifier);
        const auto other = step.other_level();
        if (other &&
            index_partition(ids[at], *other) != index_partition(ids[at], step.read_level())) {
            keys.push_back(index_key(ids[at], *other));
            doubled.push_back(at);
        }
    }
    TRY(const storage::Found found,
        storage::read_many(store, profile_index_table, std::move(keys)));
    Index index;
    for (std::size_t at = 0; at < ids.size(); ++at) {
        if (const auto row = found.row_of_key[at]) {
            index.emplace(ids[at], entry_in(found.rows, *row));
        }
    }
    for (std::size_t at = 0; at < doubled.size(); ++at) {
        const Id& id = ids[doubled[at]];
        const auto row = found.row_of_key[ids.size() + at];
        const auto there = index.find(id);
        if (there == index.end() && row) {
            index.emplace(id, entry_in(found.rows, *row)).first->second.everywhere = false;
        } else if (there != index.end()) {
            there->second.everywhere = row && entry_in(found.rows, *row) == there->second;
        }
    }
    return index;
}

Result<Index> read_index(const IndexLevels& levels, std::span<const Id> ids, IndexPlaces places) {
    constexpr int turns_max = 10;
    TRY(LevelsSeen seen, levels.seen());
    for (int turn = 0; turn < turns_max; ++turn) {
        TRY(Index index, read_index(levels.store(), *seen, ids, places));
        const bool missed_some =
            std::ranges::any_of(ids, [&](const Id& each) { return !index.contains(each); });
        TRY(LevelsSeen after, levels.after_reading(seen, missed_some));
        if (after->steps == seen->steps) {
            return index;
        }
        seen = std::move(after);
    }
    return fail(ErrorKind::unavailable, "the index moves faster than it can be read; ask again");
}

Result<Index> read_index(storage::Store& store, std::span<const Id> ids) {
    return read_index(IndexLevels{store}, ids);
}

Result<StoredProfiles> read_profiles(storage::Store& store, const std::set<std::string>& sids) {
    std::vector<const std::string*> of_partitions;
    std::vector<std::string> stored;
    of_partitions.reserve(sids.size());
    stored.reserve(sids.size());
    for (const std::string& each : sids) {
        of_partitions.push_back(&each);
        stored.push_back(stored_sid(each));
    }
    const std::vector<storage::ValueView> partitions{stored.begin(), stored.end()};
    StoredProfiles profiles;
    TRY_VOID(storage::read_partitions(
        store,
        profile_table,
        partitions,
        [&](std::size_t at, const storage::Rows& rows, storage::PartitionsFound::Place place
        ) -> Result<void> {
            for (std::size_t row = place.first; row < place.end; ++row) {
                TRY_VOID(read_members(
                    rows.at(row, identifier_column).text(),
                    rows.at(row, internal_column).text(),
                    profiles[*of_partitions[at]]
                ));
            }
            return {};
        }
    ));
    return profiles;
}

Result<std::optional<Id>> read_anchor(storage::Store& store, const std::string& sid) {
    TRY(const auto row, storage::read_one(store, sid_anchor_table, {stored_sid(sid)}));
    if (!row) {
        return std::nullopt;
    }
    return Id{
        std::get<std::string>((*row)[1]),
        std::get<std::string>((*row)[2]),
        std::get<std::string>((*row)[3])
    };
}

void add_index_entry_at(const Id& id, const IndexEntry& entry, int level, storage::Batch& batch) {
    batch.upsert(
        profile_index_table,
        {id.identifier,
         index_partition(id, level),
         id.id_name,
         id.id_value,
         stored_sid(entry.sid),
         std::int64_t{entry.shared ? 1 : 0}}
    );
}

void add_index_entry(
    const Id& id, const IndexEntry& entry, const KnownLevels& levels, storage::Batch& batch
) {
    const IndexStep step = levels.of(id.identifier);
    add_index_entry_at(id, entry, step.read_level(), batch);
    const auto other = step.other_level();
    if (other && index_partition(id, *other) != index_partition(id, step.read_level())) {
        add_index_entry_at(id, entry, *other, batch);
    }
}

void erase_index_entry(const Id& id, std::int64_t partition, storage::Batch& batch) {
    batch.erase(profile_index_table, {id.identifier, partition, id.id_name, id.id_value});
}

Result<bool> has_index_entry(storage::Store& store, const Id& id, std::int64_t partition) {
    TRY(const auto row,
        storage::read_one(
            store, profile_index_table, {id.identifier, partition, id.id_name, id.id_value}
        ));
    return row.has_value();
}

IndexRow read_index_row(const storage::Rows& rows, std::size_t row) {
    return {
        .id =
            {std::string{rows.at(row, 0).text()},
             std::string{rows.at(row, 2).text()},
             std::string{rows.at(row, 3).text()}},
        .entry = entry_in(rows, row),
        .partition = rows.at(row, 1).number()
    };
}

void add_anchor(const std::string& sid, const Id& id, storage::Batch& batch) {
    batch.upsert(sid_anchor_table, {stored_sid(sid), id.identifier, id.id_name, id.id_value});
}

void replace_profile(
    const std::string& sid,
    std::span<const Member> stored,
    std::span<const Member> members,
    storage::Batch& batch
) {
    const std::string stored_name = stored_sid(sid);
    std::set<std::string_view> written;
    for_each_network(members, [&](const std::string& identifier, std::span<const Member> some) {
        written.insert(identifier);
        batch.upsert(
            profile_table,
            {stored_name, identifier, ids_json(some), data_json(some), internal_json(some)}
        );
    });
    for_each_network(stored, [&](const std::string& identifier, std::span<const Member>) {
        if (!written.contains(identifier)) {
            batch.erase(profile_table, {stored_name, identifier});
        }
    });
}

}  // namespace footfall::identities
