#include "audience/noise.h"
#include "foundation/check.h"
#include "foundation/random.h"
#include "sets/expression.h"
#include "sets/number_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

/// Somebody who may see a day's numbers wants to know whether one person is in a segment. They know
/// everybody else in it, may make segments of their own of whomever they like, and know how noise
/// is made, but for the secret.
namespace footfall::audience {
namespace {

using sets::NumberSet;

constexpr int games = 1000;
constexpr std::uint32_t target = 999'999;
constexpr std::int32_t day = 20'786;

/// A day of one deployment: what the attacker asks it.
class Day {
public:
    Day(SipKey secret, const NumberSet& segment) : secret_{secret}, segment_{&segment} {}

    /// The people of the segment who are also in a set of the attacker's, which was never asked.
    std::optional<std::uint64_t> ask(const NumberSet& own) {
        CHECK(++asked_ <= terms_.numbers, "a day has so many numbers", asked_);
        const NumberSet* const both[] = {segment_, &own};
        const std::uint64_t people = sets::count({.all = both, .any = {}, .none = {}});
        return shown(people, noise(secret_, day, asked_, terms_), terms_);
    }

    const Terms& terms() const { return terms_; }

private:
    SipKey secret_;
    const NumberSet* segment_;
    Terms terms_;
    std::uint64_t asked_ = 0;
};

NumberSet from_to(std::uint32_t first, std::uint32_t end) {
    NumberSet set;
    for (std::uint32_t number = first; number < end; ++number) {
        set.add(number);
    }
    return set;
}

/// Whether the attacker thinks that the target is in, having asked a day's numbers at most.
using Attack = std::function<bool(Day&, Random&)>;

/// In how many of 1,000 games, each with a secret of its own, the attacker is right.
int right_guesses(const Attack& attack, std::uint32_t others) {
    Random random{17};
    const NumberSet without = from_to(0, others);
    NumberSet with = without;
    with.add(target);
    int right = 0;
    for (int game = 0; game < games; ++game) {
        const bool is_in = random.below(2) == 1;
        Day today{{random(), random()}, is_in ? with : without};
        right += attack(today, random) == is_in ? 1 : 0;
    }
    testing::Test::RecordProperty("right", right);
    return right;
}

/// Whether the average of answers is nearer to that of sets with the target.
class Average {
public:
    void add(std::optional<std::uint64_t> answer, std::uint64_t without) {
        if (answer) {
            sum_ += static_cast<double>(*answer) - static_cast<double>(without);
            ++count_;
        }
    }

    bool is_in(Random& random) const {
        return count_ == 0 ? random.below(2) == 1 : sum_ / count_ > 0.5;
    }

private:
    double sum_ = 0;
    int count_ = 0;
};

TEST(AudienceAttack, one_id_added_to_a_set) {
    const int right = right_guesses(
        [](Day& today, Random& random) {
            NumberSet own = from_to(0, 500);
            own.add(target);
            Average average;
            average.add(today.ask(own), 500);
            return average.is_in(random);
        },
        1000
    );
    EXPECT_LE(right, 600);
}

TEST(AudienceAttack, the_same_people_asked_anew_and_padded_with_fakes) {
    const int right = right_guesses(
        [](Day& today, Random& random) {
            Average average;
            for (std::uint32_t each = 0; each < today.terms().numbers; ++each) {
                NumberSet own = from_to(0, 500);
                own.add(target);
                own.add(2'000'000 + each);
                average.add(today.ask(own), 500);
            }
            return average.is_in(random);
        },
        1000
    );
    EXPECT_LE(right, 600);
}

/// The best there is: each set differs by another known person, so noise is averaged.
TEST(AudienceAttack, sets_that_differ_by_people_who_are_known) {
    const int right = right_guesses(
        [](Day& today, Random& random) {
            Average average;
            for (std::uint32_t each = 0; each < today.terms().numbers; ++each) {
                NumberSet own = from_to(0, 500);
                own.remove(each);
                own.add(target);
                average.add(today.ask(own), 499);
            }
            return average.is_in(random);
        },
        1000
    );
    EXPECT_LE(right, 600);
    // It gains something: else the attack would not be what it is to be.
    EXPECT_GE(right, 530);
}

TEST(AudienceAttack, sets_split_and_their_differences) {
    const int right = right_guesses(
        [](Day& today, Random& random) {
            // Half of a day's numbers are of sets with the target, half of the same without.
            Average average;
            for (std::uint32_t each = 0; each < today.terms().numbers / 2; ++each) {
                NumberSet own = from_to(each, 500 + each);
                const auto without = today.ask(own);
                own.add(target);
                const auto with = today.ask(own);
                if (with && without) {
                    average.add(with, *without);
                }
            }
            return average.is_in(random);
        },
        1000
    );
    EXPECT_LE(right, 600);
}

/// Were noise said by the people of the answer, it would be the same with and without the target
/// exactly if the target is not in the segment.
TEST(AudienceAttack, answers_that_are_the_same) {
    const int right = right_guesses(
        [](Day& today, Random& /*random*/) {
            for (std::uint32_t each = 0; each < today.terms().numbers / 2; ++each) {
                NumberSet own = from_to(each, 500 + each);
                const auto without = today.ask(own);
                own.add(target);
                if (today.ask(own) != without) {
                    return true;
                }
            }
            return false;
        },
        1000
    );
    EXPECT_LE(right, 600);
}

TEST(AudienceAttack, sets_so_large_that_a_number_is_shown_or_not) {
    const int right = right_guesses(
        [](Day& today, Random& random) {
            // Without the target a number is shown in half of the cases, with it in a few more.
            const auto size = static_cast<std::uint32_t>(least_shown(today.terms()));
            double seen = 0;
            for (std::uint32_t each = 0; each < today.terms().numbers; ++each) {
                NumberSet own = from_to(each, size + each);
                own.add(target);
                seen += today.ask(own) ? 1 : 0;
            }
            const double usual = today.terms().numbers * 0.507;
            return seen == usual ? random.below(2) == 1 : seen > usual;
        },
        1000
    );
    EXPECT_LE(right, 600);
}

/// Without noise the same attack is always right: the games can be won.
TEST(AudienceAttack, against_exact_numbers_wins) {
    Random random{18};
    int right = 0;
    for (int game = 0; game < games; ++game) {
        const bool is_in = random.below(2) == 1;
        NumberSet segment = from_to(0, 1000);
        NumberSet own = from_to(0, 500);
        own.add(target);
        if (is_in) {
            segment.add(target);
        }
        const NumberSet* const both[] = {&segment, &own};
        const bool guess = sets::count({.all = both, .any = {}, .none = {}}) > 500;
        right += guess == is_in ? 1 : 0;
    }
    EXPECT_EQ(right, games);
}

}  // namespace
}  // namespace footfall::audience
