// Rankings of reading against brute force: worlds in which people read, say, are off, and the
// program starts again.

#include "events/event_keys.h"
#include "foundation/random.h"
#include "foundation/testing/rounds.h"
#include "foundation/testing/test_seed.h"
#include "reading/own_reads.h"
#include "reading/test_program.h"
#include "storage/memory_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace footfall::reading {
namespace {

using namespace std::chrono_literals;
using people::Audience;
using people::Consent;
using rankings::Window;

class RankedWorld {
public:
    explicit RankedWorld(std::uint64_t seed) : random_{seed} {
        begin();
        for (std::uint64_t at = 0; at < actors_count; ++at) {
            say(actor_named(at),
                {.reading = people::Reading::shared,
                 .to = random_.below(4) == 0 ? Audience::friends : Audience::anyone});
            std::vector<std::string> friends;
            for (std::uint64_t left = random_.below(12); left > 0; --left) {
                friends.push_back(actor_named(random_.below(actors_count)));
            }
            plain_[actor_named(at)].friends = {friends.begin(), friends.end()};
            const people::Said said{.actor = actor_named(at), .friends = friends};
            CHECK(program_->people->say({&said, 1}).has_value(), "it is said");
        }
    }

    void step() {
        switch (random_.below(14)) {
            case 0:
                clock_.advance(std::chrono::seconds{random_.below(20 * 3600)});
                return;
            case 1:
                CHECK(program_->projection.flush(random_.below(2) == 0).has_value(), "flush");
                return take_checkpoints();
            case 2:
                return start_again();
            case 3:
                program_->projection.drop();
                return tell_again();
            case 4:
                random_.below(4) == 0
                    ? turn_off_and_on(actor_named(random_.below(actors_count)))
                    : take_something_back(actor_named(random_.below(actors_count)));
                return;
            default:
                read(
                    actor_named(random_.below(actors_count)),
                    ranked_url(random_.zipf()),
                    clock_.now() -
                        std::chrono::seconds{
                            random_.below(3) == 0 ? random_.below(40 * 86'400)
                                                  : random_.below(3 * 3600)
                        }
                );
        }
    }

    void expect_popular_of_all() {
        for (const Window& window : rankings::windows) {
            SCOPED_TRACE(window.name);
            PopularAsked asked{
                .window = window, .limit = 1 + random_.below(8), .per_site = random_.below(3)
            };
            const auto answer = program_->ranked.popular(asked);
            ASSERT_TRUE(answer) << answer.error().message;
            EXPECT_TRUE(answer->complete);
            EXPECT_FALSE(answer->provisional);
            EXPECT_EQ(answer->from, rankings::begin_of(window, clock_.now()));
            EXPECT_EQ(answer->urls, plainly(asked, all_actors(), least_of_all));
        }
    }

    void expect_popular_among_friends() {
        for (const Window& window : rankings::windows) {
            SCOPED_TRACE(window.name);
            clock_.advance(FriendsReads::counted_every);
            const PopularAsked asked{
                .window = window, .limit = 1 + random_.below(8), .per_site = random_.below(3)
            };
            const std::string asker = actor_named(random_.below(actors_count));
            const auto answer = program_->friends.popular(asker, asked);
            ASSERT_TRUE(answer) << answer.error().message;
            EXPECT_TRUE(answer->complete);
            EXPECT_EQ(answer->urls, plainly(asked, friends_of(asker), FriendsReads::least));
        }
    }

    void expect_activity() {
        const std::string asker = actor_named(random_.below(actors_count));
        const std::set<std::string> friends = friends_of(asker);
        const std::size_t limit = 1 + random_.below(6);
        const auto answer = program_->friends.latest(asker, limit);
        ASSERT_TRUE(answer) << answer.error().message;
        const auto first = std::chrono::floor<std::chrono::days>(clock_.now()) - 30 * 24h;
        std::map<std::string, std::map<std::string, Instant>> readers;
        for (const Fact& each : facts_) {
            if (holds(each) && each.time >= first && friends.contains(each.actor)) {
                Instant& latest = readers[each.url][each.actor];
                latest = std::max(latest, begin_of(quarter_of(each.time)));
            }
        }
        std::vector<ActivityUrl> expected;
        for (const auto& [url, of_url] : readers) {
            ActivityUrl& own = expected.emplace_back(ActivityUrl{.url = url});
            for (const auto& [actor, time] : of_url) {
                own.readers.push_back(actor);
                own.latest = std::max(own.latest, time);
            }
        }
        std::ranges::sort(expected, [](const ActivityUrl& one, const ActivityUrl& other) {
            return one.latest != other.latest ? one.latest > other.latest : one.url < other.url;
        });
        EXPECT_EQ(answer->more || expected.size() <= limit, true);
        expected.resize(std::min(expected.size(), limit));
        ASSERT_EQ(answer->urls.size(), expected.size());
        for (std::size_t at = 0; at < expected.size(); ++at) {
            EXPECT_EQ(answer->urls[at].url, expected[at].url);
            EXPECT_EQ(answer->urls[at].readers, expected[at].readers);
            EXPECT_EQ(answer->urls[at].latest, expected[at].latest);
        }
    }

    void expect_trending() {
        struct Sums {
            double fast = 0;
            double slow = 0;
        };

        const Instant now = clock_.now();
        std::map<std::string, Sums> urls;
        Sums all;
        std::set<std::tuple<std::uint64_t, std::string, people::UtcDay>> seen;
        for (const events::JudgedEvent& each : log_) {
            if (!each.verdict.counted() ||
                !seen.emplace(
                         each.read.value_or(events::ReadBy{}).reader.value_or(0),
                         each.event.object,
                         people::utc_day_of(each.event.time)
                )
                     .second) {
                continue;
            }
            const double hours =
                std::chrono::duration<double, std::ratio<3600>>{now - each.event.time}.count();
            const Sums worth{.fast = std::exp2(-hours), .slow = std::exp2(-hours / 24)};
            for (Sums* const sums : {&urls[each.event.object], &all}) {
                sums->fast += worth.fast;
                sums->slow += worth.slow;
            }
        }
        const auto answer = program_->ranked.trending(1'000, 0);
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_FALSE(answer->provisional);
        EXPECT_NEAR(answer->totals.fast, all.fast, all.fast * exactness + 1e-3);
        EXPECT_NEAR(answer->totals.slow, all.slow, all.slow * exactness + 1e-3);
        const PopularAsked of_a_day{.window = rankings::windows[2], .limit = 1'000};
        std::map<std::string, std::uint64_t> readers;
        for (const PopularUrl& each : plainly(of_a_day, all_actors(), 5)) {
            readers[each.url] = each.readers;
        }
        std::set<std::string> shown;
        for (const rankings::Trending& each : answer->list.objects) {
            shown.insert(each.object);
            const Sums& sums = urls[each.object];
            const double expected = sums.slow * all.fast / all.slow;
            EXPECT_NEAR(each.fast, sums.fast, sums.fast * exactness + 1e-3);
            EXPECT_NEAR(each.slow, sums.slow, sums.slow * exactness + 1e-3);
            EXPECT_NEAR(each.expected, expected, expected * 3 * exactness + 1e-3);
            EXPECT_NEAR(each.score, (sums.fast - expected) / std::sqrt(expected + 1), 0.05);
            EXPECT_EQ(each.people, readers[each.object]);
        }
        for (const auto& [url, sums] : urls) {
            const double expected = sums.slow * all.fast / all.slow;
            const double score = (sums.fast - expected) / std::sqrt(expected + 1);
            const bool trends = sums.fast > 3.05 && score > 2.05 && readers.contains(url);
            EXPECT_TRUE(!trends || shown.contains(url)) << url;
        }
        trended_ += shown.size();
    }

    std::size_t trended() const { return trended_; }

    /// Some of them read the same article within a few minutes.
    void gather() {
        const std::string url = ranked_url(30 + random_.below(10));
        for (std::uint64_t at = 0; at < actors_count; ++at) {
            read(actor_named(at), url, clock_.now() - std::chrono::seconds{random_.below(600)});
        }
    }

private:
    /// Half-lives go by tables (rankings/half_life.h).
    static constexpr double exactness = 2e-3;

    struct Fact {
        std::string actor;
        std::string url;
        Instant time;
        std::uint64_t session = 0;  ///< Plain::session of the actor.
        bool is_taken_back = false;
    };

    struct Plain {
        std::set<std::string> friends = {};
        Audience to = Audience::anyone;
        std::uint64_t session = 0;  ///< Another number each time they begin to share.
        std::uint64_t reader = 0;
    };

    void begin() { program_ = std::make_unique<Program>(store_, clock_); }

    /// What the host of projections remembers: records before these are stored.
    void take_checkpoints() {
        for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
            checkpoints_[lane] = program_->projection.unsaved(lane).value_or(log_.size());
        }
    }

    void say(const std::string& actor, const Consent& consent) {
        const people::Said said{.actor = actor, .consent = consent};
        CHECK(program_->people->say({&said, 1}).has_value(), "it is said");
        plain_[actor].to = consent.to;
        ++plain_[actor].session;
        note_reader(actor);
    }

    void note_reader(const std::string& actor) {
        const people::Sharers& sharers = program_->people->sharers();
        const auto id = sharers.id_of(actor);
        const auto reader = id ? sharers.reader_of(*id) : std::nullopt;
        plain_[actor].reader = reader.value_or(people::Reader{}).number;
    }

    /// What they read of a URL goes as a whole, or stays.
    void take_something_back(const std::string& actor) {
        const bool is_since = random_.below(2) == 0;
        const people::TakeBack what{
            .taken = is_since ? people::Taken::since : people::Taken::url,
            .text = is_since ? "" : ranked_url(random_.zipf()),
            .since = clock_.now() - std::chrono::seconds{random_.below(90'000)}
        };
        const auto first = std::chrono::floor<std::chrono::days>(clock_.now()) - 30 * 24h;
        std::map<std::string, Instant> latest;
        for (const Fact& each : facts_) {
            if (each.actor == actor && holds(each) && each.time >= first) {
                latest[each.url] = std::max(latest[each.url], each.time);
            }
        }
        for (Fact& each : facts_) {
            const bool goes = is_since ? quarter_of(latest[each.url]) >= quarter_of(what.since)
                                       : each.url == what.text;
            each.is_taken_back |= each.actor == actor && goes;
        }
        const auto taken = take_back(program_->readership, *program_->people, actor, what);
        CHECK(taken.has_value(), "it is taken back");
        note_reader(actor);
    }

    /// What was shared belongs to nobody from then on.
    void turn_off_and_on(const std::string& actor) {
        say(actor, {});
        say(actor, {.reading = people::Reading::shared, .to = plain_[actor].to});
    }

    void read(const std::string& actor, const std::string& url, Instant time) {
        events::JudgedEvent judged;
        judged.event = {.time = time, .action = "read", .object = url, .actor = actor};
        judged.read = events::ReadBy{.reader = plain_[actor].reader};
        if (random_.below(10) == 0) {
            judged.verdict.refusal = {.reason = "repeat", .rule = "", .evidence = {}};
        } else {
            facts_.push_back({actor, url, time, plain_[actor].session});
        }
        log_.push_back(judged);
        tell(log_.size() - 1);
    }

    void tell(std::uint64_t offset) {
        const events::JudgedEvent& judged = log_[offset];
        const projecting::JudgedRecord record{.offset = offset, .judged = &judged, .person = {}};
        CHECK(program_->projection.wait_for_room().has_value(), "room");
        program_->projection.apply(lane_of(judged), {&record, 1});
    }

    void start_again() {
        if (random_.below(2) == 0) {
            CHECK(program_->projection.flush(true).has_value(), "flush");
            take_checkpoints();
        }
        begin();
        tell_again();
    }

    /// From the first record of each lane that is not stored.
    void tell_again() {
        std::vector<projecting::LaneStart> lanes;
        for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
            lanes.push_back({.lane = lane, .offset = checkpoints_[lane]});
        }
        CHECK(program_->projection.begin(lanes).has_value(), "begin");
        for (std::uint64_t offset = 0; offset < log_.size(); ++offset) {
            if (offset >= checkpoints_[lane_of(log_[offset])]) {
                tell(offset);
            }
        }
    }

    static std::uint32_t lane_of(const events::JudgedEvent& judged) {
        return events::lane_of(judged.event.object, ranked_secret);
    }

    std::set<std::string> all_actors() {
        std::set<std::string> all;
        for (const auto& [actor, plain] : plain_) {
            all.insert(actor);
        }
        return all;
    }

    bool holds(const Fact& fact) {
        return plain_[fact.actor].session == fact.session && !fact.is_taken_back;
    }

    /// Those of their friends who appear to them.
    std::set<std::string> friends_of(const std::string& asker) {
        std::set<std::string> friends;
        for (const std::string& each : plain_[asker].friends) {
            if (plain_[each].to == Audience::anyone || plain_[each].friends.contains(asker)) {
                friends.insert(each);
            }
        }
        return friends;
    }

    std::vector<PopularUrl> plainly(
        const PopularAsked& asked, const std::set<std::string>& actors, std::uint64_t least
    ) {
        const Instant from = rankings::begin_of(asked.window, clock_.now());
        std::map<std::string, std::set<std::string>> readers;
        for (const Fact& each : facts_) {
            if (holds(each) && each.time >= from && actors.contains(each.actor)) {
                readers[each.url].insert(each.actor);
            }
        }
        std::vector<PopularUrl> all;
        for (const auto& [url, of_url] : readers) {
            if (of_url.size() >= least) {
                all.push_back({.url = url, .readers = of_url.size()});
            }
        }
        std::ranges::sort(all, [](const PopularUrl& one, const PopularUrl& other) {
            return one.readers != other.readers ? one.readers > other.readers : one.url < other.url;
        });
        std::vector<PopularUrl> list;
        std::map<std::string, std::size_t> of_site;
        for (const PopularUrl& each : all) {
            const bool has_room =
                asked.per_site == 0 || of_site[site_named(each.url)] < asked.per_site;
            if (list.size() < asked.limit && has_room) {
                ++of_site[site_named(each.url)];
                list.push_back(each);
            }
        }
        return list;
    }

    /// Few URLs are read much.
    class UrlRandom : public Random {
    public:
        using Random::Random;

        std::uint64_t zipf() {
            const double place = fraction();
            return static_cast<std::uint64_t>(place * place * 40);
        }
    };

    UrlRandom random_;
    ManualClock clock_{Instant{std::chrono::hours{480'000}}};
    storage::MemoryStore store_{ranked_tables(), clock_};
    std::unique_ptr<Program> program_;
    std::vector<events::JudgedEvent> log_;
    std::array<std::uint64_t, runtime::lane_count> checkpoints_{};
    std::vector<Fact> facts_;
    std::map<std::string, Plain> plain_;
    std::size_t trended_ = 0;
};

TEST(RankedReads, are_what_brute_force_says) {
    const std::uint64_t first = test_seed();
    std::size_t trended = 0;
    for (std::uint64_t round = 0; round < rounds(60); ++round) {
        SCOPED_TRACE(fmt::format("to play it again: FOOTFALL_SEED={}", first + round));
        RankedWorld world{first + round};
        for (int step = 0; step < 300; ++step) {
            world.step();
            if (step % 30 == 29) {
                if (step % 90 == 89) {
                    world.gather();
                }
                ASSERT_NO_FATAL_FAILURE(world.expect_trending());
                ASSERT_NO_FATAL_FAILURE(world.expect_popular_of_all());
                ASSERT_NO_FATAL_FAILURE(world.expect_popular_among_friends());
                ASSERT_NO_FATAL_FAILURE(world.expect_activity());
                ASSERT_FALSE(testing::Test::HasFailure());
            }
        }
        trended += world.trended();
    }
    EXPECT_GT(trended, 0);
}

}  // namespace
}  // namespace footfall::reading
