// Registers and estimates of another implementation of ExaLogLog, the Rust crate `exaloglog`:
// exaloglog/Cargo.toml tells how its file is made.

#include "foundation_testing/repository.h"
#include "sketches/registers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace footfall::people {
namespace {

using sketches::Registers;

/// A line of the file.
struct Known {
    std::string made;
    unsigned precision = 0;
    std::uint64_t people = 0;
    std::string digest;
    double likelihood = 0;
    std::string martingale;
};

std::uint64_t splitmix64(std::uint64_t number) {
    std::uint64_t mixed = number + 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return mixed ^ mixed >> 31;
}

Registers of(unsigned precision, std::uint64_t from, std::uint64_t to) {
    Registers registers{precision};
    for (std::uint64_t number = from; number < to; ++number) {
        registers.add(splitmix64(number));
    }
    return registers;
}

Registers made(const Known& known) {
    if (known.made == "united") {
        Registers registers = of(known.precision, 0, known.people);
        registers.unite(of(known.precision, known.people / 2, known.people * 3 / 2));
        return registers;
    }
    if (known.made == "reduced") {
        return of(16, 0, known.people).reduced(known.precision);
    }
    EXPECT_EQ(known.made, "added");
    return of(known.precision, 0, known.people);
}

/// FNV-1a over their bytes.
std::string digest(const Registers& registers) {
    std::uint64_t digest = 0xcbf29ce484222325;
    for (const sketches::Register cells : registers.all()) {
        for (unsigned at = 0; at < 32; at += 8) {
            digest = (digest ^ (cells >> at & 0xff)) * 0x100000001b3;
        }
    }
    return fmt::format("{:016x}", digest);
}

TEST(OtherImplementation, makes_the_same_registers_and_estimates) {
    std::ifstream file{in_repository("tests/people/exaloglog/registers.txt")};
    int compared = 0;
    for (std::string line; std::getline(file, line); ++compared) {
        SCOPED_TRACE(line);
        Known known;
        std::istringstream{line} >> known.made >> known.precision >> known.people >> known.digest >>
            known.likelihood >> known.martingale;
        const Registers registers = made(known);
        EXPECT_EQ(digest(registers), known.digest);
        // Its likelihood is without the correction of the bias.
        const auto likelihood =
            sketches::Likelihood::of_registers(registers.all(), registers.precision());
        EXPECT_NEAR(sketches::most_likely(likelihood) / known.likelihood, 1, 1e-6);
        if (known.martingale != "-") {
            EXPECT_NEAR(registers.people() / std::stod(known.martingale), 1, 1e-6);
        }
    }
    EXPECT_EQ(compared, 50);
}

}  // namespace
}  // namespace footfall::people
