#include "moving/verify_table.h"

#include "moving/row_file.h"
#include "moving/table_scan.h"
#include "storage/key_codec.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace footfall::moving {
namespace {

Result<Tally> tally_of_store(
    storage::Store& store,
    const storage::Table& table,
    std::int64_t moment,
    const std::function<void(std::uint64_t)>& observe
) {
    Tally tally;
    TableScan scan{store, table, {}};
    for (;;) {
        TRY(const bool more, scan.next_page());
        if (!more) {
            return tally;
        }
        std::uint64_t rows = 0;
        TRY_VOID(scan.for_each([&](EncodedRow row, std::int64_t expires) -> Result<void> {
            if (lives_at(expires, moment)) {
                tally.add(row.key, row.values);
            }
            ++rows;
            return {};
        }));
        observe(rows);
    }
}

/// Rows are encoded anew: an older program wrote fewer columns.
Result<Tally> tally_of_file(
    const std::filesystem::path& path,
    const storage::Table& table,
    std::int64_t moment,
    const Tally& said
) {
    Tally tally;
    TRY(RowFileReader reader, RowFileReader::open(path));
    std::vector<storage::ValueView> values;
    std::string encoded;
    for (;;) {
        TRY(const std::optional<EncodedRow> row, reader.next());
        if (!row) {
            break;
        }
        values.clear();
        encoded.clear();
        TRY_VOID(storage::decode_row_values(table, row->values, values));
        storage::append_row_values(table, values, encoded);
        TRY(const std::int64_t expires, storage::decode_expires(table, encoded));
        if (lives_at(expires, moment)) {
            tally.add(row->key, encoded);
        }
    }
    if (reader.tally() != said) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("{} has not the rows that the manifest says", path.string())
        );
    }
    return tally;
}

}  // namespace

Result<Verified> verify_table(
    storage::Store& store,
    const storage::Table& table,
    const std::filesystem::path& directory,
    const Tally& said,
    const Clock& clock,
    const std::function<void(std::uint64_t)>& observe
) {
    // A store keeps rows for an hour after their time.
    constexpr std::chrono::hours kept{1};
    Instant moment = clock.now();
    for (;;) {
        const std::int64_t number = moment.time_since_epoch().count();
        const Instant begun = clock.now();
        Verified verified;
        TRY(verified.found, tally_of_store(store, table, number, observe));
        const Instant ended = clock.now();
        if (table.expires.empty() || ended <= moment + kept) {
            TRY(verified.expected,
                tally_of_file(rows_path(directory, table.name), table, number, said));
            return verified;
        }
        moment = ended + 2 * (ended - begun);
    }
}

}  // namespace footfall::moving
