#pragma once

#include "foundation/crc32c.h"
#include "foundation/fixed_bytes.h"
#include "foundation/varint.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// How state is put into bytes: numbers of a size lowest byte first, and a CRC-32C at the end.
namespace footfall::rankings {

/// A text behind its length.
inline void append_text(std::string_view text, std::string& out) {
    append_varint(text.size(), out);
    out += text;
}

inline bool take_text(std::string_view& bytes, std::size_t longest, std::string_view& text) {
    std::uint64_t size = 0;
    if (!take_varint(bytes, size) || size > bytes.size() || size > longest) {
        return false;
    }
    text = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return true;
}

inline void append_checksum(std::string& out) {
    append_fixed(crc32c(out), out);
}

/// Takes the version off the front and the checksum off the end; false: they are others.
inline bool take_frame(std::string_view& bytes, char version) {
    constexpr std::size_t checksum_bytes = sizeof(std::uint32_t);
    if (bytes.size() < 1 + checksum_bytes || bytes.front() != version) {
        return false;
    }
    std::string_view checksum = bytes.substr(bytes.size() - checksum_bytes);
    bytes.remove_suffix(checksum_bytes);
    std::uint32_t expected = 0;
    const bool is_right = take_fixed(checksum, expected) && crc32c(bytes) == expected;
    bytes.remove_prefix(1);
    return is_right;
}

}  // namespace footfall::rankings
