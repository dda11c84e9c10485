#include "foundation/utf8.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace footfall {
namespace {

struct Sequence {
    std::size_t length = 0;  // 0: not a lead byte
    unsigned char second_min = 0x80;
    unsigned char second_max = 0xbf;
};

/// Table 3-7 of the Unicode standard: what may follow a lead byte.
Sequence sequence_of(unsigned char lead) {
    if (lead >= 0xc2 && lead <= 0xdf) {
        return {.length = 2};
    }
    if (lead >= 0xe0 && lead <= 0xef) {
        const auto min = static_cast<unsigned char>(lead == 0xe0 ? 0xa0 : 0x80);
        const auto max = static_cast<unsigned char>(lead == 0xed ? 0x9f : 0xbf);
        return {.length = 3, .second_min = min, .second_max = max};
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        const auto min = static_cast<unsigned char>(lead == 0xf0 ? 0x90 : 0x80);
        const auto max = static_cast<unsigned char>(lead == 0xf4 ? 0x8f : 0xbf);
        return {.length = 4, .second_min = min, .second_max = max};
    }
    return {};
}

/// The length of the leading run of ASCII, eight bytes at a time.
std::size_t ascii_prefix(std::string_view text) {
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + at, 8);
        if ((word & 0x8080808080808080) != 0) {
            break;
        }
    }
    while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) {
        ++at;
    }
    return at;
}

}  // namespace

bool is_utf8(std::string_view text) {
    for (;;) {
        text.remove_prefix(ascii_prefix(text));
        if (text.empty()) {
            return true;
        }
        const Sequence sequence = sequence_of(static_cast<unsigned char>(text[0]));
        if (sequence.length == 0 || text.size() < sequence.length) {
            return false;
        }
        const auto second = static_cast<unsigned char>(text[1]);
        if (second < sequence.second_min || second > sequence.second_max) {
            return false;
        }
        for (std::size_t at = 2; at < sequence.length; ++at) {
            if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80) {
                return false;
            }
        }
        text.remove_prefix(sequence.length);
    }
}

}  // namespace footfall
