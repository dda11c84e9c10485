#pragma once

#include "sketches/ell.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace footfall::sketches {

/// Something for each kind of people: those in the left sketch alone, in the right one alone, in
/// both.
using OfKinds = std::array<double, 3>;
using Curvature = std::array<OfKinds, 3>;

/// The logarithm of how likely the cells of two sketches are, by the rates of the three kinds,
/// which are people a register. A value that two sketches have cells for is, in each, set or unset
/// or nobody knows; what is known of cells of the same chance is counted.
class JointLikelihood {
public:
    JointLikelihood(
        std::span<const Register> left, std::span<const Register> right, unsigned precision
    );

    struct At {
        double value = 0;
        OfKinds slope{};
        Curvature curvature{};  ///< Second derivatives, the other way round: above 0 at a summit.
    };

    /// `rates` above 0. Cost: 2 us.
    At at(const OfKinds& rates) const;

private:
    /// Cells of one chance that are set, at least in one sketch.
    struct Cells {
        double chance = 0;
        double left_alone = 0;  ///< Known to be unset in the right one.
        double right_alone = 0;
        double both = 0;
        double left = 0;  ///< Nobody knows about the right one.
        double right = 0;

        bool any() const { return left_alone + right_alone + both + left + right > 0; }
    };

    void take(unsigned exponent, const std::array<std::uint32_t, 16>& said);

    std::vector<Cells> set_;
    /// The sum of chances of cells that are known to be unset as nobody of a kind has set them.
    OfKinds unset_{};
};

}  // namespace footfall::sketches
