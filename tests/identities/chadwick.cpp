#include "chadwick.h"

#include "foundation/random.h"
#include "identities/naive_resolution.h"
#include "test_support/must.h"
#include "test_support/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace footfall::identities {
namespace {

constexpr std::string_view shards = "0123456789bce";
static_assert(shards.size() == chadwick_files);

/// As the columns of a row, behind `key_person` and `key_uuid`.
constexpr std::array systems{
    "mlbam", "retro", "bbref", "bbref_minors", "fangraphs", "npb", "nfl", "nba", "nhl", "wikidata"
};

/// A few ids have a comma at their end, and stand in quotes.
std::string next_cell(std::istringstream& row) {
    std::string cell;
    if (row.peek() == '"') {
        row >> std::quoted(cell, '"', '"');
        row.ignore();
    } else {
        std::getline(row, cell, ',');
    }
    return cell;
}

Person person_of(const std::string& text) {
    Person person;
    std::istringstream row{text};
    next_cell(row);
    next_cell(row);
    for (const char* const system : systems) {
        std::string cell = next_cell(row);
        if (!cell.empty()) {
            person.push_back({.identifier = system, .id_name = "key", .id_value = std::move(cell)});
        }
    }
    arrange(person);
    return person;
}

/// Said at some time of three years, and again at some time of the year after.
Fact link_of(std::vector<Id> ids, Random& random) {
    const Instant first{std::chrono::seconds{1'700'000'000 + random.below(3 * 365 * 86'400)}};
    Fact fact{
        .ids = std::move(ids),
        .first = first,
        .last = first + std::chrono::seconds{random.below(365 * 86'400)},
        .recorded = first,
        .source = "register"
    };
    seal(fact);
    return fact;
}

/// The numbers of the links of each group.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<Fact>& links) {
    std::map<Id, std::vector<std::size_t>> naming;
    for (std::size_t link = 0; link < links.size(); ++link) {
        for (const Id& id : links[link].ids) {
            naming[id].push_back(link);
        }
    }
    std::vector<std::vector<std::size_t>> groups;
    std::vector<bool> found(links.size());
    for (std::size_t first = 0; first < links.size(); ++first) {
        if (found[first]) {
            continue;
        }
        found[first] = true;
        std::vector<std::size_t> group{first};
        for (std::size_t at = 0; at < group.size(); ++at) {
            for (const Id& id : links[group[at]].ids) {
                for (const std::size_t next : naming.at(id)) {
                    if (!found[next]) {
                        found[next] = true;
                        group.push_back(next);
                    }
                }
            }
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace

bool chadwick_is_whole() {
    return std::getenv("FOOTFALL_WHOLE_CHADWICK") != nullptr;
}

std::vector<Person> read_chadwick(std::size_t files) {
    std::vector<Person> people;
    for (const char shard : shards.substr(0, files)) {
        std::istringstream rows{test_support::read_gzip(
            fmt::format("{}/identity-chadwick/people-{}.csv.gz", FOOTFALL_DATA_DIR, shard)
        )};
        std::string row;
        for (std::getline(rows, row); std::getline(rows, row);) {
            people.push_back(person_of(row));
        }
    }
    if (people.empty()) {
        test_support::give_up("the Chadwick register has nobody");
    }
    return people;
}

std::vector<Fact> true_links(std::span<const Person> people) {
    Random random{1};
    std::vector<Fact> links;
    for (const Person& person : people) {
        if (person.size() == 1) {
            links.push_back(link_of(person, random));
        }
        for (std::size_t other = 1; other < person.size(); ++other) {
            for (std::size_t one = 0; one < other; ++one) {
                links.push_back(link_of({person[one], person[other]}, random));
            }
        }
    }
    return links;
}

std::vector<Fact> false_links(
    std::span<const Person> people, std::span<const Fact> among, double share, std::uint64_t seed
) {
    Random random{seed};
    const auto pairs =
        std::ranges::count_if(among, [](const Fact& each) { return each.ids.size() == 2; });
    const auto some_id = [&](const Person& person) { return person[random.below(person.size())]; };
    std::map<FactId, Fact> links;
    while (static_cast<double>(links.size()) < share * static_cast<double>(pairs)) {
        const Person& one = people[random.below(people.size())];
        const Person& other = people[random.below(people.size())];
        if (&one != &other) {
            Fact link = link_of({some_id(one), some_id(other)}, random);
            links.try_emplace(link.id, std::move(link));
        }
    }
    std::vector<Fact> said;
    said.reserve(links.size());
    for (auto& [id, link] : links) {
        said.push_back(std::move(link));
    }
    return said;
}

Guards one_of_each_system() {
    Guards guards;
    for (const char* const system : systems) {
        guards.identifiers[system].per_profile = 1;
    }
    return guards;
}

std::set<std::set<Id>> ids_of_profiles(const Resolution& resolution) {
    std::set<std::set<Id>> profiles;
    for (const Profile& profile : resolution.profiles) {
        std::set<Id> ids;
        for (const Member& each : profile.members) {
            ids.insert(each.id);
        }
        profiles.insert(std::move(ids));
    }
    return profiles;
}

Resolution resolve_naively(const std::vector<Fact>& links, const Guards& guards) {
    Resolution all;
    std::map<FactId, Instant> said;
    for (const std::vector<std::size_t>& group : groups_of(links)) {
        std::vector<Fact> of_group;
        for (const std::size_t link : group) {
            of_group.push_back(links[link]);
            said.emplace(links[link].id, links[link].first);
        }
        const NaiveResolution naive{of_group, guards};
        const Resolution& found = naive.found();
        all.profiles.insert(all.profiles.end(), found.profiles.begin(), found.profiles.end());
        all.contested.insert(all.contested.end(), found.contested.begin(), found.contested.end());
        all.shared.insert(found.shared.begin(), found.shared.end());
    }
    std::ranges::sort(all.profiles, {}, &Profile::named_after);
    std::ranges::sort(all.contested, {}, [&](const Contested& each) {
        return std::tuple{said.at(each.fact), each.fact};
    });
    return all;
}

}  // namespace footfall::identities
