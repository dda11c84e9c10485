#include "ads/parties.h"

#include "ads/schema.h"
#include "events/event_keys.h"
#include "runtime/lanes.h"
#include "storage/blocking.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace footfall::ads {

void Parties::add(
    PartyKind kind, std::string_view party, std::string_view currency, storage::Batch& batch
) const {
    batch.upsert(
        tables_of(kind).party, {std::int64_t{events::lane_of(party, secret_)}, party, currency}
    );
}

Result<std::set<std::string>> Parties::currencies(PartyKind kind, std::string_view party) const {
    TRY(const storage::Rows rows,
        storage::read_all(
            *store_,
            {.table = &tables_of(kind).party,
             .partition = {std::int64_t{events::lane_of(party, secret_)}},
             .from = {std::string{party}},
             .through = {std::string{party}}}
        ));
    std::set<std::string> currencies;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        currencies.emplace(rows.at(row, 2).text());
    }
    return currencies;
}

Result<Parties::Listed> Parties::list(
    PartyKind kind, std::string_view prefix, std::string_view after, std::size_t most
) const {
    constexpr std::size_t rows_a_party = 4;
    const std::string from{std::max(prefix, after)};
    std::vector<storage::RangeQuery> queries;
    queries.reserve(runtime::lane_count);
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        storage::RangeQuery query{
            .table = &tables_of(kind).party,
            .partition = {std::int64_t{lane}},
            .max_rows = rows_a_party * (most + 2)
        };
        if (!from.empty()) {
            query.from = {from};
        }
        queries.push_back(std::move(query));
    }
    TRY(const std::vector<storage::Page> pages, storage::read_pages(*store_, std::move(queries)));
    std::map<std::string, std::set<std::string>> found;
    // Of a lane whose page ends early nothing is known from its last party on.
    std::optional<std::string> known_before;
    for (const storage::Page& page : pages) {
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            const std::string_view party = page.rows.at(row, 1).text();
            if (!party.empty() && party.starts_with(prefix) && party > after) {
                found[std::string{party}].emplace(page.rows.at(row, 2).text());
            }
        }
        if (!page.continuation.empty()) {
            const std::string_view last = page.rows.at(page.rows.size() - 1, 1).text();
            if (!known_before || last < *known_before) {
                known_before = last;
            }
        }
    }
    Listed listed;
    for (auto& [party, currencies] : found) {
        if (listed.parties.size() == most || (known_before && party >= *known_before)) {
            listed.more = true;
            break;
        }
        listed.parties.push_back({.party = party, .currencies = std::move(currencies)});
    }
    return listed;
}

}  // namespace footfall::ads
