#pragma once

#include "identities/fact.h"
#include "identities/resolution.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace footfall::identities {

// People of the Chadwick register, whose identifiers in ten systems are known to be theirs, and
// what could be said of them.

/// All of them, or in a run of ./test those of the first file alone.
bool chadwick_is_whole();

/// So many, with 601,201 ids, are in the register.
inline constexpr std::size_t chadwick_people_count = 419'307;
inline constexpr std::size_t chadwick_ids_count = 601'201;

using Person = std::vector<Id>;  ///< In order; each id is of another system.

/// Of each file of the register, or of the first `files` of them. Ends the test if it is not there.
std::vector<Person> read_chadwick(std::size_t files);

inline constexpr std::size_t chadwick_files = 13;

/// Each pair of ids of a person as a link; who has one id alone has it said by itself. A pure
/// function of the people: times lie in three years, and links are in no order of time.
std::vector<Fact> true_links(std::span<const Person> people);

/// Links between ids of two people each, `share` times as many as pairs are among these.
std::vector<Fact> false_links(
    std::span<const Person> people, std::span<const Fact> among, double share, std::uint64_t seed
);

/// At most one id of each system in a profile.
Guards one_of_each_system();

/// Profiles as sets of ids.
std::set<std::set<Id>> ids_of_profiles(const Resolution& resolution);

/// What the rules read one by one (NaiveResolution) say of each group of links that hang together
/// by their ids. Groups have nothing to do with one another, so this is what they say of all.
Resolution resolve_naively(const std::vector<Fact>& links, const Guards& guards);

}  // namespace footfall::identities
