#include "people/people.h"

#include "foundation/random.h"
#include "foundation/testing/rounds.h"
#include "people/schema.h"
#include "runtime/watch.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"
#include "storage/testing/faulty_store.h"
#include "storage/testing/random_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace footfall::people {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr SipKey secret{3, 4};
constexpr std::string_view host = "paper.example";

Said consent_of(std::string actor, Consent consent) {
    return {.actor = std::move(actor), .consent = std::move(consent)};
}

const Consent shared{.reading = Reading::shared};

class PeopleTest : public testing::Test {
protected:
    std::unique_ptr<People> open(bool with_others = false) {
        auto people = People::open(store_, clock_, {.secret = secret, .shared = with_others});
        EXPECT_TRUE(people) << people.error().message;
        return *std::move(people);
    }

    static Person say(People& people, const Said& said) {
        auto answers = people.say({&said, 1});
        EXPECT_TRUE(answers) << answers.error().message;
        if (!answers || !answers->front()) {
            ADD_FAILURE() << "not taken";
            return {};
        }
        return *answers->front();
    }

    bool shares(const People& people, std::string_view actor) const {
        return people.sharers().sharing(actor, host, clock_.now()).has_value();
    }

    Reader reader_of(const People& people, std::string_view actor) const {
        const auto sharing = people.sharers().sharing(actor, host, clock_.now());
        EXPECT_TRUE(sharing) << actor;
        return sharing.value_or(Sharers::Sharing{}).reader;
    }

    static std::vector<std::string> friends(People& people, const std::string& actor) {
        auto names = people.friends_of(actor);
        EXPECT_TRUE(names) << names.error().message;
        return names.value_or(std::vector<std::string>{});
    }

    std::size_t rows(const storage::Table& table) {
        const auto page = storage::scan_page(disk_, {.table = &table});
        EXPECT_TRUE(page);
        return page ? page->rows.size() : 0;
    }

    ManualClock clock_{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore disk_{all_tables, clock_};
    storage::FaultyStore store_{disk_, 1};
};

TEST_F(PeopleTest, who_shares_is_known_at_once_and_after_a_start) {
    auto people = open();
    EXPECT_EQ(people->find("ann")->consent, Consent{});
    const Person ann = say(*people, consent_of("ann", shared));
    EXPECT_EQ(ann.consent, shared);
    EXPECT_EQ(ann.since, clock_.now());
    EXPECT_TRUE(shares(*people, "ann"));
    EXPECT_FALSE(shares(*people, "bob"));
    const Reader reader = reader_of(*people, "ann");
    people = open();
    EXPECT_EQ(reader_of(*people, "ann"), reader);
    EXPECT_EQ(people->find("ann")->since, clock_.now());
}

TEST_F(PeopleTest, off_leaves_no_key_and_who_comes_back_is_another_reader) {
    const auto people = open();
    say(*people, consent_of("ann", shared));
    const Reader before = reader_of(*people, "ann");
    say(*people, consent_of("ann", {}));
    EXPECT_FALSE(shares(*people, "ann"));
    EXPECT_EQ(rows(reader_key_table), 0);
    EXPECT_EQ(rows(person_table), 0);
    say(*people, consent_of("ann", shared));
    const Reader after = reader_of(*people, "ann");
    EXPECT_NE(before.number, after.number);
    EXPECT_NE(before.key, after.key);
}

TEST_F(PeopleTest, a_pause_keeps_the_reader_and_ends_by_itself) {
    const auto people = open();
    say(*people, consent_of("ann", shared));
    const Reader before = reader_of(*people, "ann");
    const Consent paused{.reading = Reading::paused, .until = clock_.now() + 1h};
    EXPECT_EQ(say(*people, consent_of("ann", paused)).consent, paused);
    EXPECT_FALSE(shares(*people, "ann"));
    clock_.advance(1h);
    EXPECT_EQ(people->find("ann")->consent, shared);
    EXPECT_EQ(reader_of(*people, "ann"), before);
}

TEST_F(PeopleTest, said_again_nothing_is_written) {
    const auto people = open(true);
    const Person first = say(*people, {.actor = "ann", .consent = shared, .friends = {{"bob"}}});
    clock_.advance(1s);
    const Person again = say(*people, {.actor = "ann", .consent = shared, .friends = {{"bob"}}});
    EXPECT_EQ(first.changed_at, again.changed_at);
    EXPECT_EQ(rows(person_change_table), 1);
}

TEST_F(PeopleTest, friends_are_replaced_added_and_removed) {
    const auto people = open();
    EXPECT_THAT(friends(*people, "ann"), IsEmpty());
    EXPECT_EQ(say(*people, {.actor = "ann", .friends = {{"bob", "cid", "bob"}}}).friends, 2);
    EXPECT_THAT(friends(*people, "ann"), ElementsAre("bob", "cid"));
    EXPECT_EQ(
        say(*people, {.actor = "ann", .add = {"dan", "cid"}, .remove = {"bob", "eve"}}).friends, 2
    );
    EXPECT_THAT(friends(*people, "ann"), ElementsAre("cid", "dan"));
    say(*people, {.actor = "ann", .friends = {{"eve"}}});
    EXPECT_THAT(friends(*people, "ann"), ElementsAre("eve"));
    EXPECT_EQ(rows(friend_table), 1) << "what was replaced is gone";
    say(*people, {.actor = "ann", .friends = std::vector<std::string>{}});
    EXPECT_THAT(friends(*people, "ann"), IsEmpty());
    EXPECT_EQ(rows(friend_table), 0);
    EXPECT_FALSE(shares(*people, "ann")) << "friends are no consent";
}

TEST_F(PeopleTest, too_many_friends_change_nothing_and_harm_nobody_else) {
    const auto people = open();
    std::vector<std::string> many;
    many.reserve(friends_max);
    for (std::size_t at = 0; at < friends_max; ++at) {
        many.push_back(fmt::format("friend {:04}", at));
    }
    EXPECT_EQ(say(*people, {.actor = "ann", .friends = many}).friends, friends_max);
    const std::vector<Said> said{
        {.actor = "ann", .consent = shared, .add = {"one more"}},
        {.actor = "bob", .consent = shared},
        {.actor = "ann", .add = {"another"}, .remove = {"friend 0000"}}
    };
    const auto answers = people->say(said);
    ASSERT_TRUE(answers);
    ASSERT_FALSE((*answers)[0]);
    EXPECT_EQ((*answers)[0].error().kind, ErrorKind::invalid_input);
    EXPECT_THAT((*answers)[0].error().message, HasSubstr("5001"));
    EXPECT_TRUE((*answers)[1]);
    ASSERT_TRUE((*answers)[2]);
    EXPECT_EQ((*answers)[2]->friends, friends_max);
    EXPECT_FALSE(shares(*people, "ann"));
    EXPECT_TRUE(shares(*people, "bob"));
    EXPECT_EQ(friends(*people, "ann").back(), "friend 4999");
    EXPECT_EQ(friends(*people, "ann").front(), "another");
}

TEST_F(PeopleTest, many_lists_that_change_together_are_each_answered_in_their_place) {
    const auto people = open();
    constexpr int count = 450;
    std::vector<Said> said;
    said.reserve(count);
    for (int number = 0; number < count; ++number) {
        said.push_back({.actor = fmt::format("u{}", number), .add = {"ann", "bob"}});
    }
    said.push_back({.actor = "u0", .remove = {"ann"}});
    for (const std::size_t too_many : {0U, 200U, 449U}) {
        said[too_many].add.clear();
        for (std::size_t at = 0; at <= friends_max; ++at) {
            said[too_many].add.push_back(fmt::format("f{}", at));
        }
    }
    const auto answers = people->say(said);
    ASSERT_TRUE(answers);
    ASSERT_EQ(answers->size(), said.size());
    for (std::size_t at = 0; at < said.size(); ++at) {
        const Result<Person>& answer = (*answers)[at];
        ASSERT_EQ(answer.has_value(), said[at].add.size() <= friends_max) << at;
        if (answer) {
            EXPECT_EQ(answer->actor, said[at].actor);
        }
    }
    EXPECT_THAT(friends(*people, "u0"), IsEmpty());
    EXPECT_THAT(friends(*people, "u201"), ElementsAre("ann", "bob"));
    EXPECT_THAT(friends(*people, "u448"), ElementsAre("ann", "bob"));
}

TEST_F(PeopleTest, what_is_said_together_is_taken_in_its_order) {
    const auto people = open();
    const std::vector<Said> said{
        {.actor = "ann", .consent = shared, .friends = {{"bob"}}},
        {.actor = "bob", .consent = shared},
        {.actor = "ann", .add = {"cid"}},
        {.actor = "bob", .consent = Consent{}},
    };
    const auto answers = people->say(said);
    ASSERT_TRUE(answers);
    EXPECT_TRUE(std::ranges::all_of(*answers, [](const auto& each) { return each.has_value(); }));
    EXPECT_THAT(friends(*people, "ann"), ElementsAre("bob", "cid"));
    EXPECT_TRUE(shares(*people, "ann"));
    EXPECT_FALSE(shares(*people, "bob"));
    EXPECT_EQ(rows(reader_key_table), 1);
}

TEST_F(PeopleTest, what_others_are_told_holds_when_changes_are_read) {
    const auto one = open(true);
    const auto other = open(true);
    say(*one, consent_of("ann", shared));
    EXPECT_FALSE(shares(*other, "ann"));
    ASSERT_TRUE(other->read_changes());
    EXPECT_TRUE(shares(*other, "ann"));
    EXPECT_EQ(reader_of(*one, "ann"), reader_of(*other, "ann"));
    clock_.advance(1s);
    say(*other, consent_of("ann", {}));
    ASSERT_TRUE(one->read_changes());
    EXPECT_FALSE(shares(*one, "ann"));
    clock_.advance(50h);  // it could not read for so long
    say(*one, consent_of("bob", shared));
    clock_.advance(50h);
    ASSERT_TRUE(other->read_changes());
    EXPECT_TRUE(shares(*other, "bob"));
    clock_.advance(changes_kept + 1h);
    const auto late = other->read_changes();
    ASSERT_FALSE(late);
    EXPECT_THAT(late.error().message, HasSubstr("start again"));
}

TEST_F(PeopleTest, what_took_long_to_be_written_is_known_to_others_once_it_is_answered) {
    const auto one = open(true);
    const auto other = open(true);
    ASSERT_TRUE(other->read_changes());
    store_.set_options({.hold_writes = true});
    auto said =
        std::async(std::launch::async, [&] { return say(*one, consent_of("ann", shared)); });
    while (store_.held_writes() == 0) {
        std::this_thread::yield();
    }
    clock_.advance(5s);
    EXPECT_TRUE(other->read_changes());
    while (said.wait_for(1ms) != std::future_status::ready) {
        store_.release_writes();
    }
    ASSERT_TRUE(other->read_changes());
    EXPECT_TRUE(shares(*other, "ann"));
    EXPECT_LT(said.get().changed_at, clock_.now()) << "said again it is no other change";
}

TEST_F(PeopleTest, who_was_off_shares_again_by_a_clock_that_is_behind_or_stands_still) {
    const auto one = open(true);
    const auto other = open(true);
    say(*one, consent_of("ann", shared));
    say(*one, consent_of("ann", {}));
    say(*one, consent_of("ann", shared));
    EXPECT_TRUE(shares(*one, "ann"));
    say(*one, consent_of("ann", {}));
    ASSERT_TRUE(other->read_changes());
    clock_.advance(-1s);
    say(*other, consent_of("ann", shared));
    EXPECT_TRUE(shares(*other, "ann"));
    ASSERT_TRUE(one->read_changes());
    EXPECT_TRUE(shares(*one, "ann"));
    say(*other, consent_of("ann", {}));
    ASSERT_TRUE(one->read_changes());
    clock_.advance(-1s);
    const auto began_later = open(true);
    say(*began_later, consent_of("ann", shared));
    ASSERT_TRUE(one->read_changes());
    EXPECT_TRUE(shares(*one, "ann"));
}

TEST_F(PeopleTest, clocks_may_differ_and_the_later_change_stands) {
    const auto one = open(true);
    const auto other = open(true);
    clock_.advance(1h);
    ASSERT_TRUE(one->read_changes());
    say(*one, consent_of("ann", shared));
    ASSERT_TRUE(other->read_changes());
    clock_.advance(-1s);
    say(*other, consent_of("ann", {}));  // by a clock that is behind
    ASSERT_TRUE(one->read_changes());
    EXPECT_FALSE(shares(*one, "ann"));
    ASSERT_TRUE(other->read_changes());
    EXPECT_FALSE(shares(*other, "ann"));
    clock_.advance(-1min);
    say(*other, consent_of("bob", shared));
    clock_.advance(1min);
    for (int second = 0; second < 21; ++second) {
        clock_.advance(1s);
        ASSERT_TRUE(one->read_changes());
    }
    EXPECT_TRUE(shares(*one, "bob"));
}

TEST_F(PeopleTest, the_watch_sees_what_others_change) {
    const auto one = open(true);
    const auto other = open(true);
    const runtime::Watch watch{{.what = "people", .period = 1ms}, [&] {
                                   return other->read_changes();
                               }};
    say(*one, consent_of("ann", shared));
    const auto patience_ends = std::chrono::steady_clock::now() + 20s;
    while (!shares(*other, "ann") && std::chrono::steady_clock::now() < patience_ends) {
        std::this_thread::yield();
    }
    EXPECT_TRUE(shares(*other, "ann"));
}

/// What a person should be, beside what the program says they are.
struct Plain {
    Consent consent;
    std::set<std::string> friends;
};

class PeopleFaults : public PeopleTest {
protected:
    void play(std::uint64_t seed) {
        Random random{seed};
        const std::jthread writer{[this](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                store_.release_writes();
                std::this_thread::yield();
            }
        }};
        auto people = open();
        std::map<std::string, Plain> plain;
        for (int person = 0; person < 4; ++person) {  // of the round before nothing is left
            const std::string actor = fmt::format("p{}", person);
            ASSERT_NO_FATAL_FAILURE(say_until_taken(
                *people,
                {.actor = actor, .consent = Consent{}, .friends = std::vector<std::string>{}}
            ));
        }
        for (int step = 0; step < 60; ++step) {
            clock_.advance(1s);
            const Said said = draw(random);
            Plain after = plain[said.actor];
            apply(said, after);
            store_.set_options({.fail_write = random.below(3) == 0 ? 0.5 : 0, .hold_writes = true});
            const auto told = people->say({&said, 1});
            store_.set_options({});
            if (!told) {
                const Plain found = state(said.actor);
                ASSERT_TRUE(
                    found.consent == plain[said.actor].consent || found.consent == after.consent
                );
                ASSERT_TRUE(
                    found.friends == plain[said.actor].friends || found.friends == after.friends
                )
                    << fmt::format(
                           "{} -> {}, found {}",
                           plain[said.actor].friends,
                           after.friends,
                           found.friends
                       );
                if (random.below(2) == 0) {
                    people = open();
                }
                ASSERT_NO_FATAL_FAILURE(say_until_taken(*people, said));
            }
            plain[said.actor] = after;
            ASSERT_NO_FATAL_FAILURE(expect_all(*people, plain));
            ASSERT_NO_FATAL_FAILURE(expect_all(*open(), plain));
        }
    }

private:
    static std::string name(Random& random) { return fmt::format("p{}", random.below(4)); }

    static Said draw(Random& random) {
        Said said{.actor = name(random)};
        if (random.below(2) == 0) {
            said.consent = Consent{.reading = static_cast<Reading>(random.below(3))};
            if (said.consent->reading != Reading::off && random.below(2) == 0) {
                said.consent->sites = {"paper.example"};
            }
        }
        if (random.below(3) == 0) {
            said.friends.emplace();
            while (random.below(3) != 0) {
                said.friends->push_back(name(random));
            }
        }
        if (random.below(2) == 0) {
            said.add.push_back(name(random));
            said.remove.push_back(name(random));
        }
        return said;
    }

    /// The store refuses what comes while it drops what it lost.
    static void say_until_taken(People& people, const Said& said) {
        auto answers = people.say({&said, 1});
        while (!answers && answers.error().kind == ErrorKind::unavailable) {
            std::this_thread::yield();
            answers = people.say({&said, 1});
        }
        ASSERT_TRUE(answers) << answers.error().message;
        ASSERT_TRUE(answers->front());
    }

    static void apply(const Said& said, Plain& plain) {
        plain.consent = said.consent.value_or(plain.consent);
        if (said.friends) {
            plain.friends = {said.friends->begin(), said.friends->end()};
        }
        plain.friends.insert(said.add.begin(), said.add.end());
        for (const std::string& each : said.remove) {
            plain.friends.erase(each);
        }
    }

    Plain state(const std::string& actor) {
        const auto fresh = open();
        const auto names = friends(*fresh, actor);
        return {
            .consent = fresh->find(actor).value_or(Person{}).consent,
            .friends = {names.begin(), names.end()}
        };
    }

    void expect_all(People& people, const std::map<std::string, Plain>& plain) {
        std::size_t sharers = 0;
        for (const auto& [actor, expected] : plain) {
            const bool there = expected.consent.reading != Reading::off;
            sharers += there ? 1 : 0;
            ASSERT_EQ(people.find(actor)->consent, expected.consent) << actor;
            const auto names = friends(people, actor);
            ASSERT_EQ(std::set<std::string>(names.begin(), names.end()), expected.friends) << actor;
            ASSERT_EQ(people.sharers().id_of(actor).has_value(), there) << actor;
            ASSERT_EQ(shares(people, actor), expected.consent.reading == Reading::shared) << actor;
        }
        ASSERT_EQ(people.sharers().size(), sharers);
        ASSERT_EQ(rows(reader_key_table), sharers);
    }
};

TEST_F(PeopleFaults, whatever_is_lost_it_is_as_it_was_or_as_it_was_said) {
    const std::uint64_t first = storage::test_seed();
    for (std::uint64_t round = 0; round < rounds(100); ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", first + round));
        ASSERT_NO_FATAL_FAILURE(PeopleFaults::play(first + round));
    }
}

}  // namespace
}  // namespace footfall::people
