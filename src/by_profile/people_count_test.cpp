#include "by_profile/people_count.h"

#include "foundation/random.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace footfall::by_profile {
namespace {

constexpr Day monday = 20'000;

/// All who have a name are placed: those of `profiles` there.
void place_all(PeopleCount& count, const std::map<std::string, std::string>& profiles) {
    constexpr std::size_t at_once = 3;
    for (auto named = count.next_named(at_once); !named.empty();
         named = count.next_named(at_once)) {
        for (std::string& each : named) {
            const auto found = profiles.find(each);
            each = found == profiles.end() ? "" : found->second;
        }
        count.place(named);
    }
}

TEST(PeopleCount, of_nothing_is_nothing) {
    const PeopleCount count;
    EXPECT_TRUE(count.next_named(1).empty());
    EXPECT_EQ(count.figures().all, PeopleFigures{});
    EXPECT_TRUE(count.figures().days.empty());
}

TEST(PeopleCount, takes_actors_of_one_profile_for_one_on_each_day_and_in_all) {
    PeopleCount count;
    count.add(monday, 1, "phone");
    count.add(monday, 2, "laptop");
    count.add(monday, 2, "laptop");
    count.add(monday + 1, 2, "laptop");
    count.add(monday + 1, 3, "");  // nobody knows the name
    count.add_unknown(monday + 2);
    place_all(count, {{"phone", "p"}, {"laptop", "p"}});
    const auto figures = count.figures();
    EXPECT_EQ(figures.all, (PeopleFigures{.counted = 6, .actors = 3, .people = 2}));
    EXPECT_EQ(figures.days.at(monday), (PeopleFigures{.counted = 3, .actors = 2, .people = 1}));
    EXPECT_EQ(figures.days.at(monday + 1), (PeopleFigures{.counted = 2, .actors = 2, .people = 2}));
    EXPECT_EQ(figures.days.at(monday + 2), (PeopleFigures{.counted = 1}));
}

TEST(PeopleCount, knows_days_before_1970) {
    PeopleCount count;
    count.add(-1, 1, "ann");
    count.add(0, 1, "ann");
    EXPECT_EQ(count.figures().days.at(-1).people, 1U);
    EXPECT_EQ(count.figures().all.people, 1U);
}

TEST(PeopleCount, is_what_sets_say_of_random_events) {
    Random random{11};
    constexpr std::uint64_t actors = 300;
    std::map<std::string, std::string> profiles;
    for (std::uint64_t actor = 0; actor < actors; ++actor) {
        if (const std::uint64_t profile = random.below(200); profile < 150) {
            profiles[fmt::format("u{}", actor)] = fmt::format("p{}", profile);
        }
    }
    PeopleCount count;
    std::map<Day, std::set<std::string>> people;
    std::set<std::string> all;
    for (int event = 0; event < 5000; ++event) {
        const std::uint64_t actor = random.below(actors);
        const auto day = static_cast<Day>(random.below(40));
        const std::string name = fmt::format("u{}", actor);
        count.add(day, actor, name);
        const auto found = profiles.find(name);
        const std::string& person = found == profiles.end() ? name : found->second;
        people[day].insert(person);
        all.insert(person);
    }
    place_all(count, profiles);
    const auto figures = count.figures();
    EXPECT_EQ(figures.all.people, all.size());
    ASSERT_EQ(figures.days.size(), people.size());
    for (const auto& [day, of_day] : people) {
        EXPECT_EQ(figures.days.at(day).people, of_day.size()) << day;
    }
}

TEST(PeopleCount, says_what_memory_it_takes) {
    PeopleCount count;
    constexpr std::uint64_t actors = 10'000;
    const std::string name(100, 'u');
    for (std::uint64_t actor = 0; actor < actors; ++actor) {
        count.add(monday, actor, name);
    }
    EXPECT_GT(count.bytes(), actors * (name.size() + 40));
    EXPECT_LT(count.bytes(), actors * (2 * name.size() + 150));
}

}  // namespace
}  // namespace footfall::by_profile
