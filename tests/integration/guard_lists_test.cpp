// The public lists of robots and of networks, as they are: what our rules find by them is what was
// computed beforehand by other means.
#include "guard/agents.h"
#include "guard/networks.h"
#include "guard/rules.h"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>
#include <zlib.h>

#include <array>
#include <memory>
#include <set>
#include <string>

namespace footfall::guard {
namespace {

using simdjson::dom::element;

const std::string data = FOOTFALL_DATA_DIR;

std::string unpacked(const std::string& path) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file{::gzopen(path.c_str(), "rb"), ::gzclose};
    EXPECT_NE(file, nullptr) << path;
    std::string text;
    std::array<char, 65536> part{};
    for (int read = 0; file && (read = ::gzread(file.get(), part.data(), part.size())) > 0;) {
        text.append(part.data(), static_cast<std::size_t>(read));
    }
    return text;
}

AgentList list_of(const std::string& file) {
    Result<AgentList> list = AgentList::read(unpacked(data + "/bots/" + file));
    EXPECT_TRUE(list) << (list ? "" : list.error().message);
    return *std::move(list);
}

std::set<std::string> examples_of(const std::string& file) {
    simdjson::dom::parser parser;
    const std::string text = unpacked(data + "/bots/" + file);
    std::set<std::string> examples;
    for (const element robot : parser.parse(text).get_array()) {
        for (const element example : robot["instances"].get_array()) {
            examples.emplace(example.get_string().value());
        }
    }
    return examples;
}

class BotLists : public testing::Test {
protected:
    std::uint64_t truth(const char* file, const char* figure) {
        return parser_.load(data + "/bots/truth.json")[file][figure].get_uint64().value();
    }

    simdjson::dom::parser parser_;
};

TEST_F(BotLists, know_every_robot_that_is_given_as_an_example) {
    constexpr const char* file = "crawler-user-agents.json";
    const AgentList crawlers = list_of("crawler-user-agents.json.gz");
    const std::set<std::string> examples = examples_of("crawler-user-agents.json.gz");
    EXPECT_EQ(crawlers.size(), truth(file, "patterns"));
    EXPECT_EQ(examples.size(), truth(file, "distinct_instances"));
    for (const std::string& agent : examples) {
        EXPECT_TRUE(crawlers.find(agent)) << agent;
    }
}

TEST_F(BotLists, of_counter_know_as_many_as_by_another_program) {
    const AgentList counter = list_of("COUNTER_Robots_list.json.gz");
    EXPECT_EQ(counter.size(), truth("COUNTER_Robots_list.json", "patterns"));
    std::uint64_t known = 0;
    for (const std::string& agent : examples_of("crawler-user-agents.json.gz")) {
        known += counter.find(agent) ? 1 : 0;
    }
    EXPECT_EQ(
        known, truth("crawler-user-agents.json", "distinct_instances_matched_by_COUNTER_list")
    );
    // The generated text of the same list says the same.
    EXPECT_EQ(list_of("COUNTER_Robots_list.txt.gz").size(), counter.size());
}

/// What is known without any file: by far most of them.
TEST_F(BotLists, are_needed_for_rare_robots_only) {
    const Result<AgentList> standard = AgentList::read(standard_robots());
    ASSERT_TRUE(standard) << standard.error().message;
    const std::set<std::string> examples = examples_of("crawler-user-agents.json.gz");
    std::size_t known = 0;
    for (const std::string& agent : examples) {
        known += standard->find(agent) ? 1 : 0;
    }
    RecordProperty("known_of_10000", static_cast<int>(known * 10'000 / examples.size()));
    EXPECT_GT(known * 100, examples.size() * 85);
}

TEST_F(BotLists, take_people_for_people) {
    const Result<AgentList> standard = AgentList::read(standard_robots());
    ASSERT_TRUE(standard);
    const AgentList counter = list_of("COUNTER_Robots_list.json.gz");
    const AgentList crawlers = list_of("crawler-user-agents.json.gz");
    for (const char* agent :
         {"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
          "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
          "Chrome/126.0.0.0 Safari/537.36",
          "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
          "like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"}) {
        EXPECT_EQ(standard->find(agent), std::nullopt) << agent;
        EXPECT_EQ(counter.find(agent), std::nullopt) << agent;
        EXPECT_EQ(crawlers.find(agent), std::nullopt) << agent;
    }
}

TEST(NetworkLists, hold_their_networks_and_nothing_beside) {
    // Numbers of IPv6 addresses are larger than what simdjson reads.
    const boost::json::value truths = boost::json::parse(unpacked(data + "/ip-ranges/truth.json"));
    std::size_t lists = 0;
    for (const auto& [name, truth] : truths.as_object()) {
        const std::string file = std::string{name} + ".txt.gz";
        const auto set = NetworkSet::read(unpacked(fmt::format("{}/ip-ranges/{}", data, file)));
        ASSERT_TRUE(set) << file << ": " << set.error().message;
        EXPECT_EQ(set->size(), truth.at("networks").to_number<std::size_t>()) << file;
        for (const char* end : {"first", "last"}) {
            const std::string text{truth.at(end).as_string()};
            const auto network = Network::parse(text);
            ASSERT_TRUE(network) << text;
            for (const Address& address : {network->first, network->last}) {
                const Network* const found = set->find(address);
                ASSERT_NE(found, nullptr) << file << ' ' << address.text();
                EXPECT_EQ(found->text(), text);
            }
        }
        EXPECT_EQ(set->find(Address::parse("192.0.2.7").value_or(Address{})), nullptr) << file;
        ++lists;
    }
    EXPECT_GE(lists, 10U);
}

}  // namespace
}  // namespace footfall::guard
