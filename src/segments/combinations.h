#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "segments/segments.h"
#include "sets/matrix.h"
#include "sketches/joint.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// What is asked of several segments at once, beside the pairs that Segments counts itself.

namespace footfall::segments {

/// Most segments whose combinations are counted: twice as many with each further one.
inline constexpr std::size_t combined_max = sets::combination_sets_max;

/// Of each combination of segments the people who are in exactly these.
struct Combinations {
    /// At index 5 people in the first and the third and in no other; at 0 nobody.
    std::vector<std::uint64_t> people;
    Instant as_of{};
    std::uint32_t one_of = 1;  ///< As of People.
};

/// At most combined_max segments, each once. Where segments are derived; failures as there.
///
/// Cost: sets::combinations().
Result<Combinations> combinations(Segments& segments, std::span<const std::string> names);

/// Most segments that are estimated at once: each of them is gone through.
inline constexpr std::size_t sketched_max = 16;

/// The same as Overlaps, estimated.
struct SketchedOverlaps {
    std::vector<std::uint64_t> sizes;
    std::vector<sketches::Bounded> pairs;  ///< In the order of Overlaps.
    std::vector<bool> exact;               ///< Of each pair whether nothing of it is estimated.
    Instant as_of{};
};

/// People in both of each two segments, by a sketch of each and the likelihood of both
/// (sketches/joint.h), for comparing with estimates elsewhere. Where one of so many people is
/// looked at (People) what is found among these is told, which is nearer. At most sketched_max
/// segments, each once; failures as of Segments.
///
/// Cost: 30 ns for each person of a segment, one segment after the other, so that deriving waits
/// for one at most; 0.3 ms a pair.
Result<SketchedOverlaps> sketched(Segments& segments, std::span<const std::string> names);

}  // namespace footfall::segments
