#include "identities/resolution.h"

#include "foundation/random.h"
#include "identities/test_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace footfall::identities {
namespace {

using Groups = std::vector<std::vector<std::string>>;
using FactList = std::vector<Fact>;

/// Profiles as resolve() lists them: by the id they are named after, in each the ids by order.
Groups profiles(const FactList& facts, const Guards& guards = {}) {
    Groups groups;
    for (const Profile& profile : resolve(facts, guards).profiles) {
        std::vector<std::string> group;
        group.reserve(profile.members.size());
        for (const Member& member : profile.members) {
            group.push_back(member.id.identifier + ":" + member.id.id_value);
        }
        groups.push_back(group);
    }
    return groups;
}

std::vector<Id> names(const FactList& facts) {
    std::vector<Id> names;
    for (const Profile& profile : resolve(facts, {}).profiles) {
        names.push_back(profile.named_after);
    }
    return names;
}

std::vector<Contested> contested(const FactList& facts, const Guards& guards = {}) {
    return resolve(facts, guards).contested;
}

Contested objected(const Fact& link, const std::vector<std::string>& pair, Objection objection) {
    return {.fact = link.id, .ids = ids_named(pair), .objection = objection};
}

using List = std::vector<Contested>;

TEST(Resolution, nothing_follows_from_nothing) {
    EXPECT_EQ(resolve({}, {}), Resolution{});
}

TEST(Resolution, two_links_chain) {
    EXPECT_EQ(
        profiles({link(1, {"web:a", "mail:b"}), link(2, {"mail:b", "app:c"}), link(3, {"web:x"})}),
        (Groups{{"app:c", "mail:b", "web:a"}, {"web:x"}})
    );
}

TEST(Resolution, a_link_of_many_unites_them_all) {
    EXPECT_EQ(
        profiles({link(1, {"a:1", "b:2", "c:3", "d:4"})}), (Groups{{"a:1", "b:2", "c:3", "d:4"}})
    );
}

TEST(Resolution, a_link_of_one_id_makes_a_profile_of_one) {
    const Fact alone = link(7, {"web:a"}, "desk");
    const Resolution resolution = resolve(std::vector{alone}, {});
    const Member member{.id = id_of("web:a"), .since = at_second(7), .source = "desk"};
    EXPECT_EQ(
        resolution.profiles,
        (std::vector<Profile>{{.named_after = id_of("web:a"), .members = {member}}})
    );
    EXPECT_EQ(resolution.contested, List{});
}

TEST(Resolution, order_of_arrival_changes_nothing) {
    const Guards guards{
        .profile_ids = 4, .shared_above = 3, .identifiers = {{"mail", {.per_profile = 1}}}
    };
    const Fact rejected = link(3, {"web:c", "web:f"});
    FactList facts{
        link(1, {"web:a", "mail:a"}),
        link(2, {"web:a", "mail:b"}),
        rejected,
        link(3, {"web:b", "mail:b"}),
        link(4, {"web:b", "web:c"}),
        link(4, {"web:b", "web:d"}),
        link(4, {"web:b", "web:e"}),
        link(5, {"app:x", "app:y"}),
        parting(6, {"app:x"}, {"app:y"}),
        decision(FactKind::reject, 7, rejected)
    };
    const Resolution expected = resolve(facts, guards);
    ASSERT_EQ(expected.contested.size(), 6);
    Random random{26};
    for (int round = 0; round < 200; ++round) {
        std::ranges::shuffle(facts, random);
        ASSERT_EQ(resolve(facts, guards), expected);
    }
}

TEST(Resolution, per_profile_objects_to_the_later_link) {
    const Guards guards{.identifiers = {{"mail", {.per_profile = 1}}}};
    const Fact later = link(2, {"web:a", "mail:b"});
    const FactList facts{later, link(1, {"web:a", "mail:a"})};
    EXPECT_EQ(profiles(facts, guards), (Groups{{"mail:a", "web:a"}, {"mail:b"}}));
    EXPECT_EQ(
        contested(facts, guards),
        (List{objected(later, {"mail:b", "web:a"}, Objection::per_profile)})
    );
    EXPECT_EQ(contested(facts), List{});
}

TEST(Resolution, per_profile_counts_whole_profiles_and_networks_apart) {
    const Guards guards{.identifiers = {{"app", {.per_profile = 2}}, {"mail", {.per_profile = 3}}}};
    const Fact glue = link(9, {"web:1", "web:2"});
    const FactList fits{
        link(1, {"mail:a", "mail:b", "app:a", "web:1"}), link(2, {"mail:c", "app:c", "web:2"}), glue
    };
    EXPECT_EQ(contested(fits, guards), List{});
    FactList fits_not = fits;
    fits_not.push_back(link(3, {"app:d", "web:2"}));
    EXPECT_EQ(
        contested(fits_not, guards),
        (List{objected(glue, {"web:1", "web:2"}, Objection::per_profile)})
    );
}

TEST(Resolution, profile_ids_objects_to_the_later_link) {
    const Fact later = link(2, {"web:c", "web:d"});
    const FactList facts{later, link(1, {"web:a", "web:b", "web:c"})};
    EXPECT_EQ(contested(facts, {.profile_ids = 4}), List{});
    EXPECT_EQ(
        contested(facts, {.profile_ids = 3}),
        (List{objected(later, {"web:c", "web:d"}, Objection::profile_ids)})
    );
    EXPECT_EQ(
        profiles(facts, {.profile_ids = 3}), (Groups{{"web:a", "web:b", "web:c"}, {"web:d"}})
    );
}

TEST(Resolution, a_contested_link_unites_the_pairs_nobody_objects_to) {
    const Guards guards{.identifiers = {{"mail", {.per_profile = 1}}}};
    const Fact many = link(1, {"app:x", "mail:a", "mail:b", "mail:c", "web:y"});
    EXPECT_EQ(
        profiles({many}, guards), (Groups{{"app:x", "mail:a", "web:y"}, {"mail:b"}, {"mail:c"}})
    );
    EXPECT_EQ(
        contested({many}, guards),
        (List{objected(many, {"app:x", "mail:b"}, Objection::per_profile)})
    );
}

TEST(Resolution, more_others_than_shared_above_make_an_id_shared) {
    const Guards guards{.shared_above = 2};
    FactList facts{
        link(1, {"kiosk:k", "web:a"}),
        link(2, {"kiosk:k", "web:b"}),
        link(3, {"kiosk:k", "web:a", "web:b"}),
        link(3, {"kiosk:k", "web:b"}, "desk")
    };
    EXPECT_EQ(resolve(facts, guards).shared, std::set<Id>{});
    EXPECT_EQ(profiles(facts, guards), (Groups{{"kiosk:k", "web:a", "web:b"}}));
    facts.push_back(link(4, {"kiosk:k", "web:c"}));
    // Also its first link unites nobody now; others that a link names beside it stay united.
    EXPECT_EQ(resolve(facts, guards).shared, std::set{id_of("kiosk:k")});
    EXPECT_EQ(profiles(facts, guards), (Groups{{"kiosk:k"}, {"web:a", "web:b"}, {"web:c"}}));
    const List found = contested(facts, guards);
    ASSERT_EQ(found.size(), 5);
    EXPECT_EQ(found[0], objected(facts[0], {"web:a", "kiosk:k"}, Objection::shared));
}

TEST(Resolution, a_network_has_its_own_shared_above) {
    const FactList facts{link(1, {"kiosk:k", "web:a"}), link(2, {"kiosk:k", "web:b"})};
    const Guards sooner{.identifiers = {{"kiosk", {.shared_above = 1}}}};
    EXPECT_EQ(resolve(facts, sooner).shared, std::set{id_of("kiosk:k")});
    const Guards later{.shared_above = 0, .identifiers = {{"kiosk", {.shared_above = 2}}}};
    EXPECT_EQ(resolve(facts, later).shared, (std::set{id_of("web:a"), id_of("web:b")}));
}

TEST(Resolution, what_is_shared_stays_so_when_links_are_rejected_and_tells_no_first_time) {
    FactList facts{link(1, {"kiosk:k", "web:a"}), link(2, {"kiosk:k", "web:b"})};
    facts.push_back(decision(FactKind::reject, 3, facts.back()));
    const Resolution resolution = resolve(facts, {.shared_above = 1});
    EXPECT_EQ(resolution.shared, std::set{id_of("kiosk:k")});
    ASSERT_EQ(resolution.profiles.front().named_after, id_of("kiosk:k"));
    EXPECT_EQ(resolution.profiles.front().members, std::vector{Member{.id = id_of("kiosk:k")}});
}

TEST(Resolution, ids_of_the_surroundings_are_left_out) {
    const FactList facts{
        link(1, {"web:a", "web:b"}), link(2, {"web:b", "web:c"}), link(3, {"kiosk:k", "web:b"})
    };
    const Resolution resolution =
        resolve(facts, {}, {.shared = {id_of("kiosk:k")}, .outside = {id_of("web:c")}});
    ASSERT_EQ(resolution.profiles.size(), 1);
    EXPECT_EQ(resolution.profiles.front().members.size(), 2);
    ASSERT_EQ(resolution.contested.size(), 1);
    EXPECT_EQ(
        resolution.contested.front(), objected(facts[2], {"web:b", "kiosk:k"}, Objection::shared)
    );
}

TEST(Resolution, values_that_never_stand_for_somebody_are_shared) {
    const Guards guards{.identifiers = {{"mail", {.never = {"unknown"}}}}};
    const Fact contested_link = link(1, {"mail:unknown", "web:a"});
    const FactList facts{
        contested_link, link(2, {"web:a", "web:unknown"}), link(3, {"mail:unknown"})
    };
    EXPECT_EQ(profiles(facts, guards), (Groups{{"mail:unknown"}, {"web:a", "web:unknown"}}));
    EXPECT_EQ(resolve(facts, guards).shared, std::set{id_of("mail:unknown")});
    EXPECT_EQ(
        contested(facts, guards),
        (List{objected(contested_link, {"web:a", "mail:unknown"}, Objection::shared)})
    );
}

TEST(Resolution, a_link_of_shared_ids_alone_is_contested) {
    const Guards guards{.identifiers = {{"mail", {.never = {"x", "y"}}}}};
    const Fact of_shared = link(1, {"mail:x", "mail:y"});
    EXPECT_EQ(
        contested({of_shared}, guards),
        (List{objected(of_shared, {"mail:x", "mail:y"}, Objection::shared)})
    );
}

TEST(Resolution, a_parting_keeps_two_ids_apart_by_any_path) {
    const Fact last = link(4, {"web:c", "web:d"});
    FactList facts{
        parting(9, {"web:a"}, {"web:d"}),
        link(1, {"web:a", "web:b"}),
        link(2, {"web:b", "web:c"}),
        last
    };
    EXPECT_EQ(profiles(facts), (Groups{{"web:a", "web:b", "web:c"}, {"web:d"}}));
    EXPECT_EQ(contested(facts), (List{objected(last, {"web:c", "web:d"}, Objection::parting)}));
    // Also when a link comes later, by a path that nobody knew of.
    const Fact other_path = link(11, {"web:e", "web:d"});
    facts.push_back(link(10, {"web:a", "web:e"}));
    facts.push_back(other_path);
    EXPECT_EQ(profiles(facts), (Groups{{"web:a", "web:b", "web:c", "web:e"}, {"web:d"}}));
    EXPECT_EQ(
        contested(facts),
        (List{
            objected(last, {"web:c", "web:d"}, Objection::parting),
            objected(other_path, {"web:d", "web:e"}, Objection::parting)
        })
    );
}

TEST(Resolution, a_parting_unites_and_parts_nobody_on_one_side) {
    const Fact across = link(3, {"web:b", "web:d"});
    const Fact around = link(5, {"web:x", "web:c"});
    const FactList facts{
        link(1, {"web:a", "web:b"}),
        link(2, {"web:c", "web:d"}),
        across,
        link(4, {"web:x", "web:b"}),
        around,
        link(6, {"web:e"}),
        parting(9, {"web:a", "web:b", "web:e"}, {"web:c", "web:d"})
    };
    EXPECT_EQ(
        profiles(facts), (Groups{{"web:a", "web:b", "web:x"}, {"web:c", "web:d"}, {"web:e"}})
    );
    EXPECT_EQ(
        contested(facts),
        (List{
            objected(across, {"web:b", "web:d"}, Objection::parting),
            objected(around, {"web:c", "web:x"}, Objection::parting)
        })
    );
}

TEST(Resolution, a_profile_has_the_partings_of_all_its_ids) {
    const Fact with_c = link(2, {"web:b", "web:c"});
    const Fact with_d = link(3, {"web:a", "web:d"});
    EXPECT_EQ(
        contested(
            {link(1, {"web:a", "web:b"}),
             with_c,
             with_d,
             parting(8, {"web:a"}, {"web:c"}),
             parting(9, {"web:b"}, {"web:d"})}
        ),
        (List{
            objected(with_c, {"web:b", "web:c"}, Objection::parting),
            objected(with_d, {"web:a", "web:d"}, Objection::parting)
        })
    );
}

TEST(Resolution, a_rejected_link_does_not_hold) {
    const Fact wrong = link(1, {"web:a", "web:b"});
    const FactList facts{wrong, link(2, {"web:b", "web:c"}), decision(FactKind::reject, 3, wrong)};
    EXPECT_EQ(profiles(facts), (Groups{{"web:a"}, {"web:b", "web:c"}}));
    EXPECT_EQ(contested(facts), List{});
}

TEST(Resolution, a_rejected_link_leaves_no_trace_on_ids_known_without_it) {
    const Fact wrong = link(1, {"web:b", "web:d"});
    const FactList before{link(2, {"web:a", "web:b"}), link(3, {"web:c", "web:d"})};
    FactList after = before;
    after.push_back(wrong);
    EXPECT_EQ(names(after), ids_named({"web:b"}));
    after.push_back(decision(FactKind::reject, 4, wrong));
    EXPECT_EQ(resolve(after, {}), resolve(before, {}));
}

TEST(Resolution, an_accepted_link_goes_over_guards) {
    const Fact link_of_two = link(2, {"web:a", "mail:b"});
    const FactList facts{
        link(1, {"web:a", "mail:a"}), link_of_two, decision(FactKind::accept, 3, link_of_two)
    };
    const Guards by_network{.identifiers = {{"mail", {.per_profile = 1}}}};
    EXPECT_EQ(profiles(facts, by_network), (Groups{{"mail:a", "mail:b", "web:a"}}));
    EXPECT_EQ(contested(facts, by_network), List{});
    EXPECT_EQ(profiles(facts, {.profile_ids = 2}), (Groups{{"mail:a", "mail:b", "web:a"}}));
    // It is not told that a kiosk is somebody.
    EXPECT_EQ(resolve(facts, {.shared_above = 1}).shared, std::set{id_of("web:a")});
}

TEST(Resolution, a_profile_over_its_bound_is_open_to_other_networks) {
    const Guards guards{.identifiers = {{"mail", {.per_profile = 1}}}};
    const Fact accepted = link(1, {"mail:a", "mail:b"});
    const Fact third = link(4, {"mail:a", "mail:c"});
    const FactList facts{
        accepted, decision(FactKind::accept, 2, accepted), link(3, {"mail:a", "web:a"}), third
    };
    EXPECT_EQ(profiles(facts, guards), (Groups{{"mail:a", "mail:b", "web:a"}, {"mail:c"}}));
    EXPECT_EQ(
        contested(facts, guards),
        (List{objected(third, {"mail:a", "mail:c"}, Objection::per_profile)})
    );
}

TEST(Resolution, an_accepted_link_does_not_go_over_partings) {
    const Fact accepted = link(1, {"web:a", "web:b"});
    const FactList facts{
        accepted, decision(FactKind::accept, 3, accepted), parting(2, {"web:a"}, {"web:b"})
    };
    EXPECT_EQ(contested(facts), (List{objected(accepted, {"web:a", "web:b"}, Objection::parting)}));
    EXPECT_EQ(profiles(facts), (Groups{{"web:a"}, {"web:b"}}));
}

TEST(Resolution, a_contested_link_stays_so_when_an_accepted_one_unites_the_two) {
    const Guards guards{.identifiers = {{"mail", {.per_profile = 1}}}};
    const Fact first = link(1, {"mail:a", "mail:b"});
    const Fact again = link(2, {"mail:a", "mail:b"}, "desk");
    const FactList facts{first, again, decision(FactKind::accept, 3, again)};
    EXPECT_EQ(profiles(facts, guards), (Groups{{"mail:a", "mail:b"}}));
    EXPECT_EQ(
        contested(facts, guards),
        (List{objected(first, {"mail:a", "mail:b"}, Objection::per_profile)})
    );
}

TEST(Resolution, the_latest_decision_that_holds_is_the_decision) {
    const Guards guards{.profile_ids = 1};
    const Fact decided = link(1, {"web:a", "web:b"});
    const Fact accept = decision(FactKind::accept, 3, decided);
    const Fact reject = decision(FactKind::reject, 4, decided);
    FactList facts{decided, accept};
    const Groups apart{{"web:a"}, {"web:b"}};
    const Groups united{{"web:a", "web:b"}};
    EXPECT_EQ(profiles(facts, guards), united);
    facts.push_back(reject);
    EXPECT_EQ(profiles(facts, guards), apart);
    EXPECT_EQ(contested(facts, guards), List{});
    facts.push_back(decision(FactKind::revoke, 5, reject));
    EXPECT_EQ(profiles(facts, guards), united);
    facts.push_back(decision(FactKind::revoke, 5, accept));
    EXPECT_EQ(profiles(facts, guards), apart);
    EXPECT_EQ(contested(facts, guards).size(), 1);
}

TEST(Resolution, what_was_revoked_holds_when_it_is_said_again) {
    const Fact parted = parting(2, {"web:a"}, {"web:b"});
    const Fact revoke = decision(FactKind::revoke, 3, parted);
    FactList facts{link(1, {"web:a", "web:b"}), parted};
    EXPECT_EQ(profiles(facts).size(), 2);
    facts.push_back(revoke);
    EXPECT_EQ(profiles(facts).size(), 1);
    facts.push_back(decision(FactKind::revoke, 9, revoke));
    EXPECT_EQ(profiles(facts).size(), 1) << "a revoke is not revoked";
    merge(facts[1], parting(3, {"web:a"}, {"web:b"}));
    EXPECT_EQ(profiles(facts).size(), 1) << "at one time it is the revoke that was said after";
    merge(facts[1], parting(4, {"web:a"}, {"web:b"}));
    EXPECT_EQ(profiles(facts).size(), 2);
}

TEST(Resolution, decisions_about_what_they_cannot_be_about_say_nothing) {
    const Fact held = link(1, {"web:a", "web:b"});
    const Fact parted = parting(1, {"web:c"}, {"web:d"});
    const FactList facts{held, parted, link(2, {"web:c", "web:d"})};
    FactList more = facts;
    more.push_back(decision(FactKind::revoke, 3, held));
    more.push_back(decision(FactKind::reject, 3, parted));
    more.push_back(decision(FactKind::accept, 3, parted));
    more.push_back(decision(FactKind::reject, 3, link(9, {"web:not_there"})));
    EXPECT_EQ(resolve(more, {}), resolve(facts, {}));
}

TEST(Resolution, merge_then_detach_is_what_was_before) {
    const FactList before{link(1, {"web:a", "mail:a"}), link(2, {"web:b", "mail:b"})};
    FactList facts = before;
    facts.push_back(link(3, {"web:a", "web:b"}));
    const Resolution merged = resolve(facts, {});
    ASSERT_EQ(merged.profiles.size(), 1);
    facts.push_back(parting(4, {"web:a", "mail:a"}, {"web:b", "mail:b"}));
    EXPECT_EQ(resolve(facts, {}).profiles, resolve(before, {}).profiles);
    EXPECT_EQ(contested(facts).size(), 1);
    facts.push_back(decision(FactKind::revoke, 5, facts.back()));
    EXPECT_EQ(resolve(facts, {}), merged);
}

TEST(Resolution, where_the_latest_counts_the_newest_link_is_first) {
    const Guards guards{
        .identifiers = {{"device", {.keeps = Keeps::latest}}, {"user", {.per_profile = 1}}}
    };
    Fact old = link(1, {"device:d", "user:a"});
    const Fact newer = link(5, {"device:d", "user:b"});
    const Fact no_device = link(9, {"user:b", "web:b"});
    EXPECT_EQ(
        contested({old, newer, no_device}, guards),
        (List{objected(old, {"device:d", "user:a"}, Objection::per_profile)})
    );
    // Said again, it is the newest.
    merge(old, link(6, {"device:d", "user:a"}));
    EXPECT_EQ(
        contested({old, newer, no_device}, guards),
        (List{objected(newer, {"device:d", "user:b"}, Objection::per_profile)})
    );
}

TEST(Resolution, links_that_keep_the_first_go_before_those_that_keep_the_latest) {
    const Guards guards{.profile_ids = 2, .identifiers = {{"device", {.keeps = Keeps::latest}}}};
    const Fact device = link(1, {"device:d", "web:a"});
    EXPECT_EQ(
        contested({device, link(9, {"web:a", "web:b"})}, guards),
        (List{objected(device, {"device:d", "web:a"}, Objection::profile_ids)})
    );
}

TEST(Resolution, a_profile_is_named_after_the_id_said_first) {
    EXPECT_EQ(
        names({link(3, {"a:1", "b:2"}), link(2, {"b:2", "c:3"}), link(1, {"d:4", "e:5"})}),
        ids_named({"b:2", "d:4"})
    );
    EXPECT_EQ(names({link(2, {"a:1", "z:9"}), link(1, {"z:9"})}), ids_named({"z:9"}));
}

TEST(Resolution, of_links_of_one_time_the_lower_id_names) {
    const Fact one = link(1, {"a:1", "b:2"});
    const Fact other = link(1, {"b:2", "c:3"});
    EXPECT_EQ(names({one, other}), ids_named({one.id < other.id ? "a:1" : "b:2"}));
    EXPECT_EQ(names({other, one}), ids_named({one.id < other.id ? "a:1" : "b:2"}));
    const Fact third = link(1, {"a:1", "b:2"}, "desk");
    const Profile found = resolve(std::vector{one, third}, {}).profiles.front();
    EXPECT_EQ(found.members[0].source, one.id < third.id ? "shop" : "desk");
}

TEST(Resolution, an_id_that_only_partings_name_is_in_no_profile) {
    const FactList facts{link(1, {"web:a", "web:b"}), parting(2, {"web:a"}, {"web:z"})};
    const Guards guards{.identifiers = {{"web", {.never = {"z"}}}}};
    EXPECT_EQ(profiles(facts, guards), (Groups{{"web:a", "web:b"}}));
    EXPECT_EQ(resolve(facts, guards).shared, std::set<Id>{});
}

}  // namespace
}  // namespace footfall::identities
