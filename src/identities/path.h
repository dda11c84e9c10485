#pragma once

#include "identities/fact.h"
#include "identities/resolution.h"

#include <optional>
#include <span>
#include <vector>

/// How two ids are tied, or what keeps them apart. Pure.
namespace footfall::identities {

/// From an id to another by a link that ties both.
struct Step {
    FactId link{};
    Id from;
    Id to;

    friend bool operator==(const Step&, const Step&) = default;
};

/// The shortest way from an id to another by links that hold, as take_links() tells them. Of
/// equally short ones that of which the first link is the earliest of these, then the second, and
/// so on; between two links stands the first id by order. Empty: they are one id, or there is no
/// way, which is so where they are in two profiles. n log n of the ids that are tied.
std::vector<Step> path_between(std::span<const TakenLink> links, const Id& from, const Id& to);

/// A fact that is about two profiles, of which it makes no one.
struct KeptApart {
    const Fact* fact = nullptr;
    std::optional<Objection> objection = {};  ///< To what a link says of the two; absent: none.
    bool is_void = false;                     ///< A link that was rejected.
    bool has_ended = false;                   ///< One that take_links() left out: its time is over.
};

/// Links that name both of two profiles, and partings that hold between them, in the order in which
/// they were said of first. Neither: nobody has said that they are one.
std::vector<KeptApart> what_keeps_apart(
    std::span<const Fact> facts,
    std::span<const TakenLink> links,
    const Profile& one,
    const Profile& other
);

}  // namespace footfall::identities
