#pragma once

#include "events/event_keys.h"
#include "foundation/check.h"
#include "foundation/random.h"
#include "people/people.h"
#include "people/read_door.h"
#include "people/schema.h"
#include "reading/asking_process.h"
#include "reading/own_reads.h"
#include "reading/readership.h"
#include "reading/reading_projection.h"
#include "reading/recount.h"
#include "reading/schema.h"
#include "reading/telling_again.h"
#include "reading/who_read.h"
#include "runtime/memory_shares.h"
#include "storage/blocking.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall::reading {

inline constexpr SipKey world_secret{7, 8};
inline constexpr std::chrono::days facts_live{30};

inline std::vector<const storage::Table*> tables_of_world() {
    std::vector<const storage::Table*> tables{people::all_tables.begin(), people::all_tables.end()};
    tables.insert(tables.end(), all_tables.begin(), all_tables.end());
    return tables;
}

/// People who read, and all that is known of them: through the program, and plainly.
class World {
public:
    explicit World(std::uint64_t seed) : random_{seed}, is_short_{random_.below(2) == 0} {
        open();
        begin_asking();
    }

    void step() {
        switch (random_.below(14)) {
            case 0:
                return say_consent();
            case 1:
                return say_friends();
            case 2:
                clock_.advance(std::chrono::seconds{random_.below(40 * 3600)});
                CHECK(days_->turn().has_value(), "keys of days");
                return;
            case 3:
                CHECK(projection_->flush(random_.below(2) == 0).has_value(), "flush");
                return;
            case 4:
                return start_again();
            case 5:
                projection_->drop();
                return replay();
            case 6:
                return take_something_back();
            case 7:
                return tell_again();
            default:
                return read();
        }
    }

    /// All rows follow from the log, and all that follows is in rows.
    void expect_verified() {
        CHECK(projection_->flush(true).has_value(), "flush");
        std::map<std::uint32_t, std::vector<const Logged*>> lanes;
        for (const Logged& each : log_) {
            lanes[each.lane].push_back(&each);
        }
        for (const auto& [lane, records] : lanes) {
            const auto recount = make_recount({
                .store = &store_,
                .secret = world_secret,
                .lane = lane,
                .seals = &door_->seals(),
                .now = clock_.now(),
            });
            for (const Logged* const each : records) {
                const events::LogRecord record = *events::read_record(each->record);
                const auto* const control = std::get_if<events::Control>(&record);
                const Result<void> added =
                    control != nullptr ? recount->control(each->offset, *control)
                                       : recount->add(
                                             {.offset = each->offset,
                                              .judged = &std::get<events::JudgedEvent>(record),
                                              .person = {}}
                                         );
                CHECK(added.has_value(), "recount");
            }
            AllWritten rows;
            ASSERT_TRUE(recount->read_stored(rows));
            EXPECT_THAT(recount->differences(), testing::IsEmpty());
            verified_ += recount->events();
        }
    }

    std::uint64_t verified() const { return verified_; }

    /// Here, and by a process that asks this one.
    void expect_same() {
        WhoQuestion question;
        const std::string asker = actor();
        const bool by_list = random_.below(2) == 0;
        if (by_list || random_.below(2) == 0) {
            question.actor = asker;
        }
        if (!by_list) {
            question.friends.emplace();
            for (std::uint64_t left = random_.below(8); left > 0; --left) {
                question.friends->push_back(actor());
            }
        }
        for (std::uint64_t left = 1 + random_.below(6); left > 0; --left) {
            question.urls.push_back(spelled(url()));
        }
        question.names = random_.below(4) == 0 ? random_.below(3) : names_max;
        expect_same(question, who_read(*readership_, *people_, question));
        if (!asking_->people->read_changes()) {
            begin_asking();  // it has missed too much
        }
        asking_->owner.is_silent = random_.below(8) == 0;
        const bool is_provisional = asking_->owner.is_silent;
        CHECK(!is_provisional || readership_->flush(true).has_value(), "flush");
        expect_same(
            question, who_read(asking_->readership, *asking_->people, question), is_provisional
        );
        CHECK(random_.below(4) != 0 || readership_->load_wanted().has_value(), "loaded");
    }

    /// What the other process heard from this one.
    ReadsOfOthers::Figures asked() const { return asking_->readership.others()->figures(); }

private:
    void begin_asking() {
        asking_ =
            std::make_unique<AskingProcess>(store_, clock_, readership_, world_secret, facts_live);
    }

    void expect_same(
        const WhoQuestion& question, const Result<WhoAnswer>& answers, bool is_provisional = false
    ) {
        ASSERT_TRUE(answers) << answers.error().message;
        EXPECT_EQ(answers->provisional, is_provisional);
        ASSERT_EQ(answers->urls.size(), question.urls.size());
        for (std::size_t at = 0; at < answers->urls.size(); ++at) {
            const std::set<std::string> expected = plainly(question, question.urls[at]);
            const auto most =
                static_cast<std::ptrdiff_t>(std::min(expected.size(), question.names));
            const std::vector<std::string> shown{
                expected.begin(), std::next(expected.begin(), most)
            };
            ASSERT_EQ(answers->urls[at].count, expected.size()) << question.urls[at];
            ASSERT_EQ(answers->urls[at].readers, shown) << question.urls[at];
        }
    }

    class AllWritten final : public projecting::WrittenRows {
    public:
        std::uint64_t end() const override { return std::numeric_limits<std::uint64_t>::max(); }

        Result<bool> wait() override { return false; }
    };

    struct Fact {
        std::string actor;
        std::string url;
        Instant time;
        std::uint64_t since = 0;  ///< Plain::since of the actor.
        bool is_taken_back = false;
    };

    struct Plain {
        people::Consent consent;
        std::set<std::string> friends;
        std::uint64_t since = 0;  ///< Another number each time they begin to share.
    };

    struct Logged {
        std::uint32_t lane = 0;
        std::uint64_t offset = 0;
        std::string record;
    };

    std::string actor() { return fmt::format("p{}", random_.below(8)); }

    std::string url() {
        const std::uint64_t at = random_.below(5);
        return fmt::format("https://{}news.example/{}", at % 2 == 0 ? "" : "local.", at);
    }

    std::string spelled(const std::string& url) {
        constexpr std::array<std::string_view, 4> tails{"", "?utm_source=x", "#top", "?fbclid=1"};
        return url + std::string{tails[random_.below(tails.size())]};
    }

    void open() {
        people_ = *people::People::open(store_, clock_, {.secret = world_secret, .shared = true});
        days_ = *people::DayKeys::open(store_, clock_, {});
        door_ = std::make_unique<people::ReadDoor>(
            people_->sharers(), *days_, clock_, people::ReadDoor::Options{.secret = world_secret}
        );
        readership_ = std::make_unique<Readership>(
            store_,
            clock_,
            people_->sharers(),
            Readership::Options{
                .secret = world_secret,
                .ttl = facts_live,
                .memory = is_short_ ? &memory_.share(0) : nullptr,
                .seals = &door_->seals()
            }
        );
        ranks_ = std::make_unique<DayRanks>(store_, clock_, DayRanks::Options{});
        trends_ = std::make_unique<rankings::Trends>(
            store_, clock_, rankings::Trends::Options{.job = "reading"}
        );
        projection_ =
            std::make_unique<ReadingProjection>(*readership_, *ranks_, *trends_, world_secret);
        telling_ = std::make_unique<TellingAgain>(TellingAgain::Sources{
            .readership = readership_.get(),
            .people = people_.get(),
            .seals = &door_->seals(),
            .clock = &clock_,
            .secret = world_secret,
            .say =
                [this](std::span<const events::ControlInLane> controls) {
                    for (const events::ControlInLane& each : controls) {
                        say_in_log(each.control, each.lane);
                    }
                    return Result<void>{};
                }
        });
    }

    void say_in_log(const events::Control& control, std::uint32_t lane) {
        Logged& logged = log_.emplace_back();
        logged.lane = lane;
        logged.offset = log_.size();
        append_control(control, logged.record);
        projection_->control(lane, logged.offset, control);
    }

    /// What was taken back may be told again, and its key may go.
    void tell_again() {
        for (std::uint64_t left = 1 + random_.below(3); left > 0; --left) {
            CHECK(telling_->turn().has_value(), "told again");
            clock_.advance(std::chrono::seconds{random_.below(900)});
        }
        CHECK(days_->turn().has_value(), "keys of days");
    }

    void say(people::Said said) {
        const auto answers = people_->say({&said, 1});
        CHECK(answers && answers->front(), "it is said");
    }

    void say_consent() {
        const std::string who = actor();
        people::Consent consent{.reading = static_cast<people::Reading>(random_.below(3))};
        if (consent.reading != people::Reading::off && random_.below(2) == 0) {
            consent.to = people::Audience::friends;
        }
        say({.actor = who, .consent = consent});
        Plain& plain = plain_[who];
        if (plain.consent.reading == people::Reading::off) {
            plain.since = ++sessions_;
        }
        plain.consent = consent;
    }

    /// What is left of what they read, as it follows from its definition.
    std::map<std::string, Instant> own_plainly(const std::string& who) {
        std::map<std::string, Instant> latest;
        const auto first_day = std::chrono::floor<std::chrono::days>(clock_.now()) - facts_live;
        const Plain& plain = plain_[who];
        for (const Fact& each : facts_) {
            if (each.actor == who && each.since == plain.since && !each.is_taken_back &&
                plain.consent.reading != people::Reading::off && each.time >= first_day) {
                Instant& of_url = latest[each.url];
                of_url = std::max(of_url, begin_of(quarter_of(each.time)));
            }
        }
        return latest;
    }

    void expect_same_list(const std::string& who) {
        const auto reads = own_reads(*readership_, readers_of(people_->sharers(), who));
        CHECK(reads.has_value(), "own reads");
        std::map<std::string, Instant> shown;
        for (const OwnRead& each : *reads) {
            shown.emplace(each.url, each.latest);
        }
        EXPECT_EQ(shown, own_plainly(who)) << who;
        EXPECT_TRUE(std::ranges::is_sorted(*reads, std::greater{}, &OwnRead::latest));
    }

    /// From its words, not from what the program keeps.
    static bool goes_plainly(const people::TakeBack& what, const std::string& url, Instant latest) {
        switch (what.taken) {
            case people::Taken::all:
                return true;
            case people::Taken::url:
                return url == what.text;
            case people::Taken::site:
                return url.find(what.text + "/") != std::string::npos;
            case people::Taken::since:
                return quarter_of(latest) >= quarter_of(what.since);
        }
        return false;
    }

    void take_something_back() {
        const std::string who = actor();
        const people::TakeBack what{
            .taken = static_cast<people::Taken>(random_.below(4)),
            .text = {},
            .since = clock_.now() - std::chrono::seconds{random_.below(90'000)}
        };
        people::TakeBack said = what;
        if (what.taken == people::Taken::url) {
            said.text = url();
        } else if (what.taken == people::Taken::site) {
            said.text = random_.below(2) == 0 ? "news.example" : "local.news.example";
        }
        expect_same_list(who);
        std::size_t expected = 0;
        for (const auto& [url, latest] : own_plainly(who)) {
            if (!goes_plainly(said, url, latest)) {
                continue;
            }
            ++expected;
            for (Fact& each : facts_) {
                each.is_taken_back |= each.actor == who && each.url == url;
            }
        }
        const auto taken = take_back(*readership_, *people_, who, said);
        CHECK(taken.has_value(), "it is taken back");
        EXPECT_EQ(*taken, expected);
        expect_same_list(who);
    }

    void say_friends() {
        const std::string who = actor();
        people::Said said{.actor = who};
        std::set<std::string>& friends = plain_[who].friends;
        if (random_.below(3) == 0) {
            said.friends.emplace();
            friends.clear();
            for (std::uint64_t left = random_.below(6); left > 0; --left) {
                said.friends->push_back(actor());
                friends.insert(said.friends->back());
            }
        }
        said.add.push_back(actor());
        friends.insert(said.add.back());
        say(std::move(said));
    }

    void read() {
        events::JudgedEvent judged;
        judged.event = {
            .time = clock_.now() -
                    std::chrono::seconds{random_.below(2) == 0 ? 0 : random_.below(90'000)},
            .action = "read",
            .object = spelled(url()),
            .actor = actor()
        };
        judged.arrival = clock_.now();
        if (random_.below(6) == 0) {
            judged.verdict.refusal = {.reason = "repeat", .rule = "", .evidence = {}};
        }
        const std::string who = judged.event.actor;
        door_->take(judged);
        const std::uint32_t lane = events::lane_of(judged.event.object, world_secret);
        const Plain& plain = plain_[who];
        if (plain.consent.reading == people::Reading::shared && judged.verdict.counted()) {
            facts_.push_back({who, judged.event.object, judged.event.time, plain.since});
        }
        door_->seals().seal(judged);
        Logged& logged = log_.emplace_back();
        logged.lane = lane;
        logged.offset = log_.size();
        append_judged(judged, logged.record);
        tell(lane, logged.offset, judged);
    }

    void tell(std::uint32_t lane, std::uint64_t offset, const events::JudgedEvent& judged) {
        const projecting::JudgedRecord record{.offset = offset, .judged = &judged, .person = {}};
        CHECK(projection_->wait_for_room().has_value(), "room");
        projection_->apply(lane, {&record, 1});
    }

    /// The program ends, after it wrote some of what waits, and begins again.
    void start_again() {
        if (random_.below(2) == 0) {
            CHECK(projection_->flush(true).has_value(), "flush");
        }
        open();
        replay();
    }

    /// All of it: what is stored already changes nothing.
    void replay() {
        for (std::size_t at = 0; at < log_.size(); ++at) {
            events::LogRecord record = *events::read_record(log_[at].record);
            if (const auto* const control = std::get_if<events::Control>(&record)) {
                projection_->control(log_[at].lane, log_[at].offset, *control);
                continue;
            }
            auto& judged = std::get<events::JudgedEvent>(record);
            door_->seals().name_reader(judged);
            tell(log_[at].lane, log_[at].offset, judged);
        }
    }

    std::set<std::string> plainly(const WhoQuestion& question, const std::string& spelled) {
        const std::string url = spelled.substr(0, spelled.find_first_of("?#"));
        const std::set<std::string> friends =
            question.friends
                ? std::set<std::string>{question.friends->begin(), question.friends->end()}
                : plain_[question.actor.value_or("")].friends;
        const auto first_day = std::chrono::floor<std::chrono::days>(clock_.now()) - facts_live;
        std::set<std::string> readers;
        for (const Fact& each : facts_) {
            const Plain& plain = plain_[each.actor];
            const bool may_see = plain.consent.to == people::Audience::anyone ||
                                 (question.actor && plain.friends.contains(*question.actor));
            if (each.url == url && !each.is_taken_back && friends.contains(each.actor) &&
                each.time >= first_day && plain.consent.reading != people::Reading::off &&
                plain.since == each.since && may_see) {
                readers.insert(each.actor);
            }
        }
        return readers;
    }

    Random random_;
    const bool is_short_;  ///< Of memory: URLs are evicted.
    runtime::MemoryShares memory_{2'000, std::array<std::size_t, 1>{2'000}};
    ManualClock clock_{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore store_{tables_of_world(), clock_};
    std::unique_ptr<people::People> people_;
    std::unique_ptr<people::DayKeys> days_;
    std::unique_ptr<people::ReadDoor> door_;
    std::unique_ptr<Readership> readership_;
    std::unique_ptr<DayRanks> ranks_;
    std::unique_ptr<rankings::Trends> trends_;
    std::unique_ptr<ReadingProjection> projection_;
    std::unique_ptr<TellingAgain> telling_;
    std::unique_ptr<AskingProcess> asking_;
    std::vector<Logged> log_;
    std::vector<Fact> facts_;
    std::map<std::string, Plain> plain_;
    std::uint64_t sessions_ = 0;
    std::uint64_t verified_ = 0;
};

}  // namespace footfall::reading
