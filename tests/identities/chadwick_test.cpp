// The people of a register from pairs of their ids, in whatever order these are said, and with
// strangers linked to one another under guards: the profiles are the people, and what the rules say
// read one by one.
#include "chadwick.h"

#include "foundation/random.h"
#include "foundation/testing/test_seed.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace footfall::identities {
namespace {

const int orders = chadwick_is_whole() ? 20 : 4;

/// In each of some orders the same, with the same names.
Resolution resolve_in_all_orders(std::vector<Fact> links, const Guards& guards) {
    Random random{test_seed()};
    const Resolution found = resolve(links, guards);
    for (int order = 1; order < orders; ++order) {
        std::ranges::shuffle(links, random);
        EXPECT_TRUE(resolve(links, guards) == found) << "in order " << order;
    }
    return found;
}

/// Of each person the id that was said first.
std::set<Id> first_said(const std::vector<Person>& people, const std::vector<Fact>& links) {
    std::map<Id, std::pair<Instant, FactId>> said;
    for (const Fact& link : links) {
        for (const Id& id : link.ids) {
            const std::pair now{link.first, link.id};
            const auto [at, is_new] = said.try_emplace(id, now);
            at->second = std::min(at->second, now);
        }
    }
    std::set<Id> first;
    for (const Person& person : people) {
        first.insert(*std::ranges::min_element(person, {}, [&](const Id& id) {
            return std::pair{said.at(id), id};
        }));
    }
    return first;
}

class Chadwick : public testing::Test {
protected:
    const std::vector<Person> people_ = read_chadwick(chadwick_is_whole() ? chadwick_files : 1);
};

TEST_F(Chadwick, people_are_found_from_pairs_of_ids_in_whatever_order) {
    const std::vector<Fact> links = true_links(people_);
    const Resolution found = resolve_in_all_orders(links, {});
    std::set<std::set<Id>> truth;
    std::size_t ids = 0;
    for (const Person& person : people_) {
        truth.emplace(person.begin(), person.end());
        ids += person.size();
    }
    if (chadwick_is_whole()) {
        EXPECT_EQ(people_.size(), chadwick_people_count);
        EXPECT_EQ(ids, chadwick_ids_count);
    }
    EXPECT_EQ(found.profiles.size(), people_.size());
    EXPECT_TRUE(ids_of_profiles(found) == truth);
    EXPECT_TRUE(found.contested.empty());
    EXPECT_TRUE(found.shared.empty());
    std::set<Id> named_after;
    for (const Profile& profile : found.profiles) {
        named_after.insert(profile.named_after);
    }
    EXPECT_TRUE(named_after == first_said(people_, links));
}

TEST_F(Chadwick, strangers_are_linked_and_guards_object_as_the_rules_say) {
    const Guards guards = one_of_each_system();
    std::vector<Fact> links = true_links(people_);
    const std::vector<Fact> untrue = false_links(people_, links, 0.05, 2);
    links.insert(links.end(), untrue.begin(), untrue.end());
    const Resolution found = resolve_in_all_orders(links, guards);
    const Resolution naive = resolve_naively(links, guards);
    EXPECT_TRUE(found.profiles == naive.profiles);
    EXPECT_TRUE(found.contested == naive.contested);
    EXPECT_TRUE(found.shared == naive.shared);
    // Guards that never object would say nothing.
    EXPECT_GT(found.contested.size(), untrue.size() / 2);
    fmt::print(
        "{} people, {} links of which {} are untrue: {} profiles, {} links contested, {} ids "
        "shared\n",
        people_.size(),
        links.size(),
        untrue.size(),
        found.profiles.size(),
        found.contested.size(),
        found.shared.size()
    );
}

TEST_F(Chadwick, an_id_that_many_are_linked_with_is_shared) {
    // A hundred people at one kiosk, which has no guard of its own.
    const Guards guards = one_of_each_system();
    std::vector<Fact> links = true_links(people_);
    const Id kiosk{.identifier = "kiosk", .id_name = "key", .id_value = "1"};
    for (std::size_t person = 0; person < 100; ++person) {
        Fact link{
            .ids = {people_[person].front(), kiosk}, .first = links[person].first, .source = "kiosk"
        };
        seal(link);
        links.push_back(std::move(link));
    }
    const Resolution found = resolve_in_all_orders(links, guards);
    const Resolution naive = resolve_naively(links, guards);
    EXPECT_TRUE(found == naive);
    EXPECT_EQ(found.shared, std::set{kiosk});
    EXPECT_EQ(found.profiles.size(), people_.size() + 1);
    EXPECT_EQ(found.contested.size(), 100);
}

}  // namespace
}  // namespace footfall::identities
