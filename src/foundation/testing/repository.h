#pragma once

#include <string>
#include <string_view>

namespace footfall {

/// The path of a file or folder of the repository that these tests were built from, which a test
/// reads or starts: "docs/formats/keys.md". It need not exist.
std::string in_repository(std::string_view path);

}  // namespace footfall
