#pragma once

#include "foundation/result.h"
#include "moving/tally.h"
#include "storage/store.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace footfall::moving {

/// One table of an export: its file is `NAME.rows`.
struct ExportedTable {
    std::string name;
    Tally tally = {};

    friend bool operator==(const ExportedTable&, const ExportedTable&) = default;
};

/// What a whole export holds; its file `manifest` is written last, so where it is the export is
/// complete.
struct Manifest {
    std::string deployment;  ///< Whose rows: deployment_name().
    std::vector<ExportedTable> tables = {};

    std::uint64_t rows() const;
};

/// Tells one deployment from another: a hash of its secret, or "none" where nothing was ever
/// served.
Result<std::string> deployment_name(storage::Store& store);

std::filesystem::path rows_path(const std::filesystem::path& directory, std::string_view table);

Result<void> write_manifest(const std::filesystem::path& directory, const Manifest& manifest);

/// `not_found` where there is no complete export, `corrupt` when it is damaged.
Result<Manifest> read_manifest(const std::filesystem::path& directory);

/// Names an export: the same for the same rows of the same deployment.
std::string export_id(const Manifest& manifest);

}  // namespace footfall::moving
