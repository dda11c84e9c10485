#include "foundation/siphash.h"

#include <bit>
#include <cstring>

namespace footfall {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as little-endian");

/// The four words of state of section 2 of the paper.
struct SipState {
    std::uint64_t v0, v1, v2, v3;

    void round() {
        v0 += v1;
        v1 = std::rotl(v1, 13) ^ v0;
        v0 = std::rotl(v0, 32);
        v2 += v3;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 += v3;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 += v1;
        v1 = std::rotl(v1, 17) ^ v2;
        v2 = std::rotl(v2, 32);
    }

    void absorb(std::uint64_t word) {
        v3 ^= word;
        round();
        v0 ^= word;
    }
};

}  // namespace

std::uint64_t siphash13(SipKey key, std::string_view bytes) {
    SipState state{
        .v0 = key.k0 ^ 0x736f6d6570736575,
        .v1 = key.k1 ^ 0x646f72616e646f6d,
        .v2 = key.k0 ^ 0x6c7967656e657261,
        .v3 = key.k1 ^ 0x7465646279746573
    };
    const char* next = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 8; left -= 8, next += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, next, 8);
        state.absorb(word);
    }
    std::uint64_t last = 0;
    if (left > 0) {
        std::memcpy(&last, next, left);
    }
    state.absorb(last | (static_cast<std::uint64_t>(bytes.size()) << 56));
    state.v2 ^= 0xff;
    state.round();
    state.round();
    state.round();
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

}  // namespace footfall
