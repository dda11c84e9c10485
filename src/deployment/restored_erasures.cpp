#include "deployment/restored_erasures.h"

#include "erasure/schema.h"
#include "moving/manifest.h"
#include "moving/row_file.h"
#include "storage/deployment.h"
#include "storage/key_codec.h"

#include <chrono>
#include <string>
#include <vector>

namespace footfall::deployment {

Result<std::size_t> restore_erasures(
    storage::Store& store, const std::filesystem::path& newer_export, const Clock& clock
) {
    const storage::Table& table = erasure::erasure_table;
    TRY(const moving::Manifest manifest, moving::read_manifest(newer_export));
    TRY(const std::string deployment, moving::deployment_name(store));
    if (manifest.deployment != deployment) {
        return fail(
            ErrorKind::conflict,
            "the export with the newer erasures is of another deployment, whose hashes say nothing "
            "here"
        );
    }
    TRY(auto reader, moving::RowFileReader::open(moving::rows_path(newer_export, table.name)));
    TRY_VOID(moving::check_header(reader.header(), table, manifest.deployment));
    std::vector<erasure::LedgerRow> rows;
    std::vector<storage::ValueView> columns;
    std::string texts;
    for (;;) {
        TRY(const auto row, reader.next());
        if (!row) {
            break;
        }
        TRY_VOID(storage::decode_key(table, row->key, columns, texts));
        TRY_VOID(storage::decode_row_values(table, row->values, columns));
        rows.push_back(
            {.hash = std::string{columns.at(1).text()},
             .erased =
                 {.at = Instant{std::chrono::microseconds{columns.at(2).number()}},
                  .count = static_cast<std::uint32_t>(columns.at(3).number())}}
        );
    }
    TRY(const SipKey secret, storage::load_secret(store));
    TRY(const auto ledger, erasure::Ledger::open(store, secret));
    TRY(const erasure::Receipt receipt, ledger->take_over(rows, clock.now()));
    static_cast<void>(receipt);
    return rows.size();
}

}  // namespace footfall::deployment
