#include "sketches/coder.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace footfall::sketches {
namespace {

/// Registers that have seen about so many hashes: each cell is set with the chance it then has.
std::vector<Register> registers_of(double people, unsigned precision, Random& random) {
    std::vector<Register> registers(std::size_t{1} << precision);
    for (Register& cells : registers) {
        for (unsigned value = 1; value <= largest_value(precision); ++value) {
            const auto exponent = static_cast<int>(exponent_of_octave(octave_of(value), precision));
            const double mean = people / static_cast<double>(registers.size());
            if (random.fraction() < -std::expm1(-std::ldexp(mean, -exponent))) {
                cells = with_value(cells, value);
            }
        }
    }
    return registers;
}

std::string packed(const std::vector<Register>& registers, double people) {
    std::string bytes;
    append_registers(registers, people / static_cast<double>(registers.size()), bytes);
    return bytes;
}

TEST(Coder, gives_back_all_registers_whatever_it_was_told_to_expect) {
    Random random{1};
    for (const unsigned precision : {lowest_precision, 7U, 11U, highest_precision}) {
        for (const double people : {0.0, 1.0, 100.0, 1e4, 1e6, 1e12, 1e18, 1e22}) {
            const std::vector<Register> registers = registers_of(people, precision, random);
            for (const double told : {people, people / 1000 + 1, 1e-9, 1e30}) {
                std::vector<Register> read(registers.size());
                const Result<void> taken = take_registers(packed(registers, told), read);
                ASSERT_TRUE(taken) << precision << " " << people << " " << told;
                ASSERT_EQ(read, registers);
            }
        }
    }
}

TEST(Coder, writes_the_same_bytes_as_ever) {
    struct Written {
        int people;
        std::size_t size;
        std::uint64_t digest;  // FNV-1a
    };

    for (const Written& once : {
             Written{0, 18, 0x4bb47edc11b8349d},
             Written{30, 58, 0x0a02daa8819da41a},
             Written{1000, 802, 0xb47ed4c62518aff1},
             Written{500'000, 4550, 0x310e8d2110096824},
         }) {
        Random random{static_cast<std::uint64_t>(once.people) + 11};
        std::vector<Register> registers(2048);
        for (int at = 0; at < once.people; ++at) {
            const Update update = update_of(random(), 11);
            registers[update.index] = with_value(registers[update.index], update.value);
        }
        const std::string bytes = packed(registers, once.people + 1);
        std::uint64_t digest = 0xcbf29ce484222325;
        for (const char byte : bytes) {
            digest = (digest ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
        }
        EXPECT_EQ(bytes.size(), once.size) << once.people;
        EXPECT_EQ(digest, once.digest) << once.people;
    }
}

TEST(Coder, takes_as_many_bytes_as_the_note_on_sketches_promises) {
    Random random{2};
    const auto mean = [&](double people) {
        std::size_t bytes = 0;
        for (int round = 0; round < 20; ++round) {
            bytes += packed(registers_of(people, 11, random), people).size();
        }
        return static_cast<double>(bytes) / 20;
    };
    EXPECT_NEAR(mean(300), 307 + 16, 20);
    EXPECT_NEAR(mean(1000), 792 + 16, 30);
    EXPECT_NEAR(mean(1e4), 3331 + 16, 50);
    EXPECT_NEAR(mean(1e6), 4540 + 16, 50);
    EXPECT_NEAR(mean(1e9), 4540 + 16, 50);
}

TEST(Coder, refuses_what_is_damaged) {
    Random random{3};
    const std::string sound = packed(registers_of(5000, 11, random), 5000);
    std::vector<Register> read(2048);
    for (std::size_t length = 0; length < sound.size(); length += 1 + length / 50) {
        EXPECT_FALSE(take_registers(std::string_view{sound}.substr(0, length), read)) << length;
    }
    EXPECT_FALSE(take_registers(sound + "more", read));
    int refused = 0;
    constexpr int rounds = 2000;
    for (int round = 0; round < rounds; ++round) {
        std::string damaged = sound;
        char& byte = damaged[random.below(damaged.size())];
        byte = static_cast<char>(byte ^ (1 << random.below(8)));
        refused += take_registers(damaged, read) ? 0 : 1;
    }
    EXPECT_GT(refused, rounds * 99 / 100);
}

}  // namespace
}  // namespace footfall::sketches
