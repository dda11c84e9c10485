#include "hyperloglog.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

namespace footfall::people {
namespace {

constexpr std::uint64_t multiplier = 0xc6a4a7935bd1e995;
constexpr unsigned shift = 47;

double sigma(double share) {
    if (share == 1) {
        return std::numeric_limits<double>::infinity();
    }
    double weight = 1;
    double sum = share;
    for (double before = -1; before != sum;) {
        before = sum;
        share *= share;
        sum += share * weight;
        weight *= 2;
    }
    return sum;
}

double tau(double share) {
    if (share == 0 || share == 1) {
        return 0;
    }
    double weight = 1;
    double sum = 1 - share;
    for (double before = -1; before != sum;) {
        before = sum;
        share = std::sqrt(share);
        weight /= 2;
        sum -= (1 - share) * (1 - share) * weight;
    }
    return sum / 3;
}

/// Of an odd number, modulo 2^64: Newton doubles the bits that are right, of which there are three
/// at first.
constexpr std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t found = odd;
    for (int round = 0; round < 5; ++round) {
        found *= 2 - odd * found;
    }
    return found;
}

static_assert(inverse(multiplier) * multiplier == 1);

std::uint64_t mixed(std::uint64_t word) {
    word *= multiplier;
    word ^= word >> shift;
    return word * multiplier;
}

std::uint64_t unmixed(std::uint64_t word) {
    word *= inverse(multiplier);
    word ^= word >> shift;  // undoes itself, for the shift is more than half of the word
    return word * inverse(multiplier);
}

}  // namespace

void HyperLogLog::add(std::uint64_t hash) {
    const std::uint64_t above = hash >> precision | std::uint64_t{1} << (64 - precision);
    const auto rank = static_cast<std::uint8_t>(std::countr_zero(above) + 1);
    std::uint8_t& known = ranks_[hash & (ranks_.size() - 1)];
    known = std::max(known, rank);
}

double HyperLogLog::count() const {
    std::array<double, rank_max + 1> ranks{};
    for (const std::uint8_t rank : ranks_) {
        ++ranks[rank];
    }
    const auto registers = static_cast<double>(ranks_.size());
    double sum = registers * tau((registers - ranks[rank_max]) / registers);
    for (unsigned rank = rank_max - 1; rank >= 1; --rank) {
        sum = (sum + ranks[rank]) / 2;
    }
    sum += registers * sigma(ranks[0] / registers);
    return registers * registers / (2 * std::numbers::ln2 * sum);
}

std::uint64_t murmur_hash(std::string_view bytes, std::uint64_t seed) {
    std::uint64_t hash = seed ^ (bytes.size() * multiplier);
    for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof(word));
        hash = (hash ^ mixed(word)) * multiplier;
    }
    if (!bytes.empty()) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), bytes.size());
        hash = (hash ^ word) * multiplier;
    }
    hash = (hash ^ hash >> shift) * multiplier;
    return hash ^ hash >> shift;
}

std::uint64_t element_with_murmur_hash(std::uint64_t hash, std::uint64_t seed) {
    hash ^= hash >> shift;
    hash *= inverse(multiplier);
    hash ^= hash >> shift;
    hash *= inverse(multiplier);
    return unmixed(hash ^ seed ^ (sizeof(std::uint64_t) * multiplier));
}

}  // namespace footfall::people
