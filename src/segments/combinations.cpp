#include "segments/combinations.h"

#include "foundation/siphash.h"
#include "segments/sampled.h"
#include "sets/number_set.h"
#include "sketches/sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>

namespace footfall::segments {
namespace {

/// Numbers of people are given by us in their order: nobody chooses one, so this is no secret.
constexpr SipKey spreading{.k0 = 0x736567'6d656e74, .k1 = 0x736b65'74636865};

std::uint64_t hash_of_person(sets::Number number) {
    const auto bytes = std::bit_cast<std::array<char, sizeof(number)>>(number);
    return siphash13(spreading, {bytes.data(), bytes.size()});
}

Result<void> check_most(std::size_t many, std::size_t most) {
    if (many > most) {
        return fail(
            ErrorKind::invalid_input, fmt::format("{} segments at most are asked so", most)
        );
    }
    return {};
}

/// Of one of so many people.
Result<SketchedOverlaps> sampled(Segments& segments, std::span<const std::string> names) {
    TRY(const Overlaps overlaps, segments.overlap(names));
    SketchedOverlaps estimated{
        .sizes = overlaps.sizes, .pairs = {}, .exact = {}, .as_of = overlaps.as_of
    };
    for (const std::uint64_t each : overlaps.pairs) {
        const Estimate pair = estimate_of(each, overlaps.one_of);
        estimated.pairs.push_back(
            {.count = static_cast<double>(pair.people),
             .error = pair.error,
             .low = static_cast<double>(pair.low),
             .high = static_cast<double>(pair.high)}
        );
        estimated.exact.push_back(pair.exact);
    }
    return estimated;
}

}  // namespace

Result<Combinations> combinations(Segments& segments, std::span<const std::string> names) {
    TRY_VOID(check_most(names.size(), combined_max));
    TRY(const auto numbers, segments.numbers_of(names));
    Combinations combined;
    const auto look = [&](std::span<const sets::NumberSet* const> people, std::uint32_t one_of) {
        combined.people = sets::combinations(people);
        combined.one_of = one_of;
        for (std::uint64_t& each : combined.people) {
            each *= one_of;
        }
    };
    TRY(combined.as_of, segments.look_at(numbers, look));
    return combined;
}

Result<SketchedOverlaps> sketched(Segments& segments, std::span<const std::string> names) {
    TRY_VOID(check_most(names.size(), sketched_max));
    TRY(const auto numbers, segments.numbers_of(names));
    SketchedOverlaps overlaps{.sizes = {}, .pairs = {}, .exact = {}, .as_of = Instant::max()};
    std::vector<sketches::Sketch> all(numbers.size());
    bool are_all = true;  ///< Of all people.
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        const auto look = [&](std::span<const sets::NumberSet* const> people,
                              std::uint32_t one_of) {
            are_all = are_all && one_of == 1;
            people.front()->for_each([&](sets::Number each) { all[at].add(hash_of_person(each)); });
        };
        TRY(const Instant as_of, segments.look_at({&numbers[at], 1}, look));
        overlaps.as_of = std::min(overlaps.as_of, as_of);
        overlaps.sizes.push_back(static_cast<std::uint64_t>(std::llround(all[at].people().count)));
    }
    if (!are_all) {
        return sampled(segments, names);
    }
    for (std::size_t one = 0; one < all.size(); ++one) {
        for (std::size_t other = one + 1; other < all.size(); ++other) {
            const sketches::Joint joint = sketches::joint(all[one], all[other]);
            overlaps.pairs.push_back(joint.common);
            overlaps.exact.push_back(joint.exact);
        }
    }
    return overlaps;
}

}  // namespace footfall::segments
