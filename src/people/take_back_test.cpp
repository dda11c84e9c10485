#include "people/people.h"
#include "people/schema.h"
#include "storage/memory_store.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace footfall::people {
namespace {

constexpr SipKey take_back_secret{5, 6};
const TakeBack of_a_url{.taken = Taken::url, .text = "https://a.example/"};
const Said ann_shares{.actor = "ann", .consent = Consent{.reading = Reading::shared}};

class TakeBackTest : public testing::Test {
protected:
    TakeBackTest() { start(); }

    void start() {
        people_ = *People::open(store_, clock_, {.secret = take_back_secret, .shared = true});
    }

    void say(const Said& said) {
        const auto answers = people_->say({&said, 1});
        ASSERT_TRUE(answers && answers->front());
    }

    Result<void> forget(const std::string& actor, Instant through) {
        const People::Forgotten one{.actor = actor, .through = through};
        return people_->forget_formers({&one, 1});
    }

    const Sharers& sharers() const { return people_->sharers(); }

    std::optional<Reader> reader() const {
        const auto sharing = sharers().sharing("ann", "paper.example", clock_.now());
        return sharing ? std::optional{sharing->reader} : std::nullopt;
    }

    void expect_former(const People& people, const std::optional<Reader>& was) const {
        const auto id = people.sharers().id_of_reader(was.value_or(Reader{}).number);
        const auto past = people.sharers().past_of(id.value_or(99));
        ASSERT_NE(past, nullptr);
        EXPECT_EQ(past->formers.front().reader, was);
        EXPECT_TRUE(hides(past->formers.front(), of_a_url.text, clock_.now()));
    }

    ManualClock clock_{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore store_{all_tables, clock_};
    std::unique_ptr<People> people_;
};

TEST_F(TakeBackTest, of_a_part_makes_another_reader_and_keeps_the_former_one) {
    const auto other = *People::open(store_, clock_, {.secret = take_back_secret, .shared = true});
    say(ann_shares);
    const auto was = reader();
    ASSERT_TRUE(was);
    say({.actor = "ann", .take_back = of_a_url});
    EXPECT_NE(reader(), was);
    expect_former(*people_, was);
    ASSERT_TRUE(other->read_changes());
    expect_former(*other, was);
    start();
    expect_former(*people_, was);
    say({.actor = "ann", .add = {"bob"}});
    expect_former(*people_, was);
}

TEST_F(TakeBackTest, of_all_makes_another_reader_and_keeps_none) {
    say(ann_shares);
    const auto was = reader();
    say({.actor = "ann", .take_back = of_a_url});
    const auto is = reader();
    say({.actor = "ann", .take_back = TakeBack{}});
    EXPECT_NE(reader(), is);
    EXPECT_NE(reader(), was);
    EXPECT_FALSE(sharers().id_of_reader(was.value_or(Reader{}).number));
    EXPECT_FALSE(sharers().id_of_reader(is.value_or(Reader{}).number));
    start();
    EXPECT_TRUE(reader());
    EXPECT_TRUE(sharers().pasts().empty());
}

TEST_F(TakeBackTest, who_is_off_has_no_former_reader_and_nothing_to_take_back) {
    say(ann_shares);
    say({.actor = "ann", .take_back = of_a_url});
    say({.actor = "ann", .consent = Consent{}});
    say({.actor = "ann", .take_back = of_a_url});
    EXPECT_FALSE(reader());
    say(ann_shares);
    start();
    EXPECT_TRUE(reader());
    EXPECT_TRUE(sharers().pasts().empty());
}

TEST_F(TakeBackTest, former_readers_are_bounded_and_those_told_again_go) {
    say(ann_shares);
    const Said part{.actor = "ann", .take_back = of_a_url};
    for (std::size_t at = 0; at < former_readers_max; ++at) {
        say(part);
    }
    const auto refused = people_->say({&part, 1});
    ASSERT_TRUE(refused);
    ASSERT_FALSE(refused->front());
    EXPECT_EQ(refused->front().error().kind, ErrorKind::overloaded);
    const Instant tenth = sharers().pasts().front()->formers[9].at;
    const Instant changed = people_->find("ann")->changed_at;
    ASSERT_TRUE(forget("ann", tenth));
    EXPECT_EQ(people_->find("ann")->changed_at, changed) << "nobody said anything";
    EXPECT_EQ(sharers().pasts().front()->formers.size(), former_readers_max - 10);
    say(part);
    ASSERT_TRUE(forget("ann", clock_.now() + std::chrono::hours{1}));
    EXPECT_TRUE(sharers().pasts().empty());
    ASSERT_TRUE(forget("bob", clock_.now()));
    start();
    EXPECT_TRUE(reader());
    EXPECT_TRUE(sharers().pasts().empty());
}

TEST_F(TakeBackTest, former_readers_go_in_another_process_once_their_rows_are_gone) {
    say(ann_shares);
    for (int times = 0; times < 3; ++times) {
        say({.actor = "ann", .take_back = of_a_url});
    }
    const auto other = *People::open(store_, clock_, {.secret = take_back_secret, .shared = true});
    const auto left = [&] {
        const auto pasts = other->sharers().pasts();
        return pasts.empty() ? 0 : pasts.front()->formers.size();
    };
    ASSERT_EQ(left(), 3);
    ASSERT_TRUE(other->forget_with_others({"ann", "bob"}));
    EXPECT_EQ(left(), 3) << "all rows are there";
    ASSERT_TRUE(forget("ann", sharers().pasts().front()->formers[1].at));
    ASSERT_TRUE(other->forget_with_others({"ann"}));
    EXPECT_EQ(left(), 1);
    ASSERT_TRUE(forget("ann", clock_.now() + std::chrono::hours{1}));
    ASSERT_TRUE(other->forget_with_others({"ann"}));
    EXPECT_EQ(left(), 0);
}

}  // namespace
}  // namespace footfall::people
