#include "identities/numbered.h"

#include "foundation/check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace footfall::identities {
namespace {

/// A place in a fact where an id is named. Most ids are told apart by their network and the first
/// bytes of their value, without a look at the texts.
struct Naming {
    std::uint64_t beginning;  ///< Eight bytes of the value, of a shorter one with zeros behind.
    std::uint32_t network;    ///< By order of the networks' names.
    const Id* id;
    std::uint32_t fact;
    std::uint32_t place;  ///< Among all.
};

std::uint64_t beginning_of(const std::string& value) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, value.data(), std::min(value.size(), sizeof(bytes)));
    static_assert(std::endian::native == std::endian::little);
    return std::byteswap(bytes);
}

/// Networks with what they call their ids, by order.
using Networks = std::map<std::pair<std::string_view, std::string_view>, std::uint32_t>;

Networks networks_of(std::span<const Fact> facts) {
    Networks networks;
    for (const Fact& fact : facts) {
        for (const auto* const ids : {&fact.ids, &fact.others}) {
            for (const Id& id : *ids) {
                networks.try_emplace({id.identifier, id.id_name}, 0);
            }
        }
    }
    std::uint32_t number = 0;
    for (auto& [names, place] : networks) {
        place = number++;
    }
    return networks;
}

std::vector<Naming> namings(std::span<const Fact> facts) {
    std::size_t count = 0;
    for (const Fact& fact : facts) {
        count += fact.ids.size() + fact.others.size();
    }
    CHECK(std::max(count, facts.size()) < std::numeric_limits<std::uint32_t>::max(), "32 bits do");
    const Networks networks = networks_of(facts);
    std::vector<Naming> all;
    all.reserve(count);
    for (std::uint32_t fact = 0; fact < facts.size(); ++fact) {
        for (const auto* const ids : {&facts[fact].ids, &facts[fact].others}) {
            for (const Id& id : *ids) {
                all.push_back(
                    {.beginning = beginning_of(id.id_value),
                     .network = networks.at({id.identifier, id.id_name}),
                     .id = &id,
                     .fact = fact,
                     .place = static_cast<std::uint32_t>(all.size())}
                );
            }
        }
    }
    return all;
}

}  // namespace

Numbered numbered(std::span<const Fact> facts) {
    std::vector<Naming> all = namings(facts);
    std::ranges::sort(all, [](const Naming& one, const Naming& other) {
        const auto key = [](const Naming& each) {
            return std::tie(each.network, each.beginning, each.id->id_value, each.place);
        };
        return key(one) < key(other);
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
