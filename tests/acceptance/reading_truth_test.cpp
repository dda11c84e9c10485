// Who of whose friends read what, on a real graph with real reads, against brute force and against
// the exact truth beside the data.
#include "events/rfc3339.h"
#include "foundation/clock.h"
#include "foundation/random.h"
#include "test_support/running_server.h"
#include "test_support/truth.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using namespace test_support;

constexpr const char* folder = FOOTFALL_DATA_DIR "/social-android/";
constexpr std::size_t urls_a_question = 100;

std::string url_of(std::size_t object) {
    return fmt::format("https://android.example/topics/{}", object);
}

/// The users of each object: its line after the root, "root user time,user time,..,".
std::vector<std::set<std::string>> read_readers() {
    std::vector<std::set<std::string>> readers;
    std::istringstream lines{read_gzip(std::string{folder} + "cascades.txt.gz")};
    for (std::string line; std::getline(lines, line);) {
        std::set<std::string>& of_object = readers.emplace_back();
        std::istringstream chunks{line.substr(line.find(' ') + 1)};
        for (std::string chunk; std::getline(chunks, chunk, ',');) {
            if (!chunk.empty()) {
                of_object.insert(chunk.substr(0, chunk.find(' ')));
            }
        }
    }
    return readers;
}

/// Edges, taken as undirected.
std::map<std::string, std::set<std::string>> read_friends() {
    std::map<std::string, std::set<std::string>> friends;
    std::istringstream lines{read_gzip(std::string{folder} + "edges.txt.gz")};
    for (std::string line; std::getline(lines, line);) {
        const std::size_t comma = line.find(',');
        const std::string one = line.substr(0, comma);
        const std::string other = line.substr(comma + 1);
        friends[one].insert(other);
        friends[other].insert(one);
    }
    return friends;
}

class ReadingTruth : public RunningServer {
protected:
    /// Everybody of the graph shares, and those of the truth list their friends.
    void tell_people() {
        std::string lines;
        for (const auto& [user, friends] : friends_) {
            lines += fmt::format(R"({{"actor":"{}","reading":"shared")", user);
            if (circles_.contains(user)) {
                lines += fmt::format(R"(,"friends":{})", json_of(friends));
            }
            lines += "}\n";
        }
        for (const std::set<std::string>& each : readers_) {
            for (const std::string& user : each) {
                if (!friends_.contains(user)) {
                    lines += fmt::format(
                        R"({{"actor":"{}","reading":"shared"}})"
                        "\n",
                        user
                    );
                }
            }
        }
        const auto said = api_.send(Method::post, "/api/v1/people", lines);
        ASSERT_EQ(said.status, 200) << said.body;
        ASSERT_TRUE(parse_object(said.body).at("rejected").as_array().empty()) << said.body;
    }

    /// Each object is read by a user once, at some time of the last 29 days, often lately.
    void tell_reads() {
        std::string events;
        Random random{7};
        const Instant now = SystemClock{}.now();
        for (std::size_t object = 0; object < readers_.size(); ++object) {
            for (const std::string& user : readers_[object]) {
                const double place = random.fraction();
                const std::chrono::seconds age{
                    static_cast<std::int64_t>(place * place * place * 29 * 86'400)
                };
                const Instant time = now - age;
                times_.push_back({.object = object, .user = user, .time = time});
                events += fmt::format(
                    R"({{"action":"read","object":"{}","actor":"{}","time":"{}"}})"
                    "\n",
                    url_of(object),
                    user,
                    events::format_rfc3339(time)
                );
            }
        }
        const auto outcome = api_.post_events(events);
        ASSERT_TRUE(outcome.at("rejected").as_array().empty());
    }

    struct Read {
        std::size_t object = 0;
        std::string user;
        Instant time;
    };

    /// {"url":..,"readers":..} of those with at least so many since the window began.
    boost::json::array plainly(
        const boost::json::object& answer, const std::set<std::string>* of, std::size_t limit
    ) const {
        const auto from = events::parse_rfc3339(answer.at("from").as_string());
        const auto floor = answer.at("floor").to_number<std::size_t>();
        std::map<std::string, std::set<std::string>> readers;
        for (const Read& each : times_) {
            if (each.time >= from && (of == nullptr || of->contains(each.user))) {
                readers[url_of(each.object)].insert(each.user);
            }
        }
        std::vector<std::pair<std::size_t, std::string>> ranked;
        for (const auto& [url, users] : readers) {
            if (users.size() >= floor) {
                ranked.emplace_back(users.size(), url);
            }
        }
        std::ranges::sort(ranked, [](const auto& one, const auto& other) {
            return one.first != other.first ? one.first > other.first : one.second < other.second;
        });
        ranked.resize(std::min(ranked.size(), limit));
        boost::json::array list;
        for (const auto& [count, url] : ranked) {
            list.push_back({{"url", url}, {"readers", count}});
        }
        return list;
    }

    boost::json::object popular(const std::string& query) {
        return api_.get_json("/api/v1/reading/popular?" + query);
    }

    void expect_popular_of_all() {
        for (const char* window : {"1h", "6h", "24h", "7d", "30d"}) {
            for (const std::size_t limit : {1U, 10U, 1000U}) {
                SCOPED_TRACE(fmt::format("{} {}", window, limit));
                const auto answer = popular(fmt::format("window={}&limit={}", window, limit));
                EXPECT_TRUE(answer.at("complete").as_bool());
                EXPECT_FALSE(answer.at("provisional").as_bool());
                ASSERT_EQ(answer.at("urls"), plainly(answer, nullptr, limit));
            }
        }
    }

    /// Beside brute force of each window, the truth that came with the data of all of them.
    void expect_popular_among_friends(const boost::json::object& truth) {
        const std::string user{truth.at("user").as_string()};
        SCOPED_TRACE(user);
        for (const char* window : {"1h", "6h", "24h", "7d", "30d"}) {
            const auto answer =
                popular(fmt::format("scope=friends&actor={}&window={}&limit=10", user, window));
            EXPECT_TRUE(answer.at("complete").as_bool());
            ASSERT_EQ(answer.at("urls"), plainly(answer, &friends_.at(user), 10)) << window;
        }
        const auto answer =
            popular(fmt::format("scope=friends&actor={}&window=30d&limit=10", user));
        const auto& top = truth.at("top10_objects_by_distinct_friends").as_array();
        ASSERT_EQ(top.size(), answer.at("urls").as_array().size());
        for (std::size_t at = 0; at < top.size(); ++at) {
            EXPECT_EQ(
                answer.at("urls").as_array()[at].at("readers").to_number<std::size_t>(),
                top[at].at("friends").to_number<std::size_t>()
            );
        }
    }

    /// Asks for all objects of a circle; how many of its friends read each.
    void expect_circle(const boost::json::object& truth) {
        const std::string user{truth.at("user").as_string()};
        SCOPED_TRACE(user);
        ASSERT_EQ(friends_[user].size(), truth.at("friends").to_number<std::size_t>());
        std::map<std::size_t, std::size_t> counts;
        for (std::size_t first = 0; first < readers_.size(); first += urls_a_question) {
            const std::size_t end = std::min(first + urls_a_question, readers_.size());
            ASSERT_NO_FATAL_FAILURE(expect_readers(user, first, end, counts));
        }
        ASSERT_EQ(
            std::ranges::count_if(counts, [](const auto& each) { return each.second > 0; }),
            truth.at("objects_seen_by_any_friend").to_number<std::ptrdiff_t>()
        );
        for (const auto& each : truth.at("top10_objects_by_distinct_friends").as_array()) {
            ASSERT_EQ(
                counts.at(each.at("object").to_number<std::size_t>()),
                each.at("friends").to_number<std::size_t>()
            );
        }
    }

    void SetUp() override {
        for (const auto& each : truth_.at("friends_truth").as_array()) {
            circles_.insert(std::string{each.at("user").as_string()});
        }
        ASSERT_EQ(circles_.size(), 20);
        ASSERT_EQ(readers_.size(), 679);
    }

    const boost::json::object truth_ =
        boost::json::parse(read_gzip(std::string{folder} + "truth.json")).as_object();

private:
    static std::string json_of(const std::set<std::string>& names) {
        boost::json::array list;
        for (const std::string& each : names) {
            list.emplace_back(each);
        }
        return boost::json::serialize(list);
    }

    void expect_readers(
        const std::string& user,
        std::size_t first,
        std::size_t end,
        std::map<std::size_t, std::size_t>& counts
    ) {
        boost::json::array urls;
        for (std::size_t object = first; object < end; ++object) {
            urls.emplace_back(url_of(object));
        }
        const boost::json::object question{{"actor", user}, {"urls", urls}};
        const auto answer =
            api_.send(Method::post, "/api/v1/reading/who", boost::json::serialize(question));
        ASSERT_EQ(answer.status, 200) << answer.body;
        const auto answers = parse_object(answer.body).at("urls").as_array();
        ASSERT_EQ(answers.size(), end - first);
        for (std::size_t object = first; object < end; ++object) {
            std::set<std::string> told;
            for (const auto& each : answers[object - first].at("readers").as_array()) {
                told.insert(std::string{each.as_string()});
            }
            std::set<std::string> expected;
            std::ranges::set_intersection(
                readers_[object], friends_[user], std::inserter(expected, expected.end())
            );
            ASSERT_EQ(told, expected) << url_of(object);
            counts[object] = told.size();
        }
    }

    std::set<std::string> circles_;
    std::vector<Read> times_;
    const std::vector<std::set<std::string>> readers_ = read_readers();
    std::map<std::string, std::set<std::string>> friends_ = read_friends();
};

TEST_F(ReadingTruth, all_circles_are_told_to_the_name_and_again_after_a_kill) {
    ASSERT_NO_FATAL_FAILURE(tell_people());
    ASSERT_NO_FATAL_FAILURE(tell_reads());
    for (const bool killed : {false, true}) {
        SCOPED_TRACE(killed);
        if (killed) {
            server_.kill();
            server_.restart();
            api_ = Api{server_};
        }
        for (const auto& each : truth_.at("friends_truth").as_array()) {
            ASSERT_NO_FATAL_FAILURE(expect_circle(each.as_object()));
            ASSERT_NO_FATAL_FAILURE(expect_popular_among_friends(each.as_object()));
        }
        ASSERT_NO_FATAL_FAILURE(expect_popular_of_all());
    }
}

}  // namespace
}  // namespace footfall
