// The friendships of a real graph from the file they came in, against that file and against the
// truth beside it.

#include "test_support/eventually.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"
#include "test_support/truth.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace footfall::acceptance {
namespace {

using namespace test_support;

using Friends = std::map<std::string, std::set<std::string>>;

constexpr const char* graph_folder = FOOTFALL_DATA_DIR "/social-android/";
constexpr std::size_t edges_in_file = 48'573;

/// As each edge of the file says: the first lists the second.
Friends listed_in_file() {
    Friends friends;
    std::istringstream lines{read_gzip(std::string{graph_folder} + "edges.txt.gz")};
    for (std::string line; std::getline(lines, line);) {
        const std::size_t comma = line.find(',');
        friends[line.substr(0, comma)].insert(line.substr(comma + 1));
    }
    return friends;
}

/// Each lists whoever lists them, too.
Friends both_ways(const Friends& listed) {
    Friends both = listed;
    for (const auto& [actor, friends] : listed) {
        for (const std::string& each : friends) {
            both[each].insert(actor);
        }
    }
    return both;
}

void import_edges(const char* map, const std::vector<std::string>& target) {
    std::vector<std::string> words{
        "import",
        std::string{graph_folder} + "edges.txt.gz",
        "--as",
        "people",
        "--format",
        "csv",
        "--no-header",
        "--map",
        map
    };
    words.insert(words.end(), target.begin(), target.end());
    const auto done = run_footfall(std::move(words));
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    EXPECT_EQ(done.last_line(), fmt::format("imported {} duplicates 0 rejected 0", edges_in_file));
}

/// Some ten thousand questions, of which a store that is busy leaves one unanswered now and then.
boost::json::object friends_answer(Api& api, const std::string& actor) {
    http_server::ClientResponse answer;
    EXPECT_TRUE(eventually([&] {
        answer = api.send(http_server::Method::get, "/api/v1/people/" + actor + "/friends");
        return answer.status != 504;
    }));
    EXPECT_EQ(answer.status, 200) << answer.body;
    return parse_object(answer.body);
}

void expect_friends(Api& api, const Friends& expected) {
    for (const auto& [actor, friends] : expected) {
        std::set<std::string> told;
        for (const auto& each : friends_answer(api, actor).at("friends").as_array()) {
            told.emplace(each.as_string());
        }
        ASSERT_EQ(told, friends) << actor;
    }
}

class ImportedGraph : public RunningServer {
protected:
    const Friends listed_ = listed_in_file();
    const Friends both_ = both_ways(listed_);
};

TEST_F(ImportedGraph, is_that_of_the_file_once_and_again_and_both_ways_that_of_the_truth) {
    const std::vector<std::string> here{"--server", server_.url()};
    import_edges("actor=1,friend=2", here);
    ASSERT_NO_FATAL_FAILURE(expect_friends(api_, listed_));
    const auto before = api_.get_json("/api/v1/people/" + listed_.begin()->first);
    import_edges("actor=1,friend=2", here);
    EXPECT_EQ(api_.get_json("/api/v1/people/" + listed_.begin()->first), before);

    import_edges("actor=2,friend=1", here);
    server_.kill();
    server_.restart();
    Api api{server_};
    ASSERT_NO_FATAL_FAILURE(expect_friends(api, both_));
    const auto truth = boost::json::parse(read_gzip(std::string{graph_folder} + "truth.json"));
    for (const auto& each : truth.at("friends_truth").as_array()) {
        const auto& user = each.at("user").as_string();
        EXPECT_EQ(
            both_.at({user.data(), user.size()}).size(), each.at("friends").to_number<std::size_t>()
        );
    }
}

TEST_F(ImportedGraph, goes_into_a_directory_and_is_served_from_it) {
    const std::string data = directory_ / "other";
    for (const char* const map : {"actor=1,friend=2", "actor=2,friend=1", "actor=1,friend=2"}) {
        import_edges(map, {"--data", data});
    }
    const FootfallProcess server{data};
    Api api{server};
    ASSERT_NO_FATAL_FAILURE(expect_friends(api, both_));
}

}  // namespace
}  // namespace footfall::acceptance
