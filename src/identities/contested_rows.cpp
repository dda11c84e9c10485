#include "identities/contested_rows.h"

#include "identities/fact_bytes.h"
#include "identities/schema.h"
#include "identities/stored_ids.h"
#include "storage/blocking.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace footfall::identities {
namespace {

enum ContestedColumn : std::size_t { link_column = 1, pair_column, guard_column };

constexpr std::int64_t buckets = 16;

/// In the order of facts, so that a walk through the buckets is one through them.
std::int64_t bucket_of(const FactId& link) {
    return link.bytes.front() >> 4;
}

Result<Contested> read_contested_row(const storage::Rows& rows, std::size_t row) {
    Contested contested{.ids = {}};
    TRY(contested.fact, read_fact_id(rows.at(row, link_column).text()));
    TRY(contested.ids, read_stored_ids(rows.at(row, pair_column).text()));
    const std::string_view guard = rows.at(row, guard_column).text();
    const auto objection = objection_named(guard);
    if (!objection) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("a row of identities is damaged, or of a newer version: guard {}", guard)
        );
    }
    contested.objection = *objection;
    return contested;
}

}  // namespace

Result<ContestedLinks> read_contested(storage::Store& store, const std::set<FactId>& links) {
    std::vector<std::vector<storage::Value>> keys;
    keys.reserve(links.size());
    for (const FactId& each : links) {
        keys.push_back({bucket_of(each), bytes_of(each)});
    }
    ContestedLinks contested;
    if (keys.empty()) {
        return contested;
    }
    TRY(const storage::Found found,
        storage::read_many(store, identity_contested_table, std::move(keys)));
    for (std::size_t row = 0; row < found.rows.size(); ++row) {
        TRY(Contested each, read_contested_row(found.rows, row));
        const FactId link = each.fact;
        contested.emplace(link, std::move(each));
    }
    return contested;
}

Result<ContestedPage> contested_after(storage::Store& store, const ContestedAsked& asked) {
    constexpr std::size_t rows_at_once = 1000;
    ContestedPage page;
    std::size_t looked_at = 0;
    std::optional<FactId> last;
    const std::optional<FactId>& after = asked.after;
    for (std::int64_t bucket = after ? bucket_of(*after) : 0; bucket < buckets; ++bucket) {
        storage::RangeQuery query{.table = &identity_contested_table, .partition = {bucket}};
        if (after && bucket == bucket_of(*after)) {
            query.from = {bytes_of(*after)};
        }
        do {
            // One more than is wanted tells whether there are more, and one is `after` itself.
            query.max_rows = asked.objection ? rows_at_once : asked.most + 2 - page.links.size();
            TRY(const storage::Page read, storage::read_page(store, query));
            for (std::size_t row = 0; row < read.rows.size(); ++row) {
                TRY(Contested each, read_contested_row(read.rows, row));
                if (after && each.fact <= *after) {
                    continue;
                }
                if (page.links.size() == asked.most || looked_at == asked.looked_at_most) {
                    page.next = last;
                    return page;
                }
                ++looked_at;
                last = each.fact;
                if (!asked.objection || each.objection == *asked.objection) {
                    page.links.push_back(std::move(each));
                }
            }
            query.continuation = read.continuation;
        } while (!query.continuation.empty());
    }
    return page;
}

void add_contested(const Contested& contested, storage::Batch& batch) {
    batch.upsert(
        identity_contested_table,
        {bucket_of(contested.fact),
         bytes_of(contested.fact),
         stored_text(contested.ids),
         name_of(contested.objection)}
    );
}

void erase_contested(const FactId& link, storage::Batch& batch) {
    batch.erase(identity_contested_table, {bucket_of(link), bytes_of(link)});
}

}  // namespace footfall::identities
