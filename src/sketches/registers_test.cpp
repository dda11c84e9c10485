#include "sketches/registers.h"

#include "foundation/random.h"
#include "foundation_testing/rounds.h"
#include "sketches/coder.h"
#include "sketches/standard_error.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace footfall::sketches {
namespace {

std::vector<std::uint64_t> hashes(std::size_t count, std::uint64_t seed) {
    Random random{seed};
    std::vector<std::uint64_t> hashes(count);
    std::ranges::generate(hashes, [&] { return random(); });
    return hashes;
}

Registers registers_of(
    std::span<const std::uint64_t> hashes, unsigned precision = usual_precision
) {
    Registers registers{precision};
    for (const std::uint64_t hash : hashes) {
        registers.add(hash);
    }
    return registers;
}

bool same(const Registers& left, const Registers& right) {
    return std::ranges::equal(left.all(), right.all());
}

TEST(Registers, do_not_depend_on_order_or_repetition) {
    std::vector<std::uint64_t> all = hashes(5000, 1);
    const Registers once = registers_of(all);
    all.insert(all.end(), all.begin(), all.begin() + 2500);
    Random random{2};
    for (int round = 0; round < 5; ++round) {
        std::shuffle(all.begin(), all.end(), random);
        EXPECT_TRUE(same(registers_of(all), once));
    }
}

TEST(Registers, a_union_is_what_all_together_would_have_made) {
    const std::vector<std::uint64_t> all = hashes(20'000, 3);
    const Registers whole = registers_of(all);
    Random random{4};
    for (int round = 0; round < 10; ++round) {
        std::vector<Registers> parts(1 + random.below(8));
        for (const std::uint64_t hash : all) {
            parts[random.below(parts.size())].add(hash);
            parts[random.below(parts.size())].add(hash);
        }
        while (parts.size() > 1) {
            Registers last = std::move(parts.back());
            parts.pop_back();
            parts[random.below(parts.size())].unite(last);
        }
        EXPECT_TRUE(same(parts.front(), whole));
        EXPECT_NEAR(parts.front().most_likely(), whole.most_likely(), 1e-6);
    }
}

TEST(Registers, reducing_commutes_with_adding) {
    for (const std::size_t count : {std::size_t{10}, std::size_t{1000}, std::size_t{100'000}}) {
        const std::vector<std::uint64_t> all = hashes(count, count);
        const Registers fine = registers_of(all, 12);
        for (unsigned precision = lowest_precision; precision <= 12; ++precision) {
            EXPECT_TRUE(same(fine.reduced(precision), registers_of(all, precision)));
        }
    }
}

TEST(Registers, reducing_counts_the_zeros_of_the_index_where_all_above_are_zero) {
    Random random{5};
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::uint64_t> all = hashes(1 + random.below(50), random());
        for (std::uint64_t& hash : all) {
            hash >>= random.below(63);  // nothing but zeros above, often
        }
        const Registers fine = registers_of(all, 12);
        for (const unsigned precision : {4U, 7U, 11U}) {
            ASSERT_TRUE(same(fine.reduced(precision), registers_of(all, precision)));
        }
    }
}

TEST(Registers, unite_with_finer_ones) {
    const Registers fine = registers_of(hashes(3000, 6), 12);
    Registers coarse = registers_of(hashes(3000, 7), 9);
    coarse.unite(fine);
    std::vector<std::uint64_t> both = hashes(3000, 6);
    const std::vector<std::uint64_t> others = hashes(3000, 7);
    both.insert(both.end(), others.begin(), others.end());
    EXPECT_TRUE(same(coarse, registers_of(both, 9)));
}

/// Root of the mean square of relative errors, and their mean.
struct Errors {
    double root_mean_square = 0;
    double mean = 0;

    void add(double error, int runs) {
        root_mean_square = std::hypot(root_mean_square, error / std::sqrt(runs));
        mean += error / runs;
    }
};

TEST(Registers, count_as_closely_as_the_paper_says) {
    const auto runs = static_cast<int>(rounds(200));
    for (const std::size_t count : {std::size_t{1000}, std::size_t{20'000}, std::size_t{100'000}}) {
        const auto people = static_cast<double>(count);
        Errors likely;
        Errors martingale;
        for (std::size_t run = 0; run < static_cast<std::size_t>(runs); ++run) {
            const Registers registers = registers_of(hashes(count, count + run));
            likely.add(registers.most_likely() / people - 1, runs);
            martingale.add(registers.people() / people - 1, runs);
        }
        fmt::print(
            "{} people: {:.3f} % by likelihood, {:.3f} % by martingale\n",
            people,
            100 * likely.root_mean_square,
            100 * martingale.root_mean_square
        );
        const double theory = likelihood_error(people);
        EXPECT_LT(likely.root_mean_square, theory * 1.2);
        EXPECT_GT(likely.root_mean_square, theory / 1.2);
        EXPECT_LT(martingale.root_mean_square, martingale_error(people, 0) * 1.2);
        EXPECT_GT(martingale.root_mean_square, martingale_error(people, 0) / 1.2);
        EXPECT_NEAR(likely.mean, 0, 4 * theory / std::sqrt(runs));
        EXPECT_NEAR(martingale.mean, 0, 4 * theory / std::sqrt(runs));
    }
}

TEST(Registers, know_which_values_change_nothing) {
    Random random{8};
    Registers registers;
    for (int at = 0; at < 3'000'000; ++at) {
        const std::uint64_t hash = random();
        if (at % 10'000 == 0) {
            const unsigned lowest = registers.lowest_open_value();
            Registers copy = registers;
            const bool changed = copy.add(hash);
            EXPECT_TRUE(!changed || update_of(hash, usual_precision).value >= lowest);
        }
        registers.add(hash);
    }
    EXPECT_GT(registers.lowest_open_value(), 1U);
}

TEST(Registers, come_back_from_bytes) {
    const Registers registers = registers_of(hashes(10'000, 9));
    std::string bytes;
    append_registers(registers.all(), registers.people_a_register(), bytes);
    Result<Registers> read = Registers::read(bytes);
    ASSERT_TRUE(read);
    EXPECT_TRUE(same(*read, registers));
    EXPECT_NEAR(read->people(), registers.most_likely(), 1e-9);
    read->set_people(registers.people());
    Registers original = registers;
    for (const std::uint64_t hash : hashes(10'000, 10)) {
        EXPECT_EQ(read->add(hash), original.add(hash));
    }
    EXPECT_EQ(read->people(), original.people()) << "to the last bit";
}

}  // namespace
}  // namespace footfall::sketches
