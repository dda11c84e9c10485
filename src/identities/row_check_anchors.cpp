#include "identities/fact_rows.h"
#include "identities/profile_rows.h"
#include "identities/row_check.h"
#include "identities/said_facts.h"
#include "identities/schema.h"
#include "identities/sid.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::identities {
namespace {

/// Of what begins with the sid that it is of.
constexpr std::size_t anchored_sid_column = 0;

/// Of an anchor: behind its name.
Id id_at(const storage::Rows& rows, std::size_t row) {
    return {
        std::string{rows.at(row, 1).text()},
        std::string{rows.at(row, 2).text()},
        std::string{rows.at(row, 3).text()}
    };
}

FactId fact_id_at(const storage::Rows& rows, std::size_t row) {
    FactId fact;
    const std::string_view bytes = rows.at(row, 0).text();
    std::copy_n(bytes.begin(), std::min(bytes.size(), fact.bytes.size()), fact.bytes.begin());
    return fact;
}

}  // namespace

Result<void> RowCheck::check_anchors(const storage::Rows& rows) {
    std::vector<Id> ids;
    ids.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        ids.push_back(id_at(rows, row));
    }
    TRY(const Index index, read_index(*store_, ids));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string sid = read_sid(rows.at(row, anchored_sid_column).text());
        if (!index.contains(ids[row]) || names().of(ids[row]) != sid) {
            TRY_VOID(suspect([this, sid] { return look_at_anchor(sid); }));
        }
    }
    return {};
}

Result<RowCheck::Differences> RowCheck::look_at_anchor(const std::string& sid) const {
    TRY(const auto id, read_anchor(*store_, sid));
    if (!id) {
        return Differences{};
    }
    if (names().of(*id) != sid) {
        return Differences{
            fmt::format("sid {} is said to be of {}, and is not", sid, object_of(*id))
        };
    }
    TRY(const Index index, read_index(*store_, {&*id, 1}));
    return index.empty() && !has_noted({&*id, 1})
               ? Differences{fmt::format(
                     "sid {} was given out for {}, which is in no profile", sid, object_of(*id)
                 )}
               : Differences{};
}

Result<void> RowCheck::check_fact_anchors(const storage::Rows& rows) {
    std::vector<storage::RangeQuery> queries;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const storage::Value name = rows.at(row, 0).owned();
        const Id id = id_at(rows, row);
        queries.push_back(
            {.table = &identity_fact_table,
             .partition = {id.identifier, id.id_name, id.id_value},
             .from = {name},
             .through = {name}}
        );
    }
    std::vector<bool> is_found(queries.size());
    TRY_VOID(storage::read_each(
        *store_,
        std::move(queries),
        [&](std::size_t at, const storage::Rows& some) {
            is_found[at] = is_found[at] || !some.empty();
            return Result<void>{};
        }
    ));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!is_found[row]) {
            TRY_VOID(suspect([this, fact = fact_id_at(rows, row)] {
                return look_at_fact_anchor(fact);
            }));
        }
    }
    return {};
}

Result<RowCheck::Differences> RowCheck::look_at_fact_anchor(const FactId& fact) const {
    const auto found = find_fact(*store_, fact);
    if (!found && found.error().kind != ErrorKind::corrupt) {
        return std::unexpected(found.error());
    }
    return found && *found
               ? Differences{}
               : Differences{
                     fmt::format("fact {} is looked for where no row of it is", text_of(fact))
                 };
}

}  // namespace footfall::identities
