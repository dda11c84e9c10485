#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace footfall {

/// All files below it. What goes while it is looked for is left out, and nothing else.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& directory);

/// All that is in it; empty where it is gone.
std::string bytes_of_file(const std::filesystem::path& path);

/// Whether a file below the directory has these bytes in it. Other threads may use the files.
bool is_in_files_below(const std::filesystem::path& directory, std::string_view bytes);

/// Whether no file below the directory has these bytes any more, some seconds from now at the
/// latest: files that are given up are removed a little later.
bool goes_from_files_below(const std::filesystem::path& directory, std::string_view bytes);

}  // namespace footfall
