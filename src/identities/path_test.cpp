#include "identities/path.h"

#include "foundation/testing/test_seed.h"
#include "foundation_testing/rounds.h"
#include "identities/naive_resolution.h"
#include "identities/test_history.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::identities {
namespace {

using FactList = std::vector<Fact>;

std::vector<Step> path(
    const FactList& facts, const std::string& from, const std::string& to, const Guards& guards = {}
) {
    return path_between(take_links(facts, guards), id_of(from), id_of(to));
}

Step step(const Fact& link, const std::string& from, const std::string& to) {
    return {.link = link.id, .from = id_of(from), .to = id_of(to)};
}

/// "parting", "shared" and so on, "rejected" or "holds".
std::vector<std::string> kept_apart(
    const FactList& facts, const std::string& one, const std::string& other, const Guards& guards
) {
    const Resolution resolution = resolve(facts, guards);
    const auto profile_of = [&](const std::string& id) {
        return *std::ranges::find_if(resolution.profiles, [&](const Profile& profile) {
            return std::ranges::find(profile.members, id_of(id), &Member::id) !=
                   profile.members.end();
        });
    };
    std::vector<std::string> words;
    for (const KeptApart& each :
         what_keeps_apart(facts, take_links(facts, guards), profile_of(one), profile_of(other))) {
        const std::string_view why = each.objection ? name_of(*each.objection)
                                     : each.is_void ? "rejected"
                                                    : "holds";
        words.push_back(fmt::format("{} {}", name_of(each.fact->kind), why));
    }
    return words;
}

TEST(Path, is_the_shortest_by_links_that_hold) {
    const Fact one = link(1, {"web:a", "web:b"});
    const Fact two = link(2, {"web:b", "web:c"});
    const Fact three = link(3, {"web:c", "web:d"});
    const Fact across = link(4, {"app:x", "web:a", "web:d"});
    const FactList facts{three, across, one, two};
    EXPECT_EQ(path(facts, "web:a", "web:d"), (std::vector{step(across, "web:a", "web:d")}));
    const FactList rejected{three, across, one, two, decision(FactKind::reject, 5, across)};
    EXPECT_EQ(
        path(rejected, "web:a", "web:d"),
        (std::vector{
            step(one, "web:a", "web:b"), step(two, "web:b", "web:c"), step(three, "web:c", "web:d")
        })
    );
    EXPECT_TRUE(path(rejected, "web:a", "app:x").empty());
    EXPECT_TRUE(path(facts, "web:a", "web:a").empty());
    EXPECT_TRUE(path(facts, "web:a", "web:nobody").empty());
}

TEST(Path, is_of_equally_short_ones_the_earliest) {
    const Fact late = link(5, {"web:a", "web:b"});
    const Fact to_end = link(1, {"web:b", "web:d"});
    const Fact early = link(2, {"web:a", "web:c"});
    const Fact then = link(9, {"web:c", "web:d"});
    EXPECT_EQ(
        path({late, to_end, early, then}, "web:a", "web:d"),
        (std::vector{step(early, "web:a", "web:c"), step(then, "web:c", "web:d")})
    );
    EXPECT_EQ(
        path({late, to_end, early, then}, "web:d", "web:a"),
        (std::vector{step(to_end, "web:d", "web:b"), step(late, "web:b", "web:a")})
    );
}

TEST(Path, does_not_go_by_a_link_that_was_objected_to) {
    const Guards guards{.identifiers = {{"web", {.per_profile = 2}}}};
    const Fact one = link(1, {"web:a", "app:x"});
    const Fact two = link(2, {"web:b", "app:x"});
    const Fact three = link(3, {"web:c", "app:y"});
    const Fact contested = link(4, {"web:a", "app:y"});
    EXPECT_TRUE(path({one, two, three, contested}, "web:a", "app:y", guards).empty());
    const FactList accepted{one, two, three, contested, decision(FactKind::accept, 5, contested)};
    EXPECT_EQ(
        path(accepted, "web:b", "app:y", guards),
        (std::vector{
            step(two, "web:b", "app:x"),
            step(one, "app:x", "web:a"),
            step(contested, "web:a", "app:y")
        })
    );
}

TEST(Path, by_a_link_that_has_ended_there_is_none) {
    const Guards guards{.identifiers = {{"web", {.ttl = std::chrono::hours{1}}}}};
    const std::vector<Fact> facts{link(1, {"web:a", "mail:b"})};
    const Surroundings later{.now = at_second(3601)};
    const Resolution resolution = resolve(facts, guards, later);
    ASSERT_EQ(resolution.profiles.size(), 2U);
    const auto apart = what_keeps_apart(
        facts,
        take_links(facts, guards, later),
        resolution.profiles.front(),
        resolution.profiles.back()
    );
    ASSERT_EQ(apart.size(), 1U);
    EXPECT_TRUE(apart.front().has_ended);
    EXPECT_FALSE(apart.front().is_void);
    EXPECT_EQ(apart.front().objection, std::nullopt);
}

TEST(Path, where_there_is_none_says_what_keeps_the_two_apart) {
    const Guards guards{.identifiers = {{"web", {.per_profile = 1}}, {"app", {.never = {"k"}}}}};
    const Fact two_of_web = link(1, {"web:a", "web:b"});
    EXPECT_EQ(
        kept_apart({two_of_web}, "web:a", "web:b", guards),
        (std::vector<std::string>{"link per_profile"})
    );
    const Fact wrong = link(2, {"mail:a", "mail:b"});
    const Fact revoked = parting(4, {"mail:a"}, {"mail:b"});
    const FactList undone{
        wrong,
        parting(3, {"mail:b"}, {"mail:a", "web:a"}),
        revoked,
        decision(FactKind::revoke, 5, revoked),
        decision(FactKind::reject, 6, wrong)
    };
    EXPECT_EQ(
        kept_apart(undone, "mail:a", "mail:b", guards),
        (std::vector<std::string>{"link rejected", "parting holds"})
    );
    EXPECT_EQ(
        kept_apart({link(1, {"web:a", "app:k"})}, "web:a", "app:k", guards),
        (std::vector<std::string>{"link shared"})
    );
    EXPECT_EQ(
        kept_apart(
            {link(1, {"mail:c", "web:a", "web:b"}), link(0, {"mail:c", "web:a"})},
            "web:b",
            "mail:c",
            guards
        ),
        (std::vector<std::string>{"link per_profile"})
    ) << "and the link between others is not told";
    EXPECT_TRUE(
        kept_apart({link(1, {"web:a"}), link(1, {"web:b"})}, "web:a", "web:b", guards).empty()
    );
}

/// Tries all ways of so many links, those with earlier links first.
class NaivePath {
public:
    NaivePath(const std::vector<TakenLink>& links, const Id& to) : links_{links}, to_{to} {}

    bool find(const std::vector<Id>& here, std::size_t left) {
        if (left == 0) {
            return std::ranges::find(here, to_) != here.end();
        }
        for (const TakenLink& each : links_) {
            std::vector<Id> common;
            std::ranges::copy_if(each.tied, std::back_inserter(common), [&](const Id& id) {
                return std::ranges::find(here, id) != here.end();
            });
            if (!common.empty() && find(each.tied, left - 1)) {
                const Id to = found.empty() ? to_ : found.front().from;
                found.insert(found.begin(), {each.link, *std::ranges::min_element(common), to});
                return true;
            }
        }
        return false;
    }

    std::vector<Step> found;

private:
    const std::vector<TakenLink>& links_;
    const Id& to_;
};

std::vector<Step> naive_path(const std::vector<TakenLink>& links, const Id& from, const Id& to) {
    for (std::size_t steps = 0; steps <= networks.size() * values.size(); ++steps) {
        NaivePath path{links, to};
        if (path.find({from}, steps)) {
            return path.found;
        }
    }
    return {};
}

std::map<Id, const Profile*> by_id(const Resolution& resolution) {
    std::map<Id, const Profile*> profiles;
    for (const Profile& profile : resolution.profiles) {
        for (const Member& each : profile.members) {
            profiles.emplace(each.id, &profile);
        }
    }
    return profiles;
}

TEST(Path, of_random_histories_is_what_a_search_of_all_ways_finds) {
    const std::uint64_t seed = test_seed();
    const std::uint64_t all = rounds(1'000);
    std::map<std::size_t, std::uint64_t> lengths;
    for (std::uint64_t round = 0; round < all; ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", seed + round));
        History history{seed + round};
        for (int each = 0; each < 14; ++each) {
            history.step();
        }
        const NaiveResolution naive{history.facts(), history.guards()};
        const std::vector<TakenLink> links = take_links(history.facts(), history.guards());
        ASSERT_EQ(links, naive.links());
        const auto profiles = by_id(naive.found());
        for (const auto& [from, profile] : profiles) {
            for (const auto& [to, other] : profiles) {
                const std::vector<Step> found = path_between(links, from, to);
                ASSERT_EQ(found.empty(), profile != other || from == to);
                if (profile == other) {
                    ASSERT_EQ(found, naive_path(naive.links(), from, to));
                }
                ++lengths[found.size()];
            }
        }
    }
    // Histories in which all ids are tied at once would say nothing.
    EXPECT_GT(lengths[2], all);
    EXPECT_GT(lengths[3], all / 20);
}

}  // namespace
}  // namespace footfall::identities
