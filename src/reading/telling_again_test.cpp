#include "reading/telling_again.h"

#include "events/event_keys.h"
#include "people/read_door.h"
#include "people/schema.h"
#include "reading/schema.h"
#include "reading/told_reads.h"
#include "reading/who_read.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace footfall::reading {
namespace {

using namespace std::chrono_literals;

constexpr SipKey telling_secret{9, 10};

std::vector<const storage::Table*> telling_tables() {
    std::vector<const storage::Table*> tables{people::all_tables.begin(), people::all_tables.end()};
    tables.insert(tables.end(), all_tables.begin(), all_tables.end());
    return tables;
}

class TellingAgainTest : public testing::Test {
protected:
    void SetUp() override {
        say({.actor = "ann", .consent = people::Consent{.reading = people::Reading::shared}});
        for (const char* url : {"https://a.example/", "https://b.example/", "https://c.example/"}) {
            read(url);
        }
    }

    void say(const people::Said& said) {
        const auto answers = people_->say({&said, 1});
        ASSERT_TRUE(answers && answers->front());
    }

    void read(const std::string& url) {
        events::JudgedEvent& judged = log_.emplace_back();
        judged.event = {.time = clock_.now(), .action = "read", .object = url, .actor = "ann"};
        door_.take(judged);
        const projecting::JudgedRecord record{
            .offset = log_.size(), .judged = &judged, .person = {}
        };
        readership_.apply(events::lane_of(url, telling_secret), {&record, 1});
        door_.seals().seal(judged);
    }

    void take_back(const std::string& url) {
        const auto taken = reading::take_back(
            readership_, *people_, "ann", {.taken = people::Taken::url, .text = url}
        );
        ASSERT_TRUE(taken);
        EXPECT_EQ(*taken, 1);
    }

    /// By the list, and by the question.
    void expect_seen(const std::vector<std::string>& expected) {
        std::vector<std::string> listed;
        const auto own = own_reads(readership_, readers_of(people_->sharers(), "ann"));
        ASSERT_TRUE(own);
        for (const OwnRead& each : *own) {
            listed.push_back(each.url);
        }
        EXPECT_EQ(listed, expected);
        const auto seen =
            who_read(readership_, *people_, {.friends = {{"ann"}}, .urls = expected, .names = 1});
        ASSERT_TRUE(seen);
        for (const UrlAnswer& each : seen->urls) {
            EXPECT_EQ(each.count, 1);
        }
    }

    std::size_t former_rows() {
        return storage::scan_page(store_, {.table = &people::former_reader_table})->rows.size();
    }

    bool opens(std::size_t at) const {
        events::JudgedEvent judged = log_[at];
        events::ReadBy sealed = judged.read.value_or(events::ReadBy{});
        sealed.reader.reset();
        judged.read = std::move(sealed);
        return door_.seals().open(judged);
    }

    ManualClock clock_{Instant{std::chrono::days{20'000}} + 12h};
    storage::MemoryStore store_{telling_tables(), clock_};
    std::unique_ptr<people::People> people_ =
        *people::People::open(store_, clock_, {.secret = telling_secret});
    std::unique_ptr<people::DayKeys> days_ = *people::DayKeys::open(store_, clock_, {});
    people::ReadDoor door_{people_->sharers(), *days_, clock_, {.secret = telling_secret}};
    Readership readership_{
        store_, clock_, people_->sharers(), {.secret = telling_secret, .seals = &door_.seals()}
    };
    std::vector<events::JudgedEvent> log_;
    std::vector<events::ReadsToldAgain> told_;
    int writes_ = 0;
    TellingAgain telling_{
        {.readership = &readership_,
         .people = people_.get(),
         .seals = &door_.seals(),
         .clock = &clock_,
         .secret = telling_secret,
         .say = [this](std::span<const events::ControlInLane> controls) -> Result<void> {
             ++writes_;
             for (const events::ControlInLane& each : controls) {
                 told_.push_back(std::get<events::ReadsToldAgain>(each.control));
                 readership_.control(each.lane, 100 + told_.size(), each.control);
             }
             return {};
         }}
    };
};

TEST_F(TellingAgainTest, leaves_what_was_left_and_no_key_of_what_was_taken_back) {
    take_back("https://b.example/");
    clock_.advance(TellingAgain::after - 1us);
    ASSERT_TRUE(telling_.turn());
    EXPECT_TRUE(told_.empty()) << "others may not know the new reader yet";
    clock_.advance(1us);
    ASSERT_TRUE(telling_.turn());
    EXPECT_EQ(told_.size(), 2);
    EXPECT_EQ(writes_, 1) << "both together";
    expect_seen({"https://a.example/", "https://c.example/"});
    EXPECT_TRUE(opens(0));
    EXPECT_FALSE(opens(1));
    EXPECT_EQ(former_rows(), 1);
    clock_.advance(1us);
    ASSERT_TRUE(telling_.turn());
    EXPECT_EQ(told_.size(), 2);
    EXPECT_EQ(former_rows(), 0);
    EXPECT_TRUE(people_->sharers().pasts().empty());
    EXPECT_FALSE(opens(0)) << "the key is gone; the fact stands in the log once more";
    expect_seen({"https://a.example/", "https://c.example/"});
    read("https://b.example/");
    expect_seen({"https://a.example/", "https://b.example/", "https://c.example/"});
}

TEST_F(TellingAgainTest, waits_while_more_is_taken_back) {
    take_back("https://b.example/");
    clock_.advance(TellingAgain::after);
    ASSERT_TRUE(telling_.turn());
    take_back("https://c.example/");
    clock_.advance(1us);
    ASSERT_TRUE(telling_.turn());
    EXPECT_EQ(former_rows(), 2) << "what was told under the reader before is not all";
    expect_seen({"https://a.example/"});
    clock_.advance(TellingAgain::after);
    ASSERT_TRUE(telling_.turn());
    clock_.advance(1us);
    ASSERT_TRUE(telling_.turn());
    EXPECT_EQ(former_rows(), 0);
    expect_seen({"https://a.example/"});
}

TEST_F(TellingAgainTest, names_nobody_and_nothing) {
    take_back("https://b.example/");
    clock_.advance(TellingAgain::after);
    ASSERT_TRUE(telling_.turn());
    ASSERT_EQ(told_.size(), 2);
    for (const events::ReadsToldAgain& each : told_) {
        EXPECT_THAT(each.seal, testing::Not(testing::HasSubstr("example")));
        EXPECT_THAT(each.seal, testing::Not(testing::HasSubstr("ann")));
    }
    const auto text = door_.seals().open_text(told_.front().seal);
    ASSERT_TRUE(text);
    EXPECT_EQ(told_reads(text.value_or(people::ReadSeals::Text{}).text).size(), 1);
    say({.actor = "ann", .consent = people::Consent{}});
    EXPECT_FALSE(door_.seals().open_text(told_.front().seal));
}

TEST(ToldReads, are_a_text_and_back) {
    const std::vector<ToldRead> reads{
        {.url = "https://a.example/", .quarter = 1'994'728}, {.url = "", .quarter = -1}
    };
    EXPECT_EQ(told_reads(text_of(reads)), reads);
    EXPECT_TRUE(told_reads("x").empty());
}

}  // namespace
}  // namespace footfall::reading
