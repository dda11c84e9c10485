#include "identities/unfinished_rows.h"

#include "identities/schema.h"
#include "identities/stored_ids.h"
#include "storage/blocking.h"

#include <utility>

namespace footfall::identities {

Result<std::vector<Unfinished>> read_unfinished(storage::Store& store, const std::string& writer) {
    constexpr std::size_t token_column = 1;
    constexpr std::size_t settled_ids_column = 2;
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

void add_unfinished(const Unfinished& unfinished, storage::Batch& batch) {
    batch.upsert(
        identity_settling_table, {unfinished.writer, unfinished.token, stored_text(unfinished.ids)}
    );
}

void erase_unfinished(const Unfinished& unfinished, storage::Batch& batch) {
    batch.erase(identity_settling_table, {unfinished.writer, unfinished.token});
}

}  // namespace footfall::identities
