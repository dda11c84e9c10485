// Our side of ./bench segments, and the members of all sides.
//
//   sets_bench write FILE SETS MEMBERS NUMBERS SHARED
//       sets of so many of the numbers below NUMBERS, of which SHARED of a hundred come from a
//       twentieth of the numbers that is the same for all sets
//   sets_bench pairs|sketches FILE SETS OUT   each pair, exactly or by sketches: sets_side.h
//   sets_bench two FILE SETS                  the first two sets alone
//   sets_bench several FILE SETS              an expression, combinations, bytes, growth

#include "foundation/parse_number.h"
#include "foundation/random.h"
#include "foundation/siphash.h"
#include "sets/expression.h"
#include "sets/matrix.h"
#include "sets_side.h"
#include "sketches/joint.h"

#include <array>
#include <cstring>
#include <string_view>

namespace {

using namespace footfall;
using namespace footfall::benchmarks;
using sets::NumberSet;

std::size_t number_of(std::string_view text) {
    const auto number = parse_unsigned(text);
    if (!number) {
        fmt::print(stderr, "sets_bench: not a number: {}\n", text);
        std::exit(2);
    }
    return *number;
}

/// `wanted` of the numbers below `numbers`, in order.
Members some_of(std::size_t wanted, std::size_t numbers, std::size_t shared, Random& random) {
    constexpr std::size_t shared_part = 20;
    std::vector<bool> chosen(numbers);
    for (std::size_t found = 0; found < wanted;) {
        const std::uint64_t bound = random.below(100) < shared ? numbers / shared_part : numbers;
        const std::uint64_t number = random.below(bound);
        if (!chosen[number]) {
            chosen[number] = true;
            ++found;
        }
    }
    Members members;
    members.reserve(wanted);
    for (std::size_t number = 0; number < numbers; ++number) {
        if (chosen[number]) {
            members.push_back(static_cast<std::uint32_t>(number));
        }
    }
    return members;
}

int write_members(std::span<char* const> words) {
    const std::size_t sets = number_of(words[1]);
    Random random{1};
    std::ofstream file{words[0], std::ios::binary};
    for (std::size_t at = 0; at < sets; ++at) {
        const Members members =
            some_of(number_of(words[2]), number_of(words[3]), number_of(words[4]), random);
        file.write(
            reinterpret_cast<const char*>(members.data()),
            static_cast<std::streamsize>(members.size() * sizeof(std::uint32_t))
        );
    }
    return file.good() ? 0 : 1;
}

std::vector<const NumberSet*> pointers(const std::vector<NumberSet>& sets) {
    std::vector<const NumberSet*> found;
    for (const NumberSet& set : sets) {
        found.push_back(&set);
    }
    return found;
}

class Ours {
public:
    void build(const Members& members) { sets_.push_back(NumberSet::of_sorted(members)); }

    Pairs count() const {
        const sets::Matrix found = sets::matrix(pointers(sets_));
        Pairs pairs(found.sets() * found.sets());
        for (std::size_t one = 0; one < found.sets(); ++one) {
            for (std::size_t other = 0; other < found.sets(); ++other) {
                pairs[one * found.sets() + other] = static_cast<double>(found.common(one, other));
            }
        }
        return pairs;
    }

private:
    std::vector<NumberSet> sets_;
};

std::vector<NumberSet> read_sets(const char* path, std::size_t wanted, std::size_t sets) {
    std::vector<NumberSet> read;
    std::ifstream file{path, std::ios::binary};
    const std::size_t size = std::filesystem::file_size(path) / sets / sizeof(std::uint32_t);
    for (std::size_t at = 0; at < wanted; ++at) {
        read.push_back(NumberSet::of_sorted(read_members(file, size)));
    }
    return read;
}

/// Median of CPU, in microseconds.
template <class Step>
double median_us(int rounds, const Step& step) {
    std::vector<double> taken;
    for (int round = 0; round < rounds; ++round) {
        const double before = cpu_seconds();
        step();
        taken.push_back((cpu_seconds() - before) * 1e6);
    }
    std::ranges::sort(taken);
    return taken[taken.size() / 2];
}

int measure_two(std::span<char* const> words) {
    const std::vector<NumberSet> two = read_sets(words[0], 2, number_of(words[1]));
    const auto asked = pointers(two);
    std::uint64_t common = 0;
    const double us = median_us(201, [&] { common = sets::count({.all = asked}); });
    fmt::print("{{\"us\": {:.2f}, \"common\": {}}}\n", us, common);
    return 0;
}

int measure_several(std::span<char* const> words) {
    const std::vector<NumberSet> read = read_sets(words[0], 12, number_of(words[1]));
    const auto asked = pointers(read);
    const std::span all{asked};
    const sets::Expression expression{
        .all = all.subspan(0, 2), .any = all.subspan(2, 5), .none = all.subspan(7, 3)
    };
    std::uint64_t found = 0;
    const double count_us = median_us(51, [&] { found = sets::count(expression); });
    std::vector<std::uint64_t> combined;
    const double combined_us =
        median_us(11, [&] { combined = sets::combinations(all.subspan(0, 8)); });
    std::string bytes;
    const double write_us = median_us(11, [&] { bytes = read[0].written(); });
    const double read_us = median_us(11, [&] { found += NumberSet::read(bytes)->size() == 0; });
    NumberSet grown;
    const double add_us = median_us(1, [&] {
        Random random{2};
        for (std::size_t at = 0; at < 1'000'000; ++at) {
            grown.add(static_cast<sets::Number>(random.below(15'000'000)));
        }
    });
    fmt::print(
        "{{\"expression_us\": {:.0f}, \"found\": {}, \"combinations_us\": {:.0f}, \"write_us\": "
        "{:.0f}, \"read_us\": {:.0f}, \"stored_bytes\": {}, \"add_ns\": {:.0f}}}\n",
        count_us,
        found,
        combined_us,
        write_us,
        read_us,
        bytes.size(),
        add_us / 1e3
    );
    return 0;
}

/// Ours where sets do not fit.
class BySketches {
public:
    void build(const Members& members) {
        sketches::Registers registers;
        for (const std::uint32_t member : members) {
            std::array<char, sizeof member> text{};
            std::memcpy(text.data(), &member, sizeof member);
            registers.add(siphash13(secret, {text.data(), text.size()}));
        }
        registers_.push_back(std::move(registers));
    }

    Pairs count() const {
        Pairs pairs(registers_.size() * registers_.size());
        for (std::size_t one = 0; one < registers_.size(); ++one) {
            pairs[one * registers_.size() + one] = registers_[one].most_likely();
            for (std::size_t other = one + 1; other < registers_.size(); ++other) {
                pairs[one * registers_.size() + other] =
                    sketches::joint(
                        registers_[one].all(), registers_[other].all(), sketches::usual_precision
                    )
                        .common.count;
            }
        }
        return pairs;
    }

private:
    static constexpr SipKey secret{.k0 = 1, .k1 = 2};

    std::vector<sketches::Registers> registers_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::span words{argv, static_cast<std::size_t>(argc)};
    const std::string_view wanted = argc > 1 ? words[1] : "";
    if (wanted == "write" && argc == 7) {
        return write_members(words.subspan(2));
    }
    if (wanted == "pairs" && argc == 5) {
        return measure_pairs(Ours{}, words[2], number_of(words[3]), words[4]);
    }
    if (wanted == "sketches" && argc == 5) {
        return measure_pairs(BySketches{}, words[2], number_of(words[3]), words[4]);
    }
    if (wanted == "two" && argc == 4) {
        return measure_two(words.subspan(2));
    }
    if (wanted == "several" && argc == 4) {
        return measure_several(words.subspan(2));
    }
    fmt::print(stderr, "sets_bench write|pairs|sketches|two|several FILE SETS ...\n");
    return 2;
}
