// People from a file: what they say and whom they list, by HTTP as in a data directory, however
// often it is imported and whoever is killed meanwhile.

#include "foundation/random.h"
#include "test_support/eventually.h"
#include "test_support/log_bytes.h"
#include "test_support/random_seed.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace footfall::acceptance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;
using namespace test_support;

constexpr const char* people_csv =
    "user,sharing,until,sites,seen_by,friends\n"
    "u1,shared,,news.example;B.Example,friends,u2;u3\n"
    "u2,private,2999-01-01T00:00:00Z,,,\n"
    "u3,off,,,,u1\n";

std::vector<std::string> words_of(
    std::string file, std::string map, std::vector<std::string> target
) {
    std::vector<std::string> words{
        "import", std::move(file), "--as", "people", "--format", "csv", "--map", std::move(map)
    };
    words.insert(words.end(), target.begin(), target.end());
    return words;
}

std::vector<std::string> friends_of(Api& api, const std::string& actor) {
    std::vector<std::string> names;
    const auto answer = api.get_json("/api/v1/people/" + actor + "/friends");
    for (const auto& each : answer.at("friends").as_array()) {
        names.emplace_back(each.as_string());
    }
    return names;
}

class ImportPeople : public RunningServer {
protected:
    static CommandResult import(const std::string& text, std::vector<std::string> target) {
        return run_footfall(
            words_of(
                "-",
                "actor=user,reading=sharing,until=until,sites=sites,to=seen_by,friends=friends",
                std::move(target)
            ),
            text
        );
    }

    static CommandResult import_edges(const std::string& text, std::vector<std::string> target) {
        return run_footfall(words_of("-", "actor=a,friend=b", std::move(target)), text);
    }

    std::vector<std::string> here() const { return {"--server", server_.url()}; }

    static void expect_people(Api& api) {
        const auto shown = api.get_json("/api/v1/people/u1");
        EXPECT_EQ(shown.at("reading").as_string(), "shared");
        EXPECT_EQ(shown.at("to").as_string(), "friends");
        EXPECT_EQ(shown.at("sites"), (boost::json::array{"b.example", "news.example"}));
        EXPECT_THAT(friends_of(api, "u1"), ElementsAre("u2", "u3"));
        const auto paused = api.get_json("/api/v1/people/u2");
        EXPECT_EQ(paused.at("reading").as_string(), "private");
        EXPECT_EQ(paused.at("until").as_string(), "2999-01-01T00:00:00Z");
        EXPECT_EQ(api.get_json("/api/v1/people/u3").at("reading").as_string(), "off");
        EXPECT_THAT(friends_of(api, "u3"), ElementsAre("u1"));
    }
};

TEST_F(ImportPeople, say_what_stands_in_the_file_and_nothing_new_when_it_comes_again) {
    const auto done = import(people_csv, here());
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    EXPECT_EQ(done.output, "imported 3 duplicates 0 rejected 0\n");
    expect_people(api_);
    const auto before = api_.get_json("/api/v1/people/u1");
    EXPECT_EQ(import(people_csv, here()).last_line(), "imported 3 duplicates 0 rejected 0");
    EXPECT_EQ(api_.get_json("/api/v1/people/u1"), before);
    // A friend is added to those that are there, a list takes their place.
    EXPECT_EQ(import_edges("a,b\nu1,u9\nu1,u2\n", here()).exit_code, 0);
    EXPECT_THAT(friends_of(api_, "u1"), ElementsAre("u2", "u3", "u9"));
    import("user,sharing,until,sites,seen_by,friends\nu1,,,,,u4\n", here());
    EXPECT_THAT(friends_of(api_, "u1"), ElementsAre("u4"));
    EXPECT_EQ(api_.get_json("/api/v1/people/u1").at("sites"), before.at("sites"));
}

TEST_F(ImportPeople, go_into_a_directory_with_the_same_words) {
    const std::string data = directory_ / "other";
    for (int time = 0; time < 2; ++time) {
        const auto done = import(people_csv, {"--data", data});
        EXPECT_EQ(done.output, "imported 3 duplicates 0 rejected 0\n") << done.errors;
    }
    const FootfallProcess server{data};
    Api api{server};
    expect_people(api);
}

TEST_F(ImportPeople, that_are_wrong_are_named_by_line_and_field) {
    std::string edges = "a,b\n";
    for (int at = 0; at < 5'003; ++at) {
        edges += fmt::format("many,f{}\n", at);
    }
    const auto many = import_edges(edges, here());
    EXPECT_EQ(many.exit_code, 0);
    EXPECT_EQ(many.last_line(), "imported 5000 duplicates 0 rejected 3");
    EXPECT_THAT(many.errors, HasSubstr(":5002: rejected: many would have 5003 friends, more than"));
    EXPECT_THAT(many.errors, HasSubstr(":5004: rejected: many would have"));
    EXPECT_EQ(friends_of(api_, "many").size(), 5'000);

    const auto wrong = import(
        "user,sharing,until,sites,seen_by,friends\n"
        "u1,on,,,,\n"
        "u2,shared,,https://a.example/,,\n"
        "u3,shared,,,,u1;;u2\n"
        "u4,private,1999-01-01T00:00:00Z,,,\n"
        "u5,,,a.example,,\n"
        "u6,shared,,,,\n",
        here()
    );
    EXPECT_EQ(wrong.exit_code, 0);
    EXPECT_EQ(wrong.last_line(), "imported 1 duplicates 0 rejected 5");
    EXPECT_THAT(wrong.errors, HasSubstr(":2: rejected: reading is one of"));
    EXPECT_THAT(wrong.errors, HasSubstr(":3: rejected: sites: a site is a host"));
    EXPECT_THAT(wrong.errors, HasSubstr(":4: rejected: friends: the name of a person is empty"));
    EXPECT_THAT(wrong.errors, HasSubstr(":5: rejected: until is over"));
    EXPECT_THAT(wrong.errors, HasSubstr(":6: rejected: reading is missing: beside sites"));
    EXPECT_EQ(api_.get_json("/api/v1/people/u2").at("reading").as_string(), "off");
    EXPECT_EQ(api_.get_json("/api/v1/people/u6").at("reading").as_string(), "shared");
}

TEST_F(ImportPeople, refuses_a_use_that_is_wrong) {
    const auto used = [&](const char* map, std::vector<std::string> more) {
        more.insert(more.end(), {"--server", server_.url()});
        const auto done = run_footfall(words_of("-", map, std::move(more)), "a,b\nu1,u2\n");
        EXPECT_EQ(done.exit_code, 2) << done.errors;
        EXPECT_EQ(done.output, "");
        return done.errors;
    };
    EXPECT_THAT(used("friend=b", {}), HasSubstr("people need the field actor"));
    EXPECT_THAT(used("actor=a,friend=b,friends=b", {}), HasSubstr("friend, which adds one"));
    EXPECT_THAT(used("actor=a", {"--set", "reading=on"}), HasSubstr("--set: reading is one of"));
    EXPECT_THAT(used("actor=a,friend=b", {"--counter", "c"}), HasSubstr("--as tokens"));
    EXPECT_THAT(used("actor=a,friend=c", {}), HasSubstr("there is no column c"));
}

TEST_F(ImportPeople, ends_where_the_key_is_none_for_people) {
    const auto key = api_.send(
        http_server::Method::post, "/api/v1/keys", R"({"name":"reader","scopes":["read"]})"
    );
    ASSERT_EQ(key.status / 100, 2) << key.body;
    const std::string secret{parse_object(key.body).at("key").as_string()};
    const auto done = import(people_csv, {"--server", server_.url(), "--key", secret});
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.errors, HasSubstr("the server answered 403"));
    EXPECT_EQ(done.output, "");
}

/// A file of friendships of people who begin to share with them, some people after the others.
class ImportOfPeopleKilled : public RunningServer {
protected:
    static constexpr std::size_t people = 1'500;
    static constexpr std::size_t some = 150;
    static constexpr std::size_t circle = 100;

    static std::string friend_of(std::size_t person, std::size_t at) {
        return fmt::format("u{}", (person * 7 + at) % 10'000);
    }

    void SetUp() override {
        std::ofstream file{file_};
        for (std::size_t first = 0; first < people; first += some) {
            for (std::size_t at = 0; at < circle; ++at) {
                for (std::size_t person = first; person < first + some; ++person) {
                    file << "u" << person << "," << friend_of(person, at) << "\n";
                }
            }
        }
    }

    std::vector<std::string> words(std::vector<std::string> target) const {
        target.insert(target.end(), {"--no-header", "--set", "reading=shared"});
        return words_of(file_, "actor=1,friend=2", std::move(target));
    }

    /// The file several times over: whatever is killed within the first is in mid-import.
    ChildProcess start_import(const std::vector<std::string>& target) const {
        std::vector<std::string> many = words(target);
        many.insert(many.begin() + 1, 4, file_);
        return ChildProcess{footfall_command(std::move(many))};
    }

    void import_again(const std::vector<std::string>& target) const {
        const auto done = run_footfall(words(target));
        EXPECT_EQ(done.exit_code, 0) << done.errors;
        EXPECT_EQ(
            done.last_line(), fmt::format("imported {} duplicates 0 rejected 0", people * circle)
        );
    }

    static void expect_all(Api& api) {
        EXPECT_EQ(api.metric("footfall_reading_sharers"), people);
        for (std::size_t person = 0; person < people; ++person) {
            std::vector<std::string> expected;
            for (std::size_t at = 0; at < circle; ++at) {
                expected.push_back(friend_of(person, at));
            }
            std::ranges::sort(expected);
            ASSERT_EQ(friends_of(api, fmt::format("u{}", person)), expected) << person;
        }
    }

    const std::string file_ = directory_ / "edges.csv";
    const std::vector<std::string> here_{"--server", server_.url()};
    Random random_{random_seed()};
};

TEST_F(ImportOfPeopleKilled, server_lets_it_fail_and_a_second_one_brings_all) {
    const auto threshold = 1 + random_.below(people);
    ChildProcess import = start_import(here_);
    ASSERT_TRUE(
        eventually([&] { return api_.metric("footfall_reading_sharers") >= threshold; }, 60s, 2ms)
    );
    server_.kill();
    EXPECT_EQ(import.wait(20s).exit_code, 1) << "it ended before the server was killed";
    EXPECT_THAT(import.output(), Not(HasSubstr("imported")));
    server_.restart();
    Api api{server_};
    import_again({"--server", server_.url()});
    expect_all(api);
}

TEST_F(ImportOfPeopleKilled, itself_leaves_a_beginning_and_a_second_one_brings_all) {
    const auto threshold = 1 + random_.below(people);
    ChildProcess import = start_import(here_);
    ASSERT_TRUE(
        eventually([&] { return api_.metric("footfall_reading_sharers") >= threshold; }, 60s, 2ms)
    );
    import.send_signal(SIGKILL);
    ASSERT_EQ(import.wait(20s).signal, SIGKILL) << "it ended before it could be killed";
    import_again(here_);
    expect_all(api_);
}

TEST_F(ImportOfPeopleKilled, itself_leaves_a_directory_that_a_second_one_brings_to_all) {
    const std::string data = directory_ / "other";
    const auto threshold = 50'000 + random_.below(1'000'000);
    ChildProcess import = start_import({"--data", data});
    ASSERT_TRUE(eventually([&] { return log_bytes(data) >= threshold; }, 60s, 1ms));
    import.send_signal(SIGKILL);
    ASSERT_EQ(import.wait(20s).signal, SIGKILL) << "it ended before it could be killed";
    import_again({"--data", data});
    const FootfallProcess server{data};
    Api api{server};
    expect_all(api);
}

}  // namespace
}  // namespace footfall::acceptance
