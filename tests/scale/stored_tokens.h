#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace footfall::scale {

/// How many tokens of an object of the default counter, without an expiry, a data directory holds
/// that no program uses: row by row, since above its limit a counter does not count them. About a
/// microsecond a token. Throws when it cannot be read.
std::uint64_t stored_tokens(const std::filesystem::path& data, const std::string& object);

}  // namespace footfall::scale
