#include "identities/fact_rows.h"

#include "identities/schema.h"
#include "identities/stored_ids.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace footfall::identities {
namespace {

using storage::Rows;

/// In the order of FactKind.
constexpr std::array<std::string_view, 5> kind_names{
    "link", "parting", "accept", "reject", "revoke"
};

/// Of identity_fact.
enum FactColumn : std::size_t {
    fact_column = 3,
    kind_column = 5,
    ids_column,
    others_column,
    about_column,
    first_column,
    last_column,
    recorded_column,
    source_column,
    author_column,
    reason_column
};

std::string bytes_of(const FactId& fact) {
    return {fact.bytes.begin(), fact.bytes.end()};
}

Result<FactId> read_fact_id(std::string_view bytes) {
    FactId fact;
    if (bytes.size() != fact.bytes.size()) {
        return fail(ErrorKind::corrupt, "a row of identities is damaged: it names no fact");
    }
    std::ranges::copy(bytes, fact.bytes.begin());
    return fact;
}

Instant instant_of(std::int64_t microseconds) {
    return Instant{std::chrono::microseconds{microseconds}};
}

std::int64_t microseconds_of(Instant instant) {
    return instant.time_since_epoch().count();
}

Result<FactKind> read_kind(std::string_view name) {
    const auto* const found = std::ranges::find(kind_names, name);
    if (found == kind_names.end()) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("a row of identities is damaged, or of a newer version: kind {}", name)
        );
    }
    return static_cast<FactKind>(found - kind_names.begin());
}

Result<Fact> read_row(const Rows& rows, std::size_t row) {
    Fact fact;
    TRY(fact.id, read_fact_id(rows.at(row, fact_column).text()));
    TRY(fact.kind, read_kind(rows.at(row, kind_column).text()));
    TRY(fact.ids, read_stored_ids(rows.at(row, ids_column).text()));
    TRY(fact.others, read_stored_ids(rows.at(row, others_column).text()));
    if (const std::string_view about = rows.at(row, about_column).text(); !about.empty()) {
        TRY(fact.about, read_fact_id(about));
    }
    fact.first = instant_of(rows.at(row, first_column).number());
    fact.last = instant_of(rows.at(row, last_column).number());
    fact.recorded = instant_of(rows.at(row, recorded_column).number());
    fact.source = rows.at(row, source_column).text();
    fact.author = rows.at(row, author_column).text();
    fact.reason = rows.at(row, reason_column).text();
    return fact;
}

std::vector<storage::Value> key_of(const Id& id, const ToldFact& told) {
    return {id.identifier, id.id_name, id.id_value, bytes_of(told.fact.id), told.writer};
}

}  // namespace

Result<Component> read_component(storage::Store& store, std::span<const Id> ids, std::size_t most) {
    Component component;
    component.ids.insert(ids.begin(), ids.end());
    std::vector<Id> next{component.ids.begin(), component.ids.end()};
    while (!next.empty()) {
        std::vector<storage::RangeQuery> queries;
        queries.reserve(next.size());
        for (const Id& each : next) {
            queries.push_back(
                {.table = &identity_fact_table,
                 .partition = {each.identifier, each.id_name, each.id_value}}
            );
        }
        next.clear();
        TRY_VOID(storage::read_each(
            store,
            std::move(queries),
            [&](std::size_t, const Rows& rows) -> Result<void> {
                for (std::size_t row = 0; row < rows.size(); ++row) {
                    TRY(Fact fact, read_row(rows, row));
                    for (Id& id : ids_of(fact)) {
                        if (component.ids.insert(id).second) {
                            next.push_back(std::move(id));
                        }
                    }
                    const auto [known, is_new] = component.facts.try_emplace(fact.id, fact);
                    if (!is_new) {
                        merge(known->second, fact);
                    }
                }
                return {};
            }
        ));
        if (component.facts.size() > most) {
            return fail(
                ErrorKind::overloaded,
                fmt::format(
                    "more than {} statements hang together here; what follows from them is not "
                    "computed",
                    most
                )
            );
        }
    }
    return component;
}

Result<std::optional<Fact>> read_fact(storage::Store& store, const Id& id, const FactId& fact) {
    const std::string bytes = bytes_of(fact);
    TRY(const Rows rows,
        storage::read_all(
            store,
            {.table = &identity_fact_table,
             .partition = {id.identifier, id.id_name, id.id_value},
             .from = {bytes},
             .through = {bytes}}
        ));
    std::optional<Fact> read;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        TRY(Fact told, read_row(rows, row));
        if (read) {
            merge(*read, told);
        } else {
            read = std::move(told);
        }
    }
    return read;
}

Result<std::optional<Fact>> find_fact(storage::Store& store, const FactId& fact) {
    TRY(const auto anchor, storage::read_one(store, fact_anchor_table, {bytes_of(fact)}));
    if (!anchor) {
        return std::nullopt;
    }
    const Id id{
        std::get<std::string>((*anchor)[1]),
        std::get<std::string>((*anchor)[2]),
        std::get<std::string>((*anchor)[3])
    };
    return read_fact(store, id, fact);
}

Result<void> merge_with_rows(storage::Store& store, std::vector<ToldFact>& told) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(told.size());
    for (const ToldFact& each : told) {
        keys.push_back(key_of(each.fact.ids.front(), each));
    }
    TRY(const storage::Found found,
        storage::read_many(store, identity_fact_table, std::move(keys)));
    for (std::size_t at = 0; at < told.size(); ++at) {
        if (const auto row = found.row_of_key[at]) {
            TRY(const Fact stored, read_row(found.rows, *row));
            merge(told[at].fact, stored);
        }
    }
    return {};
}

void add_rows(const ToldFact& told, storage::Batch& batch) {
    const Fact& fact = told.fact;
    const std::string id = bytes_of(fact.id);
    const Id& anchor = fact.ids.front();
    batch.upsert(fact_anchor_table, {id, anchor.identifier, anchor.id_name, anchor.id_value});
    const std::string ids = stored_text(fact.ids);
    const std::string others = stored_text(fact.others);
    const std::string about = fact.about ? bytes_of(*fact.about) : std::string{};
    for (const Id& each : ids_of(fact)) {
        batch.upsert(
            identity_fact_table,
            {each.identifier,
             each.id_name,
             each.id_value,
             id,
             told.writer,
             kind_names[static_cast<std::size_t>(fact.kind)],
             ids,
             others,
             about,
             microseconds_of(fact.first),
             microseconds_of(fact.last),
             microseconds_of(fact.recorded),
             fact.source,
             fact.author,
             fact.reason}
        );
    }
}

}  // namespace footfall::identities
