#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace footfall::people {

/// HyperLogLog with 2^14 registers and the estimator that Redis took up in version 5 (Ertl, "New
/// cardinality estimation algorithms for HyperLogLog sketches", arXiv 1702.01284): what we are held
/// against. `./bench people` compares its answers with a real Redis.
class HyperLogLog {
public:
    static constexpr unsigned precision = 14;
    static constexpr unsigned rank_max = 64 - precision + 1;

    /// As Redis takes it: the low bits name the register, the zeros above give the rank.
    void add(std::uint64_t hash);

    void set(std::size_t index, unsigned rank) { ranks_[index] = static_cast<std::uint8_t>(rank); }

    std::size_t size() const { return ranks_.size(); }

    /// Redis answers the whole number next to it.
    double count() const;

private:
    std::vector<std::uint8_t> ranks_ = std::vector<std::uint8_t>(std::size_t{1} << precision);
};

/// MurmurHash64A (Appleby, 2008; public domain), which Redis calls with the seed below.
std::uint64_t murmur_hash(std::string_view bytes, std::uint64_t seed);

inline constexpr std::uint64_t redis_seed = 0xadc83b19;

/// The one element of eight bytes whose hash by murmur_hash() is `hash`: everybody can aim where
/// the seed is known.
std::uint64_t element_with_murmur_hash(std::uint64_t hash, std::uint64_t seed);

}  // namespace footfall::people
