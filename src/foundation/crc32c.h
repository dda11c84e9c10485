#pragma once

#include <cstdint>
#include <string_view>

namespace footfall {

/// CRC-32C (Castagnoli) of what `before` is the checksum of, followed by `bytes`: a checksum can be
/// had in parts. About 8 GB/s where the processor has the instruction (SSE 4.2), else 0.4.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

/// The same without the instruction; for tests.
std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t before = 0);

}  // namespace footfall
