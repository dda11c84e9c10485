#pragma once

#include "foundation/result.h"
#include "identities/fact.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace footfall::identities {

/// Up to where the index of all ids was looked through. A plain value.
struct PlaceInIndex {
    std::string identifier;
    std::int64_t partition = 0;
    std::string id_name = {};  ///< Empty: the part is still to be begun.
    std::string id_value = {};
    std::optional<FactId> fact = {};  ///< Of this id, up to this one; absent: all of it.
};

/// How much of it is looked through at once. A plain value.
struct FindingBounds {
    std::size_t found_max = 1000;
    std::size_t named_max =
        20'000;  ///< Ids that what is found names: a parting may name thousands.
    std::size_t ids_max = 20'000;
    std::size_t parts_max = 4096;     ///< Parts of the index, most of which may be empty.
    std::size_t facts_max = 200'000;  ///< After so many it goes on in the midst of an id.
};

struct FoundFact {
    Fact fact;
    bool is_taken_back = false;  ///< A decision made it void already.
};

struct FoundFacts {
    std::vector<FoundFact> facts;
    std::size_t ids = 0;                    ///< That were looked at.
    std::optional<PlaceInIndex> next = {};  ///< Absent: all has been looked through.
};

/// The facts of all profiles that are `wanted`, each once: network by network, part by part of the
/// index, from a place on. None is missed while a network doubles its partitions, and some may then
/// be found twice. Only what is in rows is found. Failures: the store's; `corrupt`;
/// `conflict` where more decisions than fit are about the facts of one id. Blocks: some thousand
/// reads, side by side; of an id with facts that are found all facts are read, page by page.
Result<FoundFacts> find_facts(
    storage::Store& store,
    const std::function<bool(const Fact& fact)>& wanted,
    const std::optional<PlaceInIndex>& after,
    const FindingBounds& bounds
);

}  // namespace footfall::identities
