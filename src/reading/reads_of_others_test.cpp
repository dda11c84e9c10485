#include "reading/reads_of_others.h"

#include "events/event_keys.h"
#include "foundation/check.h"
#include "people/schema.h"
#include "reading/asking_process.h"
#include "reading/friends_reads.h"
#include "reading/schema.h"
#include "reading/who_read.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace footfall::reading {
namespace {

using namespace std::chrono_literals;

constexpr SipKey secret{5, 6};

std::vector<const storage::Table*> tables() {
    std::vector<const storage::Table*> all{people::all_tables.begin(), people::all_tables.end()};
    all.insert(all.end(), all_tables.begin(), all_tables.end());
    return all;
}

/// A process that counts, and one that asks it.
class ReadsOfOthersTest : public testing::Test {
protected:
    ReadsOfOthersTest() {
        for (const char* const each : {"ann", "bob", "cem", "dee"}) {
            share(*people_, each);
        }
        CHECK(asking_.people->read_changes().has_value(), "changes");
    }

    static void share(people::People& people, const std::string& actor) {
        const people::Said said{
            .actor = actor, .consent = people::Consent{.reading = people::Reading::shared}
        };
        CHECK(people.say({&said, 1}).has_value(), "it is said");
    }

    void read(const std::string& actor) {
        events::JudgedEvent judged;
        judged.event = {.time = clock_.now(), .action = "read", .object = url_};
        const auto id = people_->sharers().id_of(actor);
        CHECK(id.has_value(), "a sharer");
        judged.read = events::ReadBy{.reader = people_->sharers().reader_of(*id)->number};
        const projecting::JudgedRecord record{.offset = ++offset_, .judged = &judged, .person = {}};
        counting_->apply(events::lane_of(url_, secret), {&record, 1});
    }

    /// Who of ann, bob and cem read it.
    std::string readers(std::vector<std::string> friends = {"ann", "bob", "cem"}) {
        const auto answer = who_read(
            asking_.readership, *asking_.people, {.friends = std::move(friends), .urls = {url_}}
        );
        EXPECT_TRUE(answer) << answer.error().message;
        provisional_ = answer && answer->provisional;
        std::string names;
        for (const std::string& each : answer->urls.front().readers) {
            names += each + " ";
        }
        return names;
    }

    ReadsOfOthers::Figures figures() const { return asking_.readership.others()->figures(); }

    const std::string url_ = "https://news.example/1";
    ManualClock clock_{Instant{std::chrono::days{20'000}} + 12h};
    storage::MemoryStore store_{tables(), clock_};
    std::unique_ptr<people::People> people_ =
        *people::People::open(store_, clock_, {.secret = secret, .shared = true});
    std::unique_ptr<Readership> counting_ = std::make_unique<Readership>(
        store_, clock_, people_->sharers(), Readership::Options{.secret = secret}
    );
    AskingProcess asking_{store_, clock_, counting_, secret, std::chrono::days{30}};
    std::uint64_t offset_ = 0;
    bool provisional_ = false;
};

TEST_F(ReadsOfOthersTest, the_list_is_sent_once_and_memory_is_asked_for_once) {
    read("ann");
    EXPECT_EQ(readers(), "ann ");
    EXPECT_EQ(asking_.owner.times, 1) << "the list went along";
    EXPECT_EQ(figures().left, 1) << "it was not in memory";
    ASSERT_TRUE(counting_->load_wanted());
    const std::size_t bytes = asking_.owner.bytes_of_all;
    EXPECT_GT(bytes, 0);
    read("bob");
    EXPECT_EQ(readers(), "ann bob ");
    EXPECT_EQ(figures().told, 1);
    EXPECT_EQ(figures().by_key, 1);
    EXPECT_EQ(asking_.owner.times, 2);
    EXPECT_EQ(asking_.owner.bytes_of_all, bytes) << "its key was enough";
    EXPECT_EQ(counting_->desk().lists(), 1);
}

TEST_F(ReadsOfOthersTest, who_begins_again_is_sent_the_list_again) {
    read("ann");
    EXPECT_EQ(readers(), "ann ");
    ASSERT_TRUE(counting_->flush(true));
    counting_ = std::make_unique<Readership>(
        store_, clock_, people_->sharers(), Readership::Options{.secret = secret}
    );
    EXPECT_EQ(readers(), "ann ");
    EXPECT_EQ(figures().sent_again, 1);
    EXPECT_EQ(asking_.owner.times, 3);
}

TEST_F(ReadsOfOthersTest, another_list_is_another_key) {
    read("ann");
    read("bob");
    EXPECT_EQ(readers(), "ann bob ");
    ASSERT_TRUE(counting_->load_wanted());
    EXPECT_EQ(readers({"bob", "cem"}), "bob ");
    EXPECT_EQ(readers({"cem"}), "");
    EXPECT_EQ(readers(), "ann bob ");
    EXPECT_EQ(counting_->desk().lists(), 3);
}

TEST_F(ReadsOfOthersTest, what_is_said_to_the_asker_holds_before_the_owner_knows_it) {
    read("ann");
    read("bob");
    EXPECT_EQ(readers(), "ann bob ");
    ASSERT_TRUE(counting_->load_wanted());
    EXPECT_EQ(readers(), "ann bob ");
    const people::Said off{
        .actor = "ann", .consent = people::Consent{.reading = people::Reading::off}
    };
    ASSERT_TRUE(asking_.people->say({&off, 1}));
    EXPECT_EQ(readers(), "bob ");
    const people::Said taken{
        .actor = "bob",
        .take_back = people::TakeBack{.taken = people::Taken::url, .text = url_, .since = {}}
    };
    ASSERT_TRUE(asking_.people->say({&taken, 1}));
    EXPECT_EQ(readers(), "");
}

TEST_F(ReadsOfOthersTest, a_reader_whom_the_owner_does_not_know_yet_leaves_it_to_rows) {
    read("ann");
    EXPECT_EQ(readers(), "ann ");
    ASSERT_TRUE(counting_->load_wanted());
    share(*asking_.people, "eve");
    const std::vector<std::string> friends{"ann", "eve"};
    EXPECT_EQ(readers(friends), "ann ") << "what waits is told";
    EXPECT_EQ(figures().told, 0);
    ASSERT_TRUE(people_->read_changes());
    read("eve");
    EXPECT_EQ(readers(friends), "ann eve ");
    EXPECT_EQ(figures().told, 1);
}

TEST_F(ReadsOfOthersTest, the_day_of_the_asker_holds) {
    read("ann");
    EXPECT_EQ(readers(), "ann ");
    ASSERT_TRUE(counting_->load_wanted());
    clock_.set(std::chrono::floor<std::chrono::days>(clock_.now()) + std::chrono::days{31} - 1us);
    EXPECT_EQ(readers(), "ann ");
    clock_.advance(1us);
    EXPECT_EQ(readers(), "");
}

/// Clocks differ by a moment, in which it is another day here than there.
TEST_F(ReadsOfOthersTest, who_lives_in_another_day_is_left_to_rows) {
    read("ann");
    EXPECT_EQ(readers(), "ann ");
    ASSERT_TRUE(counting_->load_wanted());
    const std::vector<std::uint64_t> numbers{people_->sharers().reader_of(0)->number};
    const std::uint64_t hash = siphash13(secret, url_);
    const people::UtcDay today = counting_->first_day();
    for (const people::UtcDay first : {today - 1, today, today + 1}) {
        const ReadsAsked asked{
            .list = key_of(secret, numbers), .untimed = 1, .first = first, .urls = {hash}
        };
        const std::string question = written_question(asked);
        const projecting::AskedLane lane{
            .lane = events::lane_of(url_, secret), .question = question
        };
        const auto answers = counting_->answer_all({&lane, 1}, written_list(numbers));
        ASSERT_TRUE(answers) << answers.error().message;
        const ReadsTold told = read_reads(answers->front(), asked, 1).value();
        ASSERT_TRUE(told);
        EXPECT_EQ(std::holds_alternative<ReadersTold>(told->front()), first == today) << first;
    }
}

TEST_F(ReadsOfOthersTest, a_list_under_the_key_of_another_is_refused) {
    const std::vector<std::uint64_t> numbers{1, 2};
    const std::string question = written_question(
        {.list = key_of(secret, std::vector<std::uint64_t>{1, 3}), .untimed = 2, .urls = {7}}
    );
    const projecting::AskedLane lane{.lane = 0, .question = question};
    EXPECT_FALSE(counting_->answer_all({&lane, 1}, written_list(numbers)));
    EXPECT_FALSE(counting_->answer_all({&lane, 1}, "?"));
    EXPECT_TRUE(counting_->answer_all({&lane, 1}, {})) << "it is not known";
}

TEST_F(ReadsOfOthersTest, where_nobody_answers_rows_do_and_it_is_said) {
    read("ann");
    ASSERT_TRUE(counting_->flush(true));
    read("bob");
    asking_.owner.is_silent = true;
    EXPECT_EQ(readers(), "ann ");
    EXPECT_TRUE(provisional_);
    EXPECT_EQ(figures().unanswered, 1);
    asking_.owner.is_silent = false;
    EXPECT_EQ(readers(), "ann bob ");
    EXPECT_FALSE(provisional_);
}

TEST_F(ReadsOfOthersTest, what_friends_read_last_comes_from_the_owner_too) {
    read("ann");
    ASSERT_TRUE(counting_->flush(true));
    const people::Said lists{.actor = "dee", .friends = {{"ann", "bob"}}};
    ASSERT_TRUE(asking_.people->say({&lists, 1}));
    FriendsReads friends{store_, clock_, asking_.readership, *asking_.people};
    for (const std::uint64_t told : {0U, 1U}) {
        const auto latest = friends.latest("dee", 10);
        ASSERT_TRUE(latest) << latest.error().message;
        EXPECT_FALSE(latest->provisional);
        ASSERT_EQ(latest->urls.size(), 1);
        EXPECT_EQ(latest->urls[0].url, url_);
        EXPECT_EQ(latest->urls[0].readers, std::vector<std::string>{"ann"});
        EXPECT_EQ(latest->urls[0].latest, clock_.now());
        EXPECT_EQ(figures().told, told);
        ASSERT_TRUE(counting_->load_wanted());
    }
}

TEST_F(ReadsOfOthersTest, whoever_read_it_is_told_where_nobody_is_named) {
    read("ann");
    read("bob");
    const Pasts none;
    for (const std::uint64_t told : {0U, 1U}) {
        std::size_t count = 0;
        ASSERT_TRUE(asking_.readership.latest_reads(
            std::vector{url_},
            {.pasts = &none},
            [&](std::size_t, std::span<const Readership::ReaderAt> readers) {
                count += readers.size();
            }
        ));
        EXPECT_EQ(count, 2);
        EXPECT_EQ(figures().told, told);
        ASSERT_TRUE(counting_->load_wanted());
    }
}

TEST(KnownLists, those_asked_about_least_lately_go) {
    KnownLists lists;
    const auto list_of = [](std::size_t friends) {
        return std::make_shared<const KnownList>(KnownList{
            .ids = std::vector<ReaderId>(friends), .ascending = std::vector<ReaderId>(friends)
        });
    };
    constexpr std::size_t most = 10'000;
    for (std::uint64_t key = 0; key < 100; ++key) {
        lists.put({.one = key}, list_of(100), most);
        ASSERT_NE(lists.find({.one = 0}), nullptr) << "it is asked about all the time";
        ASSERT_LE(lists.bytes(), most);
    }
    EXPECT_EQ(lists.size(), 10);
    EXPECT_EQ(lists.find({.one = 1}), nullptr);
    EXPECT_NE(lists.find({.one = 99}), nullptr);
    lists.put({.one = 200}, list_of(5'000), most);
    EXPECT_EQ(lists.find({.one = 200}), nullptr) << "it has no room at all";
    EXPECT_EQ(lists.size(), 10);
    const runtime::AccountAudit audit = lists.audit(0);
    EXPECT_EQ(audit.booked, audit.counted);
}

}  // namespace
}  // namespace footfall::reading
