#include "moving/import_progress.h"

#include "storage/blocking.h"

#include <array>
#include <string_view>
#include <utility>

namespace footfall::moving {
namespace {

constexpr const char* row_name = "tables";
constexpr std::array<std::string_view, 3> phase_names{"rows", "verify", "done"};

std::uint64_t unsigned_in(const storage::Value& value) {
    return static_cast<std::uint64_t>(std::get<std::int64_t>(value));
}

}  // namespace

Result<std::optional<ImportProgress>> read_progress(storage::Store& store) {
    TRY(const auto row, storage::read_one(store, import_progress_table, {std::string{row_name}}));
    if (!row) {
        return std::nullopt;
    }
    const std::string& phase = std::get<std::string>((*row)[2]);
    for (std::size_t at = 0; at < phase_names.size(); ++at) {
        if (phase == phase_names[at]) {
            return ImportProgress{
                .export_id = std::get<std::string>((*row)[1]),
                .phase = static_cast<ImportProgress::Phase>(at),
                .table = unsigned_in((*row)[3]),
                .offset = unsigned_in((*row)[4]),
                .rows = unsigned_in((*row)[5])
            };
        }
    }
    return fail(ErrorKind::corrupt, "the progress of an import is in no phase that there is");
}

Result<void> write_progress(storage::Store& store, const ImportProgress& progress) {
    storage::Batch batch;
    batch.upsert(
        import_progress_table,
        {row_name,
         std::string_view{progress.export_id},
         phase_names[static_cast<std::size_t>(progress.phase)],
         static_cast<std::int64_t>(progress.table),
         static_cast<std::int64_t>(progress.offset),
         static_cast<std::int64_t>(progress.rows)}
    );
    return storage::write_durably(store, batch);
}

Result<void> check_whole(storage::Store& store) {
    TRY(const auto progress, read_progress(store));
    if (!progress || progress->phase == ImportProgress::Phase::done) {
        return {};
    }
    return fail(
        ErrorKind::conflict,
        "an import into this store was cut short: run the same `footfall import-tables` again, it "
        "goes on where it was"
    );
}

}  // namespace footfall::moving
