#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

namespace footfall::test_support {

/// The bytes of all write-ahead logs of a data directory: grows with all that is stored, also while
/// another process has it open.
inline std::uint64_t log_bytes(const std::string& data) {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator{data, error}) {
        const std::uint64_t size = entry.path().extension() == ".log" ? entry.file_size(error) : 0;
        bytes += error ? 0 : size;
    }
    return bytes;
}

}  // namespace footfall::test_support
