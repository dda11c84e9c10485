// Who read which URLs through two servers of one cluster, each of which counts half of the lanes
// and asks the other for its half (./test cluster).
#include "events/rfc3339.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "test_support/eventually.h"
#include "test_support/random_seed.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using namespace std::chrono_literals;
using namespace test_support;

/// The names of who read each URL, by URL.
using Shown = std::vector<std::set<std::string>>;

class WhoReadOfTwo : public RunningServer {
protected:
    static constexpr std::size_t url_count = 12;

    static std::string url(std::size_t at) {
        return fmt::format("https://s{}.example/{}", at % 3, at);
    }

    Api& api(std::size_t at) { return at == 0 ? api_ : other_api_; }

    void say(Api& api, const std::string& actor, const std::string& consent) {
        const auto answer = api.send(Method::put, "/api/v1/people/" + actor, consent);
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    void set_friends(Api& api, const std::string& actor, const std::set<std::string>& friends) {
        const auto body = fmt::format(R"({{"friends":["{}"]}})", fmt::join(friends, R"(",")"));
        const auto answer = api.send(
            Method::put,
            fmt::format("/api/v1/people/{}/friends", actor),
            friends.empty() ? R"({"friends":[]})" : body
        );
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    /// Each read of the same by the same is two hours earlier than the one before: no repeat.
    void read(Api& api, const std::string& actor, std::size_t of) {
        const int earlier = reads_[{actor, of}]++;
        const auto body = fmt::format(
            R"({{"action":"read","object":"{}","actor":"{}","time":"{}"}})",
            url(of),
            actor,
            events::format_rfc3339(SystemClock{}.now() - 2h * earlier)
        );
        const auto answer = api.send(Method::post, "/api/v1/events", body);
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    static std::string question(const std::string& actor) {
        std::string urls;
        for (std::size_t at = 0; at < url_count; ++at) {
            urls += fmt::format(R"({}"{}")", at == 0 ? "" : ",", url(at));
        }
        return fmt::format(R"({{"actor":"{}","urls":[{}]}})", actor, urls);
    }

    static Shown shown_in(const http_server::ClientResponse& answer) {
        Shown shown;
        for (const auto& each : parse_object(answer.body).at("urls").as_array()) {
            std::set<std::string>& readers = shown.emplace_back();
            for (const auto& name : each.at("readers").as_array()) {
                readers.emplace(name.as_string());
            }
            EXPECT_EQ(each.at("count").to_number<std::size_t>(), readers.size());
        }
        return shown;
    }

    static Shown shown_at(Api& api, const std::string& actor) {
        const auto answer = api.send(Method::post, "/api/v1/reading/who", question(actor));
        EXPECT_EQ(answer.status, 200) << answer.body;
        return answer.status == 200 ? shown_in(answer) : Shown{};
    }

    static std::uint64_t told(Api& api) {
        return api.metric(R"(footfall_reading_owner_urls_total{outcome="told"})");
    }

    FootfallProcess other_{directory_ / "data", {"--instance", "other"}};
    Api other_api_{other_};

private:
    std::map<std::pair<std::string, std::size_t>, int> reads_;
};

/// People, and plainly what is known of them. Each is told of to one process, their home, which
/// knows at once what they said.
class PlainPeople {
public:
    struct Person {
        bool shares = false;
        bool to_friends = false;
        std::set<std::string> friends;
        std::set<std::size_t> read;
    };

    Shown seen_by(const std::string& actor, std::size_t urls) const {
        Shown shown(urls);
        for (const std::string& each : people_.at(actor).friends) {
            const Person& person = people_.at(each);
            if (person.shares && (!person.to_friends || person.friends.contains(actor))) {
                for (const std::size_t of : person.read) {
                    shown[of].insert(each);
                }
            }
        }
        return shown;
    }

    Person& operator[](const std::string& actor) { return people_[actor]; }

private:
    std::map<std::string, Person> people_;
};

/// Has somebody say or read something, by chance, at their home and plainly.
class Changing : public WhoReadOfTwo {
protected:
    static constexpr std::size_t people = 8;

    struct Change {
        std::string actor;
        bool holds_at_once = true;  ///< Where it was said.
    };

    std::string draw() { return fmt::format("p{}", random_.below(people)); }

    static std::size_t home_of(const std::string& actor) {
        return static_cast<std::size_t>(actor.back() - '0') % 2;
    }

    void share(const std::string& actor) {
        say(api(home_of(actor)), actor, R"({"reading":"shared"})");
        plain_[actor].shares = true;
    }

    Change change() {
        const std::string actor = draw();
        switch (random_.below(8)) {
            case 0:
                say_consent(actor);
                break;
            case 1:
                take_back(actor);
                break;
            case 2:
                say_friends(actor);
                break;
            default:
                read_something(actor);
                return {.actor = actor, .holds_at_once = false};
        }
        return {.actor = actor};
    }

    Shown expected(const std::string& asker) const { return plain_.seen_by(asker, url_count); }

    /// What somebody said holds at once where they said it: nobody is told more of them, and they
    /// are told of nobody else. What others said elsewhere may be on its way.
    void expect_nothing_more(
        const Shown& shown, const std::string& asker, const std::string& changed
    ) {
        const Shown allowed = expected(asker);
        for (std::size_t url = 0; url < shown.size(); ++url) {
            for (const std::string& name : shown[url]) {
                if (name == changed) {
                    EXPECT_TRUE(allowed[url].contains(name)) << url;
                }
                if (asker == changed) {
                    EXPECT_TRUE(plain_[asker].friends.contains(name)) << name;
                }
            }
        }
    }

private:
    void say_consent(const std::string& actor) {
        PlainPeople::Person& person = plain_[actor];
        person.shares = random_.below(3) != 0;
        person.to_friends = person.shares && random_.below(2) == 0;
        if (!person.shares) {
            person.read.clear();
        }
        say(api(home_of(actor)),
            actor,
            fmt::format(
                R"({{"reading":"{}","to":"{}"}})",
                person.shares ? "shared" : "off",
                person.to_friends ? "friends" : "anyone"
            ));
    }

    void take_back(const std::string& actor) {
        const std::size_t of = random_.below(url_count);
        plain_[actor].read.erase(of);
        std::string place = url(of).substr(std::string{"https://"}.size());
        place.replace(place.find('/'), 1, "%2F");
        const auto answer =
            api(home_of(actor))
                .send(
                    Method::del,
                    fmt::format("/api/v1/people/{}/reads?url=https%3A%2F%2F{}", actor, place)
                );
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    void say_friends(const std::string& actor) {
        std::set<std::string>& friends = plain_[actor].friends;
        friends.clear();
        for (std::uint64_t left = random_.below(people); left > 0; --left) {
            friends.insert(draw());
        }
        set_friends(api(home_of(actor)), actor, friends);
    }

    void read_something(const std::string& actor) {
        const std::size_t of = random_.below(url_count);
        read(api(home_of(actor)), actor, of);
        if (plain_[actor].shares) {
            plain_[actor].read.insert(of);
        }
    }

    Random random_{random_seed()};
    PlainPeople plain_;
};

TEST_F(Changing, equals_brute_force_at_both) {
    for (std::size_t at = 0; at < people; ++at) {
        share(fmt::format("p{}", at));
    }
    for (int step = 0; step < 80; ++step) {
        const Change changed = change();
        for (const std::string& asker : {draw(), changed.actor}) {
            for (std::size_t at = 0; at < 2; ++at) {
                SCOPED_TRACE(fmt::format("step {}, {} at {}", step, asker, at));
                if (changed.holds_at_once && at == home_of(changed.actor)) {
                    expect_nothing_more(shown_at(api(at), asker), asker, changed.actor);
                }
                ASSERT_TRUE(eventually([&] { return shown_at(api(at), asker) == expected(asker); })
                );
            }
        }
    }
    EXPECT_GT(told(api_), 150U) << "from the other's memory";
    EXPECT_GT(told(other_api_), 150U);
}

/// A list of friends that was changed at one process is asked about by both from then on.
TEST_F(WhoReadOfTwo, the_next_answer_has_the_list_of_friends_as_it_was_changed) {
    for (const char* const each : {"ann", "bob"}) {
        say(api_, each, R"({"reading":"shared"})");
        for (std::size_t at = 0; at < url_count; ++at) {
            read(api_, each, at);
        }
    }
    set_friends(api_, "dee", {"ann", "bob"});
    for (const std::size_t at : {0U, 1U}) {
        ASSERT_TRUE(eventually([&] {
            return shown_at(api(at), "dee") == Shown(url_count, {"ann", "bob"});
        }));
        ASSERT_TRUE(eventually([&] {
            shown_at(api(at), "dee");
            return told(api(at)) > 0;
        })) << "no lane is the other's?";
    }
    // From then on rows have all, also where an owner does not answer in time.
    for (Api* const each : {&api_, &other_api_}) {
        ASSERT_TRUE(eventually([&] { return each->metric("footfall_reading_waiting") == 0; }));
    }
    for (int round = 0; round < 20; ++round) {
        const std::set<std::string> friends =
            round % 2 == 0 ? std::set<std::string>{"bob"} : std::set<std::string>{"ann", "bob"};
        set_friends(api_, "dee", friends);
        for (const std::size_t at : {0U, 1U}) {
            ASSERT_EQ(shown_at(api(at), "dee"), Shown(url_count, friends)) << round;
        }
    }
    EXPECT_GT(api_.metric(R"(footfall_reading_owner_questions_total{list="known"})"), 0U);
}

/// All is in rows: so without the owner's memory, too, each answer is right, and each is one.
TEST_F(WhoReadOfTwo, an_owner_who_is_killed_takes_no_answer_along) {
    say(api_, "ann", R"({"reading":"shared"})");
    for (std::size_t at = 0; at < url_count; ++at) {
        read(api_, "ann", at);
    }
    set_friends(api_, "dee", {"ann"});
    const Shown expected(url_count, {"ann"});
    for (Api* const each : {&api_, &other_api_}) {
        ASSERT_TRUE(eventually([&] { return shown_at(*each, "dee") == expected; }));
    }
    ASSERT_TRUE(eventually([&] {
        shown_at(api_, "dee");
        return told(api_) > 0;
    })) << "no lane is the other's?";
    for (Api* const each : {&api_, &other_api_}) {
        ASSERT_TRUE(eventually([&] { return each->metric("footfall_reading_waiting") == 0; }));
    }
    std::size_t provisional = 0;
    std::chrono::steady_clock::duration slowest{};
    const auto ask = [&] {
        const auto begin = std::chrono::steady_clock::now();
        const auto answer = api_.send(Method::post, "/api/v1/reading/who", question("dee"));
        slowest = std::max(slowest, std::chrono::steady_clock::now() - begin);
        EXPECT_EQ(answer.status, 200) << answer.body;
        EXPECT_EQ(shown_in(answer), expected);
        const bool is_provisional = parse_object(answer.body).at("provisional").as_bool();
        provisional += is_provisional ? 1 : 0;
        return is_provisional;
    };
    for (int before = 0; before < 20; ++before) {
        ask();
    }
    other_.kill();
    const auto killed = std::chrono::steady_clock::now();
    ask();
    ASSERT_TRUE(eventually([&] { return HasFailure() || !ask(); }, 60s));
    fmt::print(
        "{} answers without the owner in {} ms, the slowest after {} ms\n",
        provisional,
        (std::chrono::steady_clock::now() - killed) / 1ms,
        slowest / 1ms
    );
    EXPECT_GT(provisional, 0U) << "it was killed while it was asked";
    EXPECT_LT(slowest, 10s) << "none hangs";
}

}  // namespace
}  // namespace footfall
