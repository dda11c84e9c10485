#pragma once

#include "identities/resolution.h"

#include <boost/container/flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace footfall::identities {

/// Numbers of ids, each alone in a profile at first, then united pair by pair: rule 3 of resolve().
/// A profile is named by one of its numbers.
///
/// Of a profile it knows how many ids it has, how many of each network that has a bound, and on
/// which sides of partings it has ids. What the smaller of two knows is looked up in, and goes
/// over to, the larger one: so n unions look at n log n of it. Not thread-safe.
class Unions {
public:
    Unions(std::size_t ids, std::size_t profile_ids);

    /// That an id is of a network, of which a profile may have at most so many. Before any union.
    void bound(std::uint32_t id, std::uint32_t network, std::size_t per_profile);

    /// That an id is on a side (0 or 1) of a parting. Before any union.
    void place(std::uint32_t id, std::uint32_t parting, std::uint32_t side);

    std::uint32_t profile_of(std::uint32_t id);

    /// Absent: the two are in one profile now.
    std::optional<Objection> unite(std::uint32_t one, std::uint32_t other, bool accepted);

private:
    struct OfNetwork {
        std::size_t ids;
        std::size_t most;
    };

    using Networks = boost::container::flat_map<std::uint32_t, OfNetwork>;
    /// Twice the number of the parting, and the side.
    using Sides = boost::unordered_flat_set<std::uint32_t>;

    static constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

    /// What is known of a profile beyond its size; most ids have no network with a bound, and no
    /// parting.
    struct Known {
        Networks networks;
        Sides sides;
    };

    Known& known_of(std::uint32_t profile);
    bool parted(std::uint32_t one, std::uint32_t other) const;
    bool too_many(std::uint32_t one, std::uint32_t other) const;
    void move_known(std::uint32_t from, std::uint32_t to);

    std::size_t profile_ids_;
    std::vector<std::uint32_t> above_;  ///< By number: another of the profile, nearer to its name.
    std::vector<std::uint32_t> size_;   ///< By profile.
    std::vector<std::uint32_t> known_at_;  ///< By profile: where in known_, or nothing.
    std::vector<Known> known_;
};

}  // namespace footfall::identities
