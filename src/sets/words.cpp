#include "sets/words.h"

#include <bit>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace footfall::sets {
namespace {

std::uint32_t common_by_words(const Low* one, const Low* other, std::size_t lows) {
    std::uint32_t bits = 0;
    for (std::size_t at = 0; at < lows; at += sizeof(std::uint64_t) / sizeof(Low)) {
        std::uint64_t left = 0;
        std::uint64_t right = 0;
        std::memcpy(&left, one + at, sizeof left);
        std::memcpy(&right, other + at, sizeof right);
        bits += static_cast<std::uint32_t>(std::popcount(left & right));
    }
    return bits;
}

#ifdef __x86_64__

/// Bits of each half of a byte by a table in a register, then summed (Muła, Kurz and Lemire,
/// "Faster population counts using AVX2 instructions", 2018).
[[gnu::target("avx2")]] std::uint32_t common_by_avx2(
    const Low* one, const Low* other, std::size_t lows
) {
    const __m256i of_half = _mm256_setr_epi8(
        0,
        1,
        1,
        2,
        1,
        2,
        2,
        3,
        1,
        2,
        2,
        3,
        2,
        3,
        3,
        4,
        0,
        1,
        1,
        2,
        1,
        2,
        2,
        3,
        1,
        2,
        2,
        3,
        2,
        3,
        3,
        4
    );
    const __m256i half = _mm256_set1_epi8(0x0f);
    __m256i sums = _mm256_setzero_si256();
    for (std::size_t at = 0; at < lows; at += bit_counter_step) {
        __m256i bits = _mm256_setzero_si256();
        for (std::size_t part = 0; part < bit_counter_step; part += bit_counter_step / 2) {
            const auto* left = reinterpret_cast<const __m256i*>(one + at + part);
            const auto* right = reinterpret_cast<const __m256i*>(other + at + part);
            const __m256i both =
                _mm256_and_si256(_mm256_loadu_si256(left), _mm256_loadu_si256(right));
            const __m256i low = _mm256_and_si256(both, half);
            const __m256i high = _mm256_and_si256(_mm256_srli_epi16(both, 4), half);
            bits = _mm256_add_epi8(bits, _mm256_shuffle_epi8(of_half, low));
            bits = _mm256_add_epi8(bits, _mm256_shuffle_epi8(of_half, high));
        }
        sums = _mm256_add_epi64(sums, _mm256_sad_epu8(bits, _mm256_setzero_si256()));
    }
    return static_cast<std::uint32_t>(
        _mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) +
        _mm256_extract_epi64(sums, 2) + _mm256_extract_epi64(sums, 3)
    );
}

[[gnu::target("avx512f,avx512vpopcntdq")]] std::uint32_t common_by_avx512(
    const Low* one, const Low* other, std::size_t lows
) {
    __m512i sums = _mm512_setzero_si512();
    for (std::size_t at = 0; at < lows; at += bit_counter_step) {
        const __m512i both =
            _mm512_and_si512(_mm512_loadu_si512(one + at), _mm512_loadu_si512(other + at));
        sums = _mm512_add_epi64(sums, _mm512_popcnt_epi64(both));
    }
    return static_cast<std::uint32_t>(_mm512_reduce_add_epi64(sums));
}

#endif

}  // namespace

std::vector<BitCounter> bit_counters() {
    std::vector<BitCounter> counters{{.name = "words", .common = common_by_words, .block_ns = 850}};
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") != 0) {
        counters.push_back({.name = "AVX2", .common = common_by_avx2, .block_ns = 170});
    }
    if (__builtin_cpu_supports("avx512vpopcntdq") != 0) {
        counters.push_back({.name = "AVX-512", .common = common_by_avx512, .block_ns = 110});
    }
#endif
    return counters;
}

const BitCounter& bit_counter() {
    static const BitCounter fastest = bit_counters().back();
    return fastest;
}

}  // namespace footfall::sets
