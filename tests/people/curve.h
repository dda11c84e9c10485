#pragma once

#include "foundation/random.h"
#include "sketches/ell.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace footfall::people {

/// Ways to count, each with an error curve of its own. As they estimate,
/// not rounded: of a hundred people half a person would be half a percent.
enum class Way : std::uint8_t {
    served,      ///< A Sketch: tokens, then registers by their martingale.
    coded,       ///< The same, written and read back.
    likelihood,  ///< Registers from the first person on, as they count after unions.
    martingale,  ///< Registers from the first person on, of one stream.
    halves,      ///< Two sketches with half of the people each, united.
    redis        ///< HyperLogLog with the estimator of Redis.
};

inline constexpr std::array ways{
    Way::served, Way::coded, Way::likelihood, Way::martingale, Way::halves, Way::redis
};

std::string_view name_of(Way way);

/// What went wrong by how much at one number of people: relative errors, one of each run.
struct Point {
    double people = 0;
    std::array<std::vector<float>, ways.size()> errors;

    std::vector<float>& of(Way way) { return errors[static_cast<std::size_t>(way)]; }

    const std::vector<float>& of(Way way) const { return errors[static_cast<std::size_t>(way)]; }
};

/// What registers looked like, over all runs, at one number of people.
struct Histogram {
    static constexpr std::size_t values = 256;

    double people = 0;
    std::array<double, values> newest{};   ///< So many registers have this as their newest value.
    std::array<double, values> watched{};  ///< So many have this value in their window,
    std::array<double, values> seen{};     ///< and so many of those saw it.

    void take(std::span<const sketches::Register> registers);
    void add(const Histogram& other);
};

/// Error curves of all ways, from one person to a thousand million. Up to `real_people` every
/// person is hashed (siphash13, a new secret each run) and added; from there on only those who
/// change a register are drawn (arrivals.h); halves and Redis' registers are drawn whole.
class Curve {
public:
    static constexpr double real_people = 1e6;

    Curve();

    /// Adds a run to all of it.
    void run(std::uint64_t seed);

    /// Adds the runs of another.
    void add(const Curve& other);

    const std::vector<Point>& points() const { return points_; }

    /// The served sketch around its promotion, from 100 to 3,000 people in steps of 1 %.
    const std::vector<Point>& promotion() const { return promotion_; }

    const std::vector<Histogram>& histograms() const { return histograms_; }

    /// How many sketches counted or were written differently once they had been read back; none
    /// may.
    std::size_t changed_by_coding() const { return changed_by_coding_; }

private:
    struct Run;

    void come(Run& run);
    void draw(Run& run, Random& random);
    void take(Point& point, Run& run);
    void take_drawn(Point& point, Random& random) const;

    std::vector<Point> points_;
    std::vector<Point> promotion_;
    std::vector<Histogram> histograms_;
    std::size_t changed_by_coding_ = 0;
};

}  // namespace footfall::people
