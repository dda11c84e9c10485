// kill -9 again and again of a server that is told who shares, who is whose friend, and who reads
// what. What was acknowledged holds, what was withdrawn does not return, and a list of friends is
// never a part of one.
//
// What is stored in the end follows from the log: `verify reading` finds nothing.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=100 build/release/tests/crash/crash_test
//   --gtest_filter='Reading*'

#include "chance.h"
#include "foundation/check.h"
#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/footfall_process.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::crash {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using http_server::Method;

/// Some people that one client speaks for, one thing after the other, and what should hold of them.
class ReadingLoad {
public:
    ReadingLoad(std::size_t number, std::uint64_t seed) : number_{number}, random_{seed} {}

    /// Says or sends one thing more. False: the server is gone, and nobody knows whether it was
    /// done.
    bool step(http_server::Client& client) {
        if (!pending_) {
            pending_ = draw();
        }
        return send(client);
    }

    /// What nobody knew is said again.
    bool settle(http_server::Client& client) { return !pending_ || send(client); }

    /// Holds all answers to what should be.
    void check(Api& api) const {
        boost::json::array everybody;
        for (std::size_t actor = 0; actor < actors; ++actor) {
            everybody.emplace_back(name(actor));
        }
        expect_who(api, {{"friends", everybody}}, {everybody.size() == actors, {}});
        std::set<std::string> listed;
        for (const std::string& each : friends_) {
            listed.insert(each);
        }
        expect_who(api, {{"actor", name(0)}}, {false, listed});
    }

    std::uint64_t reads() const { return reads_; }

    std::uint64_t said() const { return said_; }

private:
    static constexpr std::size_t actors = 6;
    static constexpr std::size_t urls = 2'000;
    static constexpr std::size_t urls_a_question = 100;

    enum class Reading : std::uint8_t { off, shared, paused };
    static constexpr std::array<std::string_view, 3> reading_names{"off", "shared", "private"};

    struct Actor {
        Reading reading = Reading::off;
        std::set<std::size_t> urls;  ///< That count as facts.
        std::size_t next = 0;        ///< Each reads each URL once: no rule refuses it.
        std::size_t parts = 0;       ///< Taken back since all was; few may be.
    };

    struct Op {
        Method method = Method::put;
        std::string target;
        std::string body;
        std::size_t actor = 0;
        std::optional<Reading> reading = {};
        std::optional<std::vector<std::string>> friends = {};
        std::size_t reads = 0;
        bool takes_back = false;
        std::optional<std::size_t> url = {};  ///< That is taken back; absent: all.
    };

    /// Whom an answer may show: everybody, or these.
    struct Asked {
        bool everybody = true;
        std::set<std::string> names;
    };

    std::string name(std::size_t actor) const { return fmt::format("c{}-p{}", number_, actor); }

    static std::string url_of(std::size_t url) { return fmt::format("https://r.example/{}", url); }

    Op draw() {
        const std::size_t actor = random_.below(actors);
        Op op{.target = "/api/v1/people/" + name(actor), .body = {}, .actor = actor};
        const std::uint64_t kind = random_.below(10);
        if (kind < 2) {
            op.reading = static_cast<Reading>(random_.below(3));
            op.body = fmt::format(
                R"({{"reading":"{}"}})", reading_names[static_cast<std::size_t>(*op.reading)]
            );
        } else if (kind < 4) {
            op.target = "/api/v1/people/" + name(0) + "/friends";
            boost::json::array list;
            op.friends.emplace();
            for (std::size_t each = 0; each < actors; ++each) {
                if (random_.below(2) == 0) {
                    op.friends->push_back(name(each));
                    list.emplace_back(name(each));
                }
            }
            op.body = boost::json::serialize(boost::json::object{{"friends", list}});
        } else if (kind < 5) {
            take_something_back(op);
        } else {
            op.method = Method::post;
            op.target = "/api/v1/events";
            op.reads = std::min(urls - people_[actor].next, 1 + random_.below(20));
            boost::json::array events;
            for (std::size_t at = 0; at < op.reads; ++at) {
                const std::size_t url = people_[actor].next + at;
                events.push_back(boost::json::object{
                    {"id", fmt::format("{}-{}", name(actor), url)},
                    {"action", "read"},
                    {"object", url_of(url)},
                    {"actor", name(actor)}
                });
            }
            op.body = boost::json::serialize(events);
        }
        return op;
    }

    /// One article as a rule; or all, in one of the ways to say so.
    void take_something_back(Op& op) {
        constexpr std::size_t parts_max = 50;
        op.method = Method::del;
        op.takes_back = true;
        op.target += "/reads";
        if (people_[op.actor].parts >= parts_max || random_.below(8) == 0) {
            op.target += "?all=true";
        } else if (random_.below(8) == 0) {
            op.target += random_.below(2) == 0 ? "?site=r.example" : "?from=2026-01-01T00:00:00Z";
        } else {
            op.url = random_.below(people_[op.actor].next + 1);
            op.target += "?url=" + http_server::percent_encode(url_of(*op.url));
        }
    }

    bool send(http_server::Client& client) {
        CHECK(pending_, "there is something to send");
        const Op op = *pending_;
        const auto answer =
            client.send(op.method, op.target, op.body, {{"Content-Type", "application/json"}});
        if (!answer || answer->status == 503) {
            return false;
        }
        EXPECT_EQ(answer->status, 200) << answer->body;
        pending_.reset();
        take(op);
        return true;
    }

    void take(const Op& op) {
        Actor& actor = people_[op.actor];
        if (op.reading) {
            actor.reading = *op.reading;
            if (actor.reading == Reading::off) {
                actor.urls.clear();
            }
            ++said_;
        } else if (op.friends) {
            friends_ = *op.friends;
            ++said_;
        }
        if (op.takes_back) {
            actor.parts = op.target.ends_with("all=true") ? 0 : actor.parts + 1;
            if (op.url) {
                actor.urls.erase(*op.url);
            } else {
                actor.urls.clear();
            }
            ++said_;
        }
        for (std::size_t at = 0; at < op.reads; ++at) {
            if (actor.reading == Reading::shared) {
                actor.urls.insert(actor.next);
            }
            ++actor.next;
            ++reads_;
        }
    }

    void expect_who(Api& api, boost::json::object question, const Asked& asked) const {
        for (std::size_t first = 0; first < urls; first += urls_a_question) {
            boost::json::array list;
            for (std::size_t url = first; url < first + urls_a_question; ++url) {
                list.emplace_back(url_of(url));
            }
            question["urls"] = list;
            const auto answer =
                api.send(Method::post, "/api/v1/reading/who", boost::json::serialize(question));
            ASSERT_EQ(answer.status, 200) << answer.body;
            const auto told = parse_object(answer.body).at("urls").as_array();
            for (std::size_t at = 0; at < told.size(); ++at) {
                boost::json::array expected;
                for (std::size_t actor = 0; actor < actors; ++actor) {
                    const bool may = asked.everybody || asked.names.contains(name(actor));
                    if (may && people_[actor].urls.contains(first + at)) {
                        expected.emplace_back(name(actor));
                    }
                }
                ASSERT_EQ(told[at].at("readers").as_array(), expected) << url_of(first + at);
            }
        }
    }

    const std::size_t number_;
    Random random_;
    std::array<Actor, actors> people_{};
    std::vector<std::string> friends_;
    std::optional<Op> pending_;
    std::uint64_t reads_ = 0;
    std::uint64_t said_ = 0;
};

class ReadingKill : public testing::Test {
protected:
    void settle_and_check(const FootfallProcess& server) {
        http_server::Client client = server.client();
        Api api{server};
        for (ReadingLoad& load : loads_) {
            ASSERT_TRUE(eventually([&] { return load.settle(client); }));
            ASSERT_NO_FATAL_FAILURE(load.check(api));
        }
    }

    void kill_under_load(bool orderly) {
        FootfallProcess server{data_, small_memory};
        ASSERT_NO_FATAL_FAILURE(settle_and_check(server));
        std::vector<std::jthread> threads;
        threads.reserve(loads_.size());
        for (ReadingLoad& load : loads_) {
            threads.emplace_back([&load, &server] {
                http_server::Client client = server.client(20s);
                while (load.step(client)) {
                }
            });
        }
        wait_for_chance(server.process(), random_, 400ms);
        EXPECT_TRUE(server.process().running()) << "it gave up: " << server.process().errors();
        if (orderly) {
            server.process().send_signal(SIGTERM);
            wait_for_chance(server.process(), random_, 100ms);
        }
        server.kill();
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    const std::uint64_t seed_ = random_seed();
    Random random_{seed_};
    std::array<ReadingLoad, 3> loads_{
        ReadingLoad{0, random_()}, ReadingLoad{1, random_()}, ReadingLoad{2, random_()}
    };
};

TEST_F(ReadingKill, at_any_moment_loses_nothing_and_returns_nothing_that_was_withdrawn) {
    const std::uint64_t kills = environment_number("FOOTFALL_KILLS", 16);
    for (std::uint64_t number = 0; number < kills && !HasFailure(); ++number) {
        SCOPED_TRACE(fmt::format("kill number {}", number));
        ASSERT_NO_FATAL_FAILURE(kill_under_load(number % 3 == 2));
    }
    FootfallProcess server{data_, small_memory};
    ASSERT_NO_FATAL_FAILURE(settle_and_check(server));
    for (const ReadingLoad& load : loads_) {
        fmt::print("{} reads and {} things said, acknowledged\n", load.reads(), load.said());
        EXPECT_GT(load.reads(), 0U);
        EXPECT_GT(load.said(), 0U);
    }
    EXPECT_EQ(server.stop(), 0);
    const CommandResult verified = run_footfall({"verify", "reading", "--data", data_});
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    server.restart();
    ASSERT_NO_FATAL_FAILURE(settle_and_check(server));
}

}  // namespace
}  // namespace footfall::crash
