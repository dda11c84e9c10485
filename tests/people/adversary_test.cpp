// Who knows the hash can choose elements that count as a multitude, or as nobody: it works on
// Redis' HyperLogLog, would work on our registers, and has no effect where the hash is keyed.

#include "arrivals.h"
#include "foundation/random.h"
#include "foundation/siphash.h"
#include "hyperloglog.h"
#include "sketches/sketch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace footfall::people {
namespace {

constexpr std::size_t elements_count = 16'384;
constexpr double multitude = 1e9;

using Elements = std::vector<std::uint64_t>;

std::string_view bytes_of(const std::uint64_t& element) {
    return {reinterpret_cast<const char*>(&element), sizeof(element)};
}

/// A rank of 31 for each register of Redis.
Elements multitude_for_redis() {
    Elements elements;
    for (std::uint64_t index = 0; index < elements_count; ++index) {
        const std::uint64_t hash = index | std::uint64_t{1} << (HyperLogLog::precision + 30);
        elements.push_back(element_with_murmur_hash(hash, redis_seed));
    }
    return elements;
}

/// Eight high values for each register of ours.
Elements multitude_for_registers() {
    constexpr unsigned first_value = 140;
    constexpr unsigned values = 8;
    Elements elements;
    for (std::uint32_t at = 0; at < elements_count; ++at) {
        const std::uint64_t hash =
            hash_with({.index = at / values, .value = first_value + at % values});
        elements.push_back(element_with_murmur_hash(hash, redis_seed));
    }
    return elements;
}

/// All of them the most frequent value of one register, of ours and of Redis.
Elements nobody() {
    Elements elements;
    for (std::uint64_t at = 0; at < elements_count; ++at) {
        // The highest bit: no zeros in front; the two above the index of Redis: rank 1.
        const std::uint64_t hash = std::uint64_t{1} << 63 | at << 40 | std::uint64_t{3} << 14;
        elements.push_back(element_with_murmur_hash(hash, redis_seed));
    }
    return elements;
}

double in_redis(const Elements& elements) {
    HyperLogLog registers;
    for (const std::uint64_t& element : elements) {
        registers.add(murmur_hash(bytes_of(element), redis_seed));
    }
    return registers.count();
}

double unkeyed(const Elements& elements) {
    sketches::Sketch sketch;
    for (const std::uint64_t& element : elements) {
        sketch.add(murmur_hash(bytes_of(element), redis_seed));
    }
    return sketch.people().count;
}

double likelihood_unkeyed(const Elements& elements) {
    sketches::Registers registers;
    for (const std::uint64_t& element : elements) {
        registers.add(murmur_hash(bytes_of(element), redis_seed));
    }
    return registers.most_likely();
}

void expect_no_effect_where_keyed(const Elements& elements) {
    Random random{3};
    const SipKey secret{.k0 = random(), .k1 = random()};
    sketches::Sketch sketch;
    sketches::Registers registers;
    for (const std::uint64_t& element : elements) {
        const std::uint64_t hash = siphash13(secret, bytes_of(element));
        sketch.add(hash);
        registers.add(hash);
    }
    const auto count = static_cast<double>(elements.size());
    const sketches::Estimate people = sketch.people();
    EXPECT_NEAR(people.count, count, 5 * people.error * count);
    EXPECT_NEAR(registers.most_likely(), count, 5 * 0.0076 * count);
}

TEST(Adversary, a_hash_without_a_secret_can_be_aimed_at) {
    Random random{1};
    for (int round = 0; round < 1000; ++round) {
        const std::uint64_t hash = random();
        const std::uint64_t element = element_with_murmur_hash(hash, redis_seed);
        ASSERT_EQ(murmur_hash(bytes_of(element), redis_seed), hash);
    }
}

TEST(Adversary, a_multitude_for_redis_is_counted_one_by_one_where_the_hash_is_keyed) {
    const Elements elements = multitude_for_redis();
    EXPECT_GT(in_redis(elements), multitude);
    expect_no_effect_where_keyed(elements);
}

TEST(Adversary, a_multitude_for_our_registers_needs_to_know_the_hash) {
    const Elements elements = multitude_for_registers();
    EXPECT_GT(likelihood_unkeyed(elements), multitude);
    EXPECT_GT(unkeyed(elements), multitude);
    expect_no_effect_where_keyed(elements);
}

TEST(Adversary, people_that_count_as_nobody_need_to_know_the_hash) {
    const Elements elements = nobody();
    EXPECT_LT(in_redis(elements), 2);
    EXPECT_LT(likelihood_unkeyed(elements), 2);
    EXPECT_LT(unkeyed(elements), sketches::Sketch::tokens_max + 2);
    expect_no_effect_where_keyed(elements);
}

TEST(HyperLogLog, counts_as_closely_as_its_theory_says) {
    Random random{2};
    for (const double people : {10.0, 1000.0, 30'000.0, 300'000.0}) {
        HyperLogLog registers;
        for (int at = 0; at < static_cast<int>(people); ++at) {
            registers.add(random());
        }
        EXPECT_NEAR(registers.count(), people, 4 * 0.0081 * people);
    }
    EXPECT_EQ(HyperLogLog{}.count(), 0);
}

}  // namespace
}  // namespace footfall::people
