#include "foundation/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

#ifdef __x86_64__
#include <nmmintrin.h>
#endif

namespace footfall {
namespace {

constexpr std::uint32_t polynomial = 0x82f63b78;  // its bits in reverse

constexpr std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t byte = 0; byte < made.size(); ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
        }
        made[byte] = crc;
    }
    return made;
}();

#ifdef __x86_64__
[[gnu::target("sse4.2")]] std::uint32_t crc32c_by_instruction(
    std::string_view bytes, std::uint32_t before
) {
    std::uint64_t crc = ~before;
    while (bytes.size() >= sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof(word));
        crc = _mm_crc32_u64(crc, word);
        bytes.remove_prefix(sizeof(word));
    }
    auto rest = static_cast<std::uint32_t>(crc);
    for (const char byte : bytes) {
        rest = _mm_crc32_u8(rest, static_cast<unsigned char>(byte));
    }
    return ~rest;
}
#endif

}  // namespace

std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t before) {
    std::uint32_t crc = ~before;
    for (const char byte : bytes) {
        crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
    }
    return ~crc;
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
#ifdef __x86_64__
    static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
    if (has_instruction) {
        return crc32c_by_instruction(bytes, before);
    }
#endif
    return crc32c_by_table(bytes, before);
}

}  // namespace footfall
