#include "identities/unfinished_rows.h"

#include "identities/schema.h"
#include "identities/stored_ids.h"
#include "storage/blocking.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace footfall::identities {

namespace {

constexpr std::size_t token_column = 1;
constexpr std::size_t settled_ids_column = 2;

}  // namespace

Result<std::vector<Unfinished>> read_unfinished(storage::Store& store, const std::string& writer) {
    TRY(const storage::Rows rows,
        storage::read_all(store, {.table = &identity_settling_table, .partition = {writer}}));
    std::vector<Unfinished> all;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        Unfinished unfinished{.writer = writer, .token = rows.at(row, token_column).number()};
        TRY(unfinished.ids, read_stored_ids(rows.at(row, settled_ids_column).text()));
        all.push_back(std::move(unfinished));
    }
    return all;
}

Result<std::vector<Id>> read_unfinished_ids(
    storage::Store& store, std::span<const std::string> writers
) {
    std::vector<storage::RangeQuery> queries;
    queries.reserve(writers.size());
    for (const std::string& each : writers) {
        queries.push_back({.table = &identity_settling_table, .partition = {each}});
    }
    std::vector<Id> ids;
    TRY_VOID(storage::read_each(
        store,
        std::move(queries),
        [&](std::size_t /*at*/, const storage::Rows& rows) -> Result<void> {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                TRY(std::vector<Id> some, read_stored_ids(rows.at(row, settled_ids_column).text()));
                std::ranges::move(some, std::back_inserter(ids));
            }
            return {};
        }
    ));
    return ids;
}

void add_unfinished(const Unfinished& unfinished, storage::Batch& batch) {
    batch.upsert(
        identity_settling_table, {unfinished.writer, unfinished.token, stored_text(unfinished.ids)}
    );
}

void erase_unfinished(const Unfinished& unfinished, storage::Batch& batch) {
    batch.erase(identity_settling_table, {unfinished.writer, unfinished.token});
}

}  // namespace footfall::identities
