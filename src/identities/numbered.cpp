#include "identities/numbered.h"

#include "foundation/check.h"

#include <algorithm>
#include <limits>

namespace footfall::identities {
namespace {

/// A place in a fact where an id is named.
struct Naming {
    const Id* id;
    std::uint32_t fact;
    std::uint32_t place;  ///< Among all.
};

std::vector<Naming> namings(std::span<const Fact> facts) {
    std::size_t count = 0;
    for (const Fact& fact : facts) {
        count += fact.ids.size() + fact.others.size();
    }
    CHECK(std::max(count, facts.size()) < std::numeric_limits<std::uint32_t>::max(), "32 bits do");
    std::vector<Naming> all;
    all.reserve(count);
    for (std::uint32_t fact = 0; fact < facts.size(); ++fact) {
        for (const auto* const ids : {&facts[fact].ids, &facts[fact].others}) {
            for (const Id& id : *ids) {
                all.push_back({&id, fact, static_cast<std::uint32_t>(all.size())});
            }
        }
    }
    return all;
}

}  // namespace

Numbered numbered(std::span<const Fact> facts) {
    std::vector<Naming> all = namings(facts);
    std::ranges::sort(all, [](const Naming& one, const Naming& other) {
        const auto order = *one.id <=> *other.id;
        return order < 0 || (order == 0 && one.place < other.place);
    });
    std::vector<std::uint32_t> numbers(all.size());  // By place.
    Numbered result;
    for (auto at = all.begin(); at != all.end(); result.naming.end_list()) {
        const Id& id = *at->id;
        for (; at != all.end() && *at->id == id; ++at) {
            numbers[at->place] = static_cast<std::uint32_t>(result.ids.size());
            result.naming.append(at->fact);
        }
        result.ids.push_back(&id);
    }
    std::size_t place = 0;
    for (const Fact& fact : facts) {
        const std::size_t end = place + fact.ids.size() + fact.others.size();
        for (; place < end; ++place) {
            result.of_facts.append(numbers[place]);
        }
        result.of_facts.end_list();
    }
    return result;
}

}  // namespace footfall::identities
