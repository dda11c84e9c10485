#include "identities/fact_rows.h"

#include "identities/schema.h"
#include "identities/stored_ids.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace footfall::identities {
namespace {

using storage::Rows;

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
    if (const auto kind = kind_named(name)) {
        return *kind;
    }
    return fail(
        ErrorKind::corrupt,
        fmt::format("a row of identities is damaged, or of a newer version: kind {}", name)
    );
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

/// Reads what hangs together, step by step from some ids.
class ComponentReader {
public:
    ComponentReader(storage::Store& store, std::size_t most) : store_{store}, most_{most} {}

    Result<Component> read(std::span<const Id> ids) {
        for (const Id& each : ids) {
            note(each);
        }
        while (!next_.empty()) {
            std::vector<storage::RangeQuery> queries;
            for (; !next_.empty() && queries.size() < ids_at_once; next_.pop_back()) {
                const Id& id = next_.back();
                queries.push_back(
                    {.table = &identity_fact_table,
                     .partition = {id.identifier, id.id_name, id.id_value},
                     .max_bytes = page_bytes}
                );
            }
            TRY_VOID(read_all(std::move(queries)));
        }
        return std::move(component_);
    }

private:
    static constexpr std::size_t ids_at_once = 64;
    static constexpr std::size_t page_bytes = 1 << 20;

    void note(const Id& id) {
        if (component_.ids.insert(id).second) {
            next_.push_back(id);
        }
    }

    /// A page at a time where there are many: an id may have more than memory holds.
    Result<void> read_all(std::vector<storage::RangeQuery> queries) {
        TRY(std::vector<storage::Page> pages, storage::read_pages(store_, queries));
        for (std::size_t at = 0; at < pages.size(); ++at) {
            storage::Page page = std::move(pages[at]);
            for (;;) {
                TRY_VOID(take(page.rows));
                if (page.continuation.empty()) {
                    break;
                }
                queries[at].continuation = std::move(page.continuation);
                TRY(page, storage::read_page(store_, queries[at]));
            }
        }
        return {};
    }

    Result<void> take(const Rows& rows) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            TRY(Fact fact, read_row(rows, row));
            for (const Id& id : ids_of(fact)) {
                note(id);
            }
            const auto [known, is_new] = component_.facts.try_emplace(fact.id, fact);
            if (!is_new) {
                merge(known->second, fact);
            }
        }
        if (component_.facts.size() > most_) {
            return fail(
                ErrorKind::conflict,
                fmt::format(
                    "more than {} statements hang together with these ids: they are kept, and no "
                    "profile is made of them",
                    most_
                )
            );
        }
        return {};
    }

    storage::Store& store_;
    const std::size_t most_;
    Component component_;
    std::vector<Id> next_;
};

}  // namespace

Result<Component> read_component(storage::Store& store, std::span<const Id> ids, std::size_t most) {
    return ComponentReader{store, most}.read(ids);
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
        keys.push_back(key_of(holders_of(each.fact).front(), each));
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
             microseconds_of(fact.last),
             microseconds_of(fact.recorded),
             fact.source,
             fact.author,
             fact.reason}
        );
    }
}

}  // namespace footfall::identities
