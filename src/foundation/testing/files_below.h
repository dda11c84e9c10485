#pragma once

#include <filesystem>
#include <string_view>

namespace footfall {

/// Whether a file below the directory has these bytes in it. Other threads may use the files.
bool is_in_files_below(const std::filesystem::path& directory, std::string_view bytes);

/// Whether no file below the directory has these bytes any more, some seconds from now at the
/// latest: files that are given up are removed a little later.
bool goes_from_files_below(const std::filesystem::path& directory, std::string_view bytes);

}  // namespace footfall
