#include "people/read_door.h"

#include "ciphers/ciphers.h"
#include "events/event_keys.h"
#include "people/people.h"
#include "people/schema.h"
#include "storage/memory_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

namespace footfall::people {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr SipKey door_secret{5, 6};

class ReadDoorTest : public testing::Test {
protected:
    void SetUp() override {
        people_ = *People::open(store_, clock_, {.secret = door_secret});
        days_ = *DayKeys::open(store_, clock_, {.shared = true});
        say("ann", {.reading = Reading::shared});
    }

    void say(const std::string& actor, const Consent& consent) {
        const Said said{.actor = actor, .consent = consent};
        ASSERT_TRUE(people_->say({&said, 1}));
    }

    events::JudgedEvent read_of(const std::string& actor) const {
        events::JudgedEvent judged;
        judged.event = {
            .id = "id-7",
            .time = clock_.now(),
            .action = "read",
            .object = "HTTP://News.Example:80/a?utm_source=x#top",
            .actor = actor,
            .address = "192.0.2.7",
            .agent = "agent-of-ann",
            .referrer = "https://referrer.example/",
            .identifiers = {{.identifier = "www", .id_name = "id", .id_value = "w111"}},
            .attributes = R"({"secret":"attribute"})"
        };
        judged.arrival = clock_.now();
        return judged;
    }

    ReadDoor door(std::vector<std::string> sites = {}) const {
        return {
            people_->sharers(),
            *days_,
            clock_,
            {.secret = door_secret, .salt = 9, .sites = std::move(sites)}
        };
    }

    static events::ReadBy read_by(const events::JudgedEvent& judged) {
        return judged.read.value_or(events::ReadBy{});
    }

    /// As it is found in the log.
    static events::JudgedEvent stored(const events::JudgedEvent& judged) {
        std::string bytes;
        append_judged(judged, bytes);
        return std::get<events::JudgedEvent>(*events::read_record(bytes));
    }

    static void expect_nobody(const events::JudgedEvent& judged) {
        std::string bytes;
        append_judged(judged, bytes);
        for (const char* mark :
             {"ann",
              "192.0.2.7",
              "agent-of",
              "referrer.example",
              "w111",
              "attribute",
              "id-7",
              "evidence"}) {
            EXPECT_THAT(bytes, Not(HasSubstr(mark)));
        }
        EXPECT_THAT(bytes, HasSubstr("https://news.example/a"));
    }

    ManualClock clock_{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore store_{all_tables, clock_};
    std::unique_ptr<People> people_;
    std::unique_ptr<DayKeys> days_;
};

TEST_F(ReadDoorTest, a_shared_read_is_opened_by_who_has_both_keys) {
    events::JudgedEvent judged = read_of("ann");
    const ReadDoor reads = door();
    reads.take(judged);
    EXPECT_EQ(judged.event.object, "https://news.example/a");
    judged.verdict.refusal = {
        .reason = "repeat", .rule = "a rule", .evidence = {{"seconds", "evidence"}}
    };
    judged.verdict.remarks = {{"shared", "evidence"}};
    reads.seals().seal(judged);
    expect_nobody(judged);
    events::JudgedEvent found = stored(judged);
    EXPECT_EQ(found.event.actor, "");
    EXPECT_EQ(found.verdict.refusal.value_or(events::Objection{}).reason, "repeat");
    EXPECT_EQ(reads.seals().reader_of(found), read_by(judged).reader);
    ASSERT_TRUE(reads.seals().open(found));
    EXPECT_EQ(found, judged);
}

TEST_F(ReadDoorTest, no_two_seals_are_alike) {
    std::set<std::string> names;
    for (int at = 0; at < 200; ++at) {
        events::JudgedEvent judged = read_of("ann");
        door().take(judged);
        door().seals().seal(judged);
        names.insert(read_by(judged).seal.substr(3, 28));
    }
    EXPECT_EQ(names.size(), 200);
}

TEST_F(ReadDoorTest, what_is_not_shared_is_stripped) {
    say("bob", {.reading = Reading::paused});
    say("cid", {.reading = Reading::shared, .sites = {"other.example"}});
    for (const char* actor : {"bob", "cid", "eve"}) {
        events::JudgedEvent judged = read_of(actor);
        door().take(judged);
        door().seals().seal(judged);
        EXPECT_TRUE(judged.read && read_by(judged).seal.empty()) << actor;
        expect_nobody(judged);
    }
    const auto expect_stripped = [&](events::JudgedEvent judged, const ReadDoor& reads) {
        reads.take(judged);
        EXPECT_FALSE(read_by(judged).reader);
        expect_nobody(judged);
    };
    expect_stripped(read_of("ann"), door({"other.example"}));
    auto judged = read_of("ann");
    judged.event.time -= 31 * 24h;
    expect_stripped(judged, door());
    judged.event.time += 24h;
    judged.event = read_of("ann").event;
    door({"news.example"}).take(judged);
    EXPECT_TRUE(read_by(judged).reader);
}

TEST_F(ReadDoorTest, a_read_that_names_nobody_by_the_trusted_door_is_nobodys_fact) {
    events::JudgedEvent forged = read_of("ann");
    forged.door = events::Door::public_door;
    for (events::JudgedEvent judged : {read_of(""), forged}) {
        events::JudgedEvent before = judged;
        door().take(judged);
        before.event.object = "https://news.example/a";
        EXPECT_EQ(judged, before);
    }
}

TEST_F(ReadDoorTest, once_a_key_is_gone_it_is_nobodys) {
    events::JudgedEvent judged = read_of("ann");
    door().take(judged);
    events::JudgedEvent late = judged;
    door().seals().seal(judged);
    say("ann", {});
    events::JudgedEvent found = stored(judged);
    EXPECT_FALSE(door().seals().open(found));
    EXPECT_TRUE(door().seals().reader_of(found)) << "a number that is nobody's";
    late.verdict.refusal = {.reason = "repeat", .rule = "", .evidence = {{"a", "evidence"}}};
    door().seals().seal(late);
    EXPECT_TRUE(read_by(late).seal.empty());
    expect_nobody(late);
    say("ann", {.reading = Reading::shared});
    EXPECT_FALSE(door().seals().open(found)) << "who came back is another reader";
}

TEST_F(ReadDoorTest, a_days_key_goes_with_its_facts) {
    events::JudgedEvent judged = read_of("ann");
    door().take(judged);
    door().seals().seal(judged);
    const auto day = std::chrono::floor<std::chrono::days>(clock_.now());
    clock_.set(day + std::chrono::days{31} - 1us);
    ASSERT_TRUE(days_->turn());
    events::JudgedEvent found = stored(judged);
    EXPECT_TRUE(door().seals().open(found));
    clock_.set(day + std::chrono::days{31});
    found = stored(judged);
    EXPECT_FALSE(door().seals().open(found)) << "before the key is destroyed, too";
    EXPECT_FALSE(door().seals().reader_of(found));
    ASSERT_TRUE(days_->turn());
    clock_.set(day + std::chrono::hours{12});
    EXPECT_FALSE(door().seals().open(found)) << "the key is gone for good";
    const auto again = *DayKeys::open(store_, clock_, {.shared = true});
    EXPECT_NE(again->find(utc_day_of(clock_.now())), nullptr);
    const ReadSeals seals{people_->sharers(), *again, 9};
    EXPECT_FALSE(seals.open(found)) << "another one was drawn";
}

TEST_F(ReadDoorTest, processes_have_the_same_keys_of_days) {
    const auto other = *DayKeys::open(store_, clock_, {.shared = true});
    for (UtcDay day = utc_day_of(clock_.now()) - 31; day < utc_day_of(clock_.now()) + 4; ++day) {
        const auto one = days_->find(day);
        const auto two = other->find(day);
        const bool is_live = day >= utc_day_of(clock_.now()) - 30 &&
                             day <= utc_day_of(clock_.now()) + DayKeys::days_ahead;
        ASSERT_EQ(one != nullptr, is_live) << day;
        ASSERT_EQ(two != nullptr, is_live) << day;
        if (one && two) {
            EXPECT_EQ(one->names, two->names);
            EXPECT_EQ(one->seals, two->seals);
            EXPECT_NE(one->names, one->seals);
        }
    }
}

TEST_F(ReadDoorTest, a_seal_is_of_its_object_and_of_its_bytes) {
    events::JudgedEvent judged = read_of("ann");
    door().take(judged);
    door().seals().seal(judged);
    events::JudgedEvent moved = stored(judged);
    moved.event.object = "https://other.example/";
    EXPECT_FALSE(door().seals().open(moved));
    for (std::size_t at = 0; at < read_by(judged).seal.size(); ++at) {
        events::JudgedEvent damaged = stored(judged);
        events::ReadBy read = read_by(judged);
        read.seal[at] ^= 1;
        damaged.read = read;
        EXPECT_FALSE(door().seals().open(damaged)) << at;
        read.seal.resize(at);
        damaged.read = read;
        EXPECT_FALSE(door().seals().open(damaged)) << at;
    }
}

TEST_F(ReadDoorTest, other_events_are_left_as_they_are) {
    events::JudgedEvent judged = read_of("ann");
    judged.event.action = "view";
    const events::JudgedEvent before = judged;
    door().take(judged);
    door().seals().seal(judged);
    EXPECT_EQ(judged, before);
    EXPECT_FALSE(door().seals().open(judged));
}

TEST_F(ReadDoorTest, a_read_has_one_content_whoever_read_it) {
    events::JudgedEvent shared = read_of("ann");
    door().take(shared);
    events::JudgedEvent stripped = read_of("eve");
    door().take(stripped);
    const auto of_shared = keys_of(shared, door_secret);
    const auto of_stripped = keys_of(stripped, door_secret);
    EXPECT_EQ(of_shared.content, of_stripped.content);
    EXPECT_EQ(of_shared.identity, of_stripped.identity);
    EXPECT_EQ(of_shared.identity, keys_of(stored(stripped), door_secret).identity);
    EXPECT_FALSE(of_stripped.person);
    EXPECT_FALSE(counted_person(shared.event, of_shared));
    events::JudgedEvent salted = shared;
    events::ReadBy other = read_by(shared);
    other.salt = 10;
    salted.read = other;
    EXPECT_NE(keys_of(salted, door_secret).repeat, of_shared.repeat);
}

/// FIPS 197, C.3.
TEST(Aes, is_what_the_standards_say) {
    ciphers::Key key;
    ciphers::Block block;
    for (std::size_t at = 0; at < key.size(); ++at) {
        key[at] = static_cast<unsigned char>(at);
    }
    for (std::size_t at = 0; at < block.size(); ++at) {
        block[at] = static_cast<unsigned char>(at * 0x11);
    }
    const ciphers::Block expected{
        0x8e,
        0xa2,
        0xb7,
        0xca,
        0x51,
        0x67,
        0x45,
        0xbf,
        0xea,
        0xfc,
        0x49,
        0x90,
        0x4b,
        0x49,
        0x60,
        0x89
    };
    EXPECT_EQ(ciphers::encrypt(key, block), expected);
    EXPECT_EQ(ciphers::decrypt(key, expected), block);
    std::string sealed;
    ciphers::append_sealed(key, {}, "beside", "text", sealed);
    EXPECT_EQ(sealed.size(), 4 + ciphers::tag_bytes);
    EXPECT_EQ(ciphers::open(key, {}, "beside", sealed), "text");
    EXPECT_FALSE(ciphers::open(key, {}, "besides", sealed));
    EXPECT_FALSE(ciphers::open(key, {1}, "beside", sealed));
    EXPECT_FALSE(ciphers::open(key, {}, "beside", ""));
}

}  // namespace
}  // namespace footfall::people
