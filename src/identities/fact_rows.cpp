#include "identities/fact_rows.h"

#include "identities/fact_bytes.h"
#include "identities/schema.h"
#include "identities/standing.h"
#include "identities/stored_data.h"
#include "identities/stored_ids.h"
#include "identities/stored_instant.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace footfall::identities {
namespace {

using storage::Rows;

constexpr std::size_t page_bytes = 64 << 10;

/// What `last` is of a fact that was said at one time only, as most are: a row of it is shorter,
/// and no time is before 1970.
constexpr std::int64_t said_once = 0;

/// Of identity_fact.
enum FactColumn : std::size_t {
    fact_column = 3,
    writer_column,
    kind_column,
    ids_column,
    others_column,
    about_column,
    first_column,
    last_column,
    recorded_column,
    source_column,
    author_column,
    reason_column,
    datum_column
};

Result<FactKind> read_kind(std::string_view name) {
    if (const auto kind = kind_named(name)) {
        return *kind;
    }
    return fail(
        ErrorKind::corrupt,
        fmt::format("a row of identities is damaged, or of a newer version: kind {}", name)
    );
}

std::vector<storage::Value> key_of(const Id& id, const FactId& fact, const std::string& writer) {
    return {id.identifier, id.id_name, id.id_value, bytes_of(fact), writer};
}

}  // namespace

Result<Fact> read_row(const storage::Rows& rows, std::size_t row) {
    Fact fact;
    TRY(fact.id, read_fact_id(rows.at(row, fact_column).text()));
    TRY(fact.kind, read_kind(rows.at(row, kind_column).text()));
    TRY(fact.ids, read_stored_ids(rows.at(row, ids_column).text()));
    TRY(fact.others, read_stored_ids(rows.at(row, others_column).text()));
    if (const std::string_view about = rows.at(row, about_column).text(); !about.empty()) {
        TRY(fact.about, read_fact_id(about));
    }
    fact.first = instant_of(rows.at(row, first_column).number());
    const std::int64_t last = rows.at(row, last_column).number();
    fact.last = last == said_once ? fact.first : instant_of(last);
    fact.recorded = instant_of(rows.at(row, recorded_column).number());
    fact.source = rows.at(row, source_column).text();
    fact.author = rows.at(row, author_column).text();
    fact.reason = rows.at(row, reason_column).text();
    TRY(fact.datum, read_stored_datum(rows.at(row, datum_column).text()));
    return fact;
}

std::vector<Fact> list_of(const Facts& facts) {
    std::vector<Fact> list;
    list.reserve(facts.size());
    for (const auto& [id, fact] : facts) {
        list.push_back(fact);
    }
    return list;
}

/// What decides so stands before all other facts (seal()).
bool is_lifted(const Facts& facts, const Id& id) {
    std::vector<Fact> decisions;
    for (auto at = facts.begin(); at != facts.end() && stands_first(at->first); ++at) {
        if (std::ranges::binary_search(at->second.ids, id)) {
            decisions.push_back(at->second);
        }
    }
    const std::vector<Standing> standings = standing_of(decisions);
    for (std::size_t at = 0; at < decisions.size(); ++at) {
        if (decisions[at].kind == FactKind::lift && standings[at] == Standing::holds) {
            return true;
        }
    }
    return false;
}

Result<void> for_facts_of(
    storage::Store& store,
    const Id& id,
    const std::function<Result<void>(std::span<const Fact> facts)>& take
) {
    storage::RangeQuery query{
        .table = &identity_fact_table,
        .partition = {id.identifier, id.id_name, id.id_value},
        .max_bytes = page_bytes
    };
    do {
        TRY(const storage::Page page, storage::read_page(store, query));
        std::vector<Fact> facts;
        facts.reserve(page.rows.size());
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            TRY(Fact fact, read_row(page.rows, row));
            facts.push_back(std::move(fact));
        }
        TRY_VOID(take(facts));
        query.continuation = page.continuation;
    } while (!query.continuation.empty());
    return {};
}

Result<void> for_others_of(
    storage::Store& store,
    const Id& id,
    const std::function<Result<void>(const std::vector<Id>& others)>& take
) {
    return for_facts_of(store, id, [&](std::span<const Fact> facts) {
        std::vector<Id> others;
        for (const Fact& each : facts) {
            if (each.kind == FactKind::link) {
                std::ranges::copy(each.ids, std::back_inserter(others));
            }
        }
        arrange(others);
        return take(others);
    });
}

Result<Component> read_component(storage::Store& store, std::span<const Id> ids, std::size_t most) {
    Component component{.facts = {}, .ids = {ids.begin(), ids.end()}};
    std::vector<AskedId> next;
    next.reserve(component.ids.size());
    for (const Id& each : component.ids) {
        next.push_back({.id = each});
    }
    while (!next.empty()) {
        Facts facts;
        TRY_VOID(read_facts(store, next, most, facts));
        next.clear();
        for (auto& [id, fact] : facts) {
            for (const Id& each : ids_of(fact)) {
                if (component.ids.insert(each).second) {
                    next.push_back({.id = each});
                }
            }
            component.facts.insert_or_assign(id, std::move(fact));
        }
        if (component.facts.size() > most) {
            return too_many_facts(most);
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

Result<std::vector<std::optional<Fact>>> read_each_fact(
    storage::Store& store, std::span<const FactOf> facts
) {
    std::vector<storage::RangeQuery> queries;
    queries.reserve(facts.size());
    for (const FactOf& each : facts) {
        const std::string bytes = bytes_of(each.fact);
        queries.push_back(
            {.table = &identity_fact_table,
             .partition = {each.holder.identifier, each.holder.id_name, each.holder.id_value},
             .from = {bytes},
             .through = {bytes}}
        );
    }
    std::vector<std::optional<Fact>> read(facts.size());
    TRY_VOID(storage::read_each(
        store,
        std::move(queries),
        [&](std::size_t at, const Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                TRY(Fact told, read_row(rows, row));
                if (read[at]) {
                    merge(*read[at], told);
                } else {
                    read[at] = std::move(told);
                }
            }
            return {};
        }
    ));
    return read;
}

Result<std::vector<bool>> are_in_rows(storage::Store& store, std::span<const Fact* const> facts) {
    std::vector<FactOf> asked;
    asked.reserve(facts.size());
    for (const Fact* const each : facts) {
        asked.push_back({.holder = holders_of(*each).front(), .fact = each->id});
    }
    TRY(const auto read, read_each_fact(store, asked));
    std::vector<bool> are_in(facts.size());
    for (std::size_t at = 0; at < facts.size(); ++at) {
        const std::optional<Fact>& there = read[at];
        are_in[at] = there && there->first <= facts[at]->first && facts[at]->last <= there->last;
    }
    return are_in;
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

Result<FactRow> read_fact_row(const Rows& rows, std::size_t row) {
    FactRow read{
        .holder =
            {std::string{rows.at(row, 0).text()},
             std::string{rows.at(row, 1).text()},
             std::string{rows.at(row, 2).text()}},
        .told = {.writer = std::string{rows.at(row, writer_column).text()}, .fact = {.ids = {}}}
    };
    TRY(read.told.fact, read_row(rows, row));
    return read;
}

Result<std::vector<std::optional<Fact>>> read_places(
    storage::Store& store, std::span<const FactPlace> places
) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(places.size());
    for (const FactPlace& each : places) {
        keys.push_back(key_of(each.holder, each.fact, each.writer));
    }
    TRY(const storage::Found found,
        storage::read_many(store, identity_fact_table, std::move(keys)));
    std::vector<std::optional<Fact>> facts(places.size());
    for (std::size_t at = 0; at < places.size(); ++at) {
        const auto row = found.row_of_key[at];
        if (auto fact = row ? read_row(found.rows, *row) : fail(ErrorKind::not_found, "")) {
            facts[at] = *std::move(fact);
        }
    }
    return facts;
}

Result<void> merge_with_rows(storage::Store& store, std::vector<ToldFact>& told) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(told.size());
    for (const ToldFact& each : told) {
        keys.push_back(key_of(holders_of(each.fact).front(), each.fact.id, each.writer));
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
    const std::vector<Id> holders = holders_of(fact);
    const Id& anchor = holders.front();
    batch.upsert(fact_anchor_table, {id, anchor.identifier, anchor.id_name, anchor.id_value});
    const std::string ids = stored_text(fact.ids);
    const std::string others = stored_text(fact.others);
    const std::string about = fact.about ? bytes_of(*fact.about) : std::string{};
    const std::int64_t last = fact.last == fact.first ? said_once : microseconds_of(fact.last);
    for (const Id& each : holders) {
        batch.upsert(
            identity_fact_table,
            {each.identifier,
             each.id_name,
             each.id_value,
             id,
             told.writer,
             name_of(fact.kind),
             ids,
             others,
             about,
             microseconds_of(fact.first),
             last,
             microseconds_of(fact.recorded),
             fact.source,
             fact.author,
             fact.reason,
             stored_text(fact.datum)}
        );
    }
}

}  // namespace footfall::identities
