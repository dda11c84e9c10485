#include "changed_row.h"

#include "ads/schema.h"
#include "storage/blocking.h"
#include "storage/decimal.h"
#include "test_support/must.h"

#include <cstddef>
#include <vector>

namespace footfall {

using test_support::must;

void change_a_row(
    storage::Store& store,
    const std::string& reseller,
    const std::string& currency,
    std::int64_t micros
) {
    const storage::Table& table = ads::reseller_tables.day;
    const storage::Rows rows =
        must(storage::read_all(store, {.table = &table, .partition = {reseller, currency}}));
    if (rows.empty()) {
        test_support::give_up("no amount of " + reseller + " in " + currency);
    }
    std::vector<storage::Value> row;
    row.reserve(table.width());
    for (std::size_t at = 0; at < table.width(); ++at) {
        row.push_back(rows.at(0, at).owned());
        if (table.column(at).name == "amount") {
            const auto amount = must(storage::decimal_of(rows.at(0, at).text()));
            row.back() = storage::decimal_bytes(amount + micros);
        }
    }
    storage::Batch batch;
    batch.upsert(table, storage::views_of(row));
    must(storage::write_durably(store, batch));
}

}  // namespace footfall
