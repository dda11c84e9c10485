#pragma once

#include "foundation/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::moving {

/// A small text file with a checksum as its last line, put in place of an older one as a whole:
/// after a crash there is the one or the other. Lines are "NAME VALUE".
struct TextLine {
    std::string_view name;
    std::string_view value;
};

/// `text` with its checksum as its last line.
std::string seal(std::string_view text);

/// The text without its seal; absent when it is not as it was sealed.
std::optional<std::string> unseal(std::string_view sealed);

/// Writes `text`, lines that each end, and seals it. Returns when it is durable.
Result<void> write_sealed(const std::filesystem::path& path, std::string_view text);

/// The text without its seal; absent when there is no such file; `corrupt` when it is not as it was
/// written.
Result<std::optional<std::string>> read_sealed(const std::filesystem::path& path);

/// The lines of `text`, which they point into.
std::vector<TextLine> lines_of(std::string_view text);

}  // namespace footfall::moving
