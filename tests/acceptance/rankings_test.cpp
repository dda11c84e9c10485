// What is popular in a window, what trends and what is hot, as the API tells it.

#include "test_support/eventually.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <boost/json/serialize.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::IsEmpty;
using namespace std::chrono_literals;
using namespace test_support;

using Time = std::chrono::sys_seconds;

Time now_of_the_machine() {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

struct Seen {
    std::string object;
    std::string actor;
    Time time;
};

std::string line_of(const Seen& seen) {
    return fmt::format(
        R"({{"action":"view","object":"{}","actor":"{}","time":"{:%FT%TZ}"}})"
        "\n",
        seen.object,
        seen.actor,
        seen.time
    );
}

/// Objects with numbers, as the list has them: `number` is their views, people, or readers.
std::vector<std::pair<std::string, std::uint64_t>> listed(
    const boost::json::object& answer, std::string_view number
) {
    std::vector<std::pair<std::string, std::uint64_t>> list;
    for (const boost::json::value& each : answer.at("objects").as_array()) {
        list.emplace_back(
            each.at("object").as_string(), each.at(number).to_number<std::uint64_t>()
        );
    }
    return list;
}

class Rankings : public RunningServer {
protected:
    void see(const std::vector<Seen>& all) {
        std::string lines;
        for (const Seen& each : all) {
            lines += line_of(each);
            seen_.push_back(each);
        }
        const auto answer = api_.post_events(lines);
        ASSERT_EQ(answer.at("accepted").to_number<std::size_t>(), all.size());
    }

    /// So many different people at a time.
    std::vector<Seen> crowd(const std::string& object, int people, Time time) {
        std::vector<Seen> all;
        all.reserve(static_cast<std::size_t>(people));
        for (int each = 0; each < people; ++each) {
            all.push_back({.object = object, .actor = fmt::format("u{}", ++actors_), .time = time});
        }
        return all;
    }

    boost::json::object trending(const std::string& query = "") {
        return api_.get_json("/api/v1/trending" + query);
    }

    std::string names(const boost::json::object& answer) {
        std::string all;
        for (const auto& [object, number] : listed(answer, "readers")) {
            all += object + " ";
        }
        return all;
    }

    std::vector<Seen> seen_;
    int actors_ = 0;
};

TEST_F(Rankings, of_each_window_are_those_of_what_was_sent) {
    std::vector<Seen> all;
    const Time now = now_of_the_machine();
    for (int object = 0; object < 30; ++object) {
        for (int each = 0; each < 3 + object * 2; ++each) {
            // Every object has its own times, from minutes to weeks ago.
            const auto age = std::chrono::minutes{1 + (each * each * (31 - object)) % (32 * 1440)};
            const std::string actor = fmt::format("u{}", (each * 7 + object) % 40);
            all.push_back(
                {.object = fmt::format("/page/{}", object), .actor = actor, .time = now - age}
            );
        }
    }
    see(all);
    for (const std::string_view window : {"1h", "6h", "24h", "7d", "30d"}) {
        const auto ask = [&](std::string_view by) {
            return api_.get_json(fmt::format("/api/v1/top?by={}&window={}&limit=100", by, window));
        };
        const auto truth = [&](const boost::json::object& answer, bool of_people) {
            std::map<std::string, std::multiset<std::string>> actors;
            for (const Seen& each : seen_) {
                if (fmt::format("{:%FT%TZ}", each.time) >= answer.at("from").as_string()) {
                    actors[each.object].insert(each.actor);
                }
            }
            std::vector<std::pair<std::string, std::uint64_t>> list;
            for (const auto& [object, who] : actors) {
                const std::set<std::string> people{who.begin(), who.end()};
                list.emplace_back(object, of_people ? people.size() : who.size());
            }
            std::ranges::sort(list, [](const auto& left, const auto& right) {
                return std::pair{right.second, left.first} < std::pair{left.second, right.first};
            });
            return list;
        };
        for (const auto& [by, number] :
             {std::pair{"views", "views"}, std::pair{"people", "people"}}) {
            boost::json::object answer;
            EXPECT_TRUE(eventually([&] {
                answer = ask(by);
                return listed(answer, number) == truth(answer, by == std::string_view{"people"});
            })) << window
                << " " << by << " " << boost::json::serialize(answer);
            EXPECT_TRUE(answer.at("complete").as_bool());
            EXPECT_EQ(answer.at("window").as_string(), window);
        }
        EXPECT_TRUE(ask("views").at("objects").at(0).at("people").is_null());
    }
}

/// D81 to D84: what is old, what one site floods, what was quiet, what hardly anybody saw.
TEST_F(Rankings, what_trends_cannot_embarrass) {
    const Time now = now_of_the_machine();
    std::vector<Seen> all;
    const auto add = [&](std::vector<Seen> some) {
        all.insert(all.end(), some.begin(), some.end());
    };
    // Everything else of the day: 20 objects of constant popularity.
    for (int hour = 0; hour < 48; ++hour) {
        for (int object = 0; object < 20; ++object) {
            add(crowd(
                fmt::format("/usual/{}", object), 1, now - std::chrono::minutes{60 * hour + object}
            ));
        }
    }
    add(crowd("/years/old", 400, now - std::chrono::days{900}));
    add(crowd("/yesterday", 40, now - 26h));
    add(crowd("/four", 4, now - 1min));
    for (int page = 0; page < 6; ++page) {
        add(crowd(fmt::format("https://busy.example/{}", page), 20 + page, now - 2min));
    }
    add(crowd("https://small.example/a", 12, now - 2min));
    see(all);
    EXPECT_TRUE(eventually([&] {
        return names(trending()) ==
               "https://busy.example/5 https://busy.example/4 https://busy.example/3 "
               "https://small.example/a ";
    })) << boost::json::serialize(trending());
    EXPECT_EQ(trending("?per_site=0").at("objects").as_array().size(), 7U);
    EXPECT_EQ(names(trending("?per_site=1")), "https://busy.example/5 https://small.example/a ");
    EXPECT_EQ(names(trending("?limit=1")), "https://busy.example/5 ");
    EXPECT_THAT(trending("?action=click").at("objects").as_array(), IsEmpty());
    see(crowd("/yesterday", 30, now));  // its score was 0
    EXPECT_TRUE(eventually([&] { return names(trending()).contains("/yesterday "); }))
        << boost::json::serialize(trending());
}

TEST_F(Rankings, a_score_follows_from_the_formula_that_stands_beside_it) {
    const Time now = now_of_the_machine();
    std::vector<Seen> all = crowd("/new", 30, now - 10min);
    for (int each = 0; each < 200; ++each) {
        const auto some =
            crowd(fmt::format("/{}", each % 10), 1, now - std::chrono::minutes{each * 8});
        all.insert(all.end(), some.begin(), some.end());
    }
    see(all);
    ASSERT_TRUE(eventually([&] { return names(trending()) == "/new "; }));
    const boost::json::object answer = trending();
    const boost::json::object& formula = answer.at("formula").as_object();
    const boost::json::object& first = answer.at("objects").at(0).as_object();
    const auto number = [](const boost::json::object& of, std::string_view name) {
        return of.at(name).to_number<double>();
    };
    double fast_total = 0;
    double slow_total = 0;
    double fast = 0;
    double slow = 0;
    for (const Seen& each : seen_) {
        const double age = std::chrono::duration<double>{now - each.time}.count();
        const double of_fast = std::exp2(-age / number(formula, "fast_half_life"));
        const double of_slow = std::exp2(-age / number(formula, "slow_half_life"));
        fast_total += of_fast;
        slow_total += of_slow;
        fast += each.object == "/new" ? of_fast : 0;
        slow += each.object == "/new" ? of_slow : 0;
    }
    // Some seconds have passed since `now`: in a minute a sum of an hour loses 1.2 %.
    constexpr double passed = 0.02;
    EXPECT_NEAR(number(formula, "fast_total"), fast_total, passed * fast_total);
    EXPECT_NEAR(number(formula, "slow_total"), slow_total, passed * slow_total);
    EXPECT_NEAR(number(first, "fast"), fast, passed * fast);
    EXPECT_NEAR(number(first, "slow"), slow, passed * slow);
    const double expected =
        number(first, "slow") * number(formula, "fast_total") / number(formula, "slow_total");
    EXPECT_NEAR(number(first, "expected"), expected, 1e-4 * expected);
    EXPECT_NEAR(
        number(first, "score"), (number(first, "fast") - expected) / std::sqrt(expected + 1), 1e-3
    );
    EXPECT_EQ(first.at("readers").to_number<int>(), 30);
}

TEST_F(Rankings, robots_that_reload_move_nothing) {
    const Time now = now_of_the_machine();
    see(crowd("/usual", 100, now - 20h));
    see(crowd("/other", 20, now - 30min));
    const std::vector<Seen> robots = crowd("/robots", 4, now - 5min);
    see(robots);
    ASSERT_TRUE(eventually([&] { return names(trending()) == "/other "; }));
    const auto slow_total = [&] {
        return trending().at("formula").at("slow_total").to_number<double>();
    };
    const double before = slow_total();
    for (int reload = 0; reload < 50; ++reload) {
        std::vector<Seen> again = robots;
        for (Seen& each : again) {
            each.time += std::chrono::seconds{5 * reload};
        }
        see(again);
    }
    // Also those that come back after an hour, when their views count again.
    for (Seen each : robots) {
        each.time -= 3h;
        see({each});
    }
    ASSERT_TRUE(eventually([&] { return api_.views("/robots").at("counted").to_number<int>() == 8; }
    ));
    EXPECT_EQ(names(trending()), "/other ");
    const bool same_day = std::chrono::floor<std::chrono::days>(now - 3h - 5min) ==
                          std::chrono::floor<std::chrono::days>(now - 5min);
    if (same_day) {  // the next day they are new again
        EXPECT_LE(slow_total(), before);
    }
}

TEST_F(Rankings, what_trends_is_there_again_after_a_stop_and_after_a_kill) {
    const Time now = now_of_the_machine();
    see(crowd("/new", 30, now - 10min));
    see(crowd("/other", 100, now - 20h));
    ASSERT_TRUE(eventually([&] { return names(trending()) == "/new "; }));
    const auto slow = [](Api& api) {
        return api.get_json("/api/v1/trending").at("objects").at(0).at("slow").to_number<double>();
    };
    const double before = slow(api_);
    ASSERT_EQ(server_.stop(), 0);
    server_.restart();
    Api stopped{server_};
    EXPECT_NEAR(slow(stopped), before, 0.01 * before);
    std::string lines;
    for (const Seen& each : crowd("/new", 10, now - 1min)) {
        lines += line_of(each);
    }
    stopped.post_events(lines);
    ASSERT_TRUE(eventually([&] { return slow(stopped) > before + 9; }));
    server_.kill();
    server_.restart();
    Api killed{server_};
    EXPECT_TRUE(eventually([&] { return std::abs(slow(killed) - before - 10) < 0.4; }))
        << slow(killed) << " " << before;
}

TEST_F(Rankings, what_is_hot_is_what_comes_just_now) {
    const Time now = now_of_the_machine();
    see(crowd("/import", 200, now - 1h));
    std::vector<Seen> reloads;
    reloads.reserve(50);
    for (int each = 0; each < 50; ++each) {
        reloads.push_back({.object = "/hot", .actor = "u1", .time = now_of_the_machine()});
    }
    see(reloads);
    boost::json::object hot;
    EXPECT_TRUE(eventually([&] {
        hot = api_.get_json("/api/v1/hot?limit=1");
        return !hot.at("objects").as_array().empty();
    }));
    EXPECT_EQ(hot.at("objects").at(0).at("object").as_string(), "/hot");
    EXPECT_EQ(hot.at("formula").at("halved_every").to_number<int>(), 10);
}

TEST_F(Rankings, refuse_what_cannot_be_asked) {
    for (const auto& [target, field] : std::vector<std::pair<std::string, std::string>>{
             {"top?window=2h", "window"},
             {"top?window=", "window"},
             {"top?window=24H", "window"},
             {"top?window=%ff", "window"},
             {"top?window=24h&limit=0", "limit"},
             {"top?window=24h&limit=101", "limit"},
             {"top?window=24h&by=clicks", "by"},
             {"top?window=24h&action=View", "action"},
             {"top?windows=24h", "windows"},
             {"trending?limit=0", "limit"},
             {"trending?limit=-1", "limit"},
             {"trending?limit=1e1", "limit"},
             {"trending?limit=18446744073709551616", "limit"},
             {"trending?per_site=-1", "per_site"},
             {"trending?per_site=101", "per_site"},
             {"trending?per_site=", "per_site"},
             {"trending?action=", "action"},
             {"trending?window=1h", "window"},
             {"hot?limit=0", "limit"},
             {"hot?limit=many", "limit"},
             {"hot?action=view", "action"}
         }) {
        SCOPED_TRACE(target);
        expect_problem(api_.send(Method::get, "/api/v1/" + target), 400, "invalid-input", field);
    }
}

}  // namespace
}  // namespace footfall
