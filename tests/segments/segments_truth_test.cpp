// The people of a real register, whose ids in ten systems are known to be theirs: a segment for
// each system has as many people as the register, and each two share those who have an id in both.
#include "chadwick.h"
#include "segments_server.h"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using identities::Person;
using namespace test_support;

using Pair = std::pair<std::string, std::string>;

constexpr std::size_t matches_at_once = 20'000;
constexpr std::size_t members_at_once = 100'000;

/// How many people have an id in this system, and in both of these.
struct Truth {
    std::map<std::string, std::uint64_t> sizes;
    std::map<Pair, std::uint64_t> overlaps;
};

Truth counted_one_by_one(const std::vector<Person>& people) {
    Truth truth;
    for (const Person& person : people) {
        for (const identities::Id& one : person) {
            ++truth.sizes[one.identifier];
            for (const identities::Id& other : person) {
                if (one.identifier < other.identifier) {
                    ++truth.overlaps[{one.identifier, other.identifier}];
                }
            }
        }
    }
    return truth;
}

/// "key_sr_nfl" is nfl in the register as we read it.
std::string system_of(std::string_view key) {
    for (const std::string_view start : {"key_", "sr_"}) {
        key.remove_prefix(key.starts_with(start) ? start.size() : 0);
    }
    return std::string{key};
}

/// What stands beside the register.
Truth written_truth() {
    std::ifstream file{FOOTFALL_DATA_DIR "/identity-chadwick/truth.json"};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    const auto document = boost::json::parse(text);
    Truth truth;
    for (const auto& [key, of] : document.at("identifier_systems").as_object()) {
        truth.sizes[system_of(key)] = of.at("rows_with_value").to_number<std::uint64_t>();
    }
    const auto& overlaps = document.at("overlap (identities that carry both)").as_object();
    for (const auto& [keys, count] : overlaps) {
        const std::string_view both = keys;
        const auto middle = both.find(" & ");
        std::string one = system_of(both.substr(0, middle));
        std::string other = system_of(both.substr(middle + 3));
        if (other < one) {
            std::swap(one, other);
        }
        truth.overlaps[{one, other}] = count.to_number<std::uint64_t>();
    }
    return truth;
}

class SegmentsTruth : public SegmentsServer {
protected:
    /// Who has one id is known by nothing else, and so is in no profile.
    void match_all(const std::vector<Person>& people) {
        std::string lines;
        std::size_t waiting = 0;
        const auto send = [&] {
            EXPECT_EQ(match_lines(lines).size(), waiting);
            lines.clear();
            waiting = 0;
        };
        for (const Person& person : people) {
            if (person.size() == 1) {
                continue;
            }
            lines += R"({"ids":[)";
            for (const identities::Id& each : person) {
                lines += (lines.ends_with('[') ? "" : ",") + as_json(each);
            }
            lines += "]}\n";
            if (++waiting == matches_at_once) {
                send();
            }
        }
        send();
    }

    void fill_segments(const std::vector<Person>& people) {
        std::map<std::string, std::string> lines;
        std::map<std::string, std::size_t> waiting;
        const auto send = [&](const std::string& system) {
            const auto answer = add(system, lines[system]);
            EXPECT_EQ(answer.at("accepted").to_number<std::size_t>(), waiting[system]);
            lines[system].clear();
            waiting[system] = 0;
        };
        for (const Person& person : people) {
            for (const identities::Id& each : person) {
                lines[each.identifier] += as_json(each) + "\n";
                if (++waiting[each.identifier] == members_at_once) {
                    send(each.identifier);
                }
            }
        }
        for (const auto& [system, rest] : waiting) {
            send(system);
        }
    }

    /// Asks until the sizes are those of the truth, which they are a moment later.
    boost::json::object overlaps(const Truth& truth) {
        std::string question;
        std::string sizes;
        for (const auto& [system, size] : truth.sizes) {
            question += fmt::format(R"({}"{}")", question.empty() ? "" : ",", system);
            sizes += fmt::format(R"({}"{}":{})", sizes.empty() ? "" : ",", system, size);
        }
        std::string last;
        EXPECT_TRUE(eventually(
            [&] {
                last = api_.send(
                               http_server::Method::post,
                               "/api/v1/segments/overlap",
                               R"({"segments":[)" + question + "]}"
                )
                           .body;
                return last.contains(R"({"sizes":{)" + sizes + "}");
            },
            std::chrono::minutes{identities::chadwick_is_whole() ? 30 : 2},
            std::chrono::milliseconds{100}
        )) << "not "
           << sizes << ": " << last.substr(0, 500);
        return parse_object(last);
    }

    void expect_people(const std::string& query, std::uint64_t people) {
        EXPECT_EQ(people_in(ask_count(query).body), people) << query;
    }

private:
    static std::string as_json(const identities::Id& id) {
        return fmt::format(
            R"({{"identifier":"{}","id_name":"{}","id_value":"{}"}})",
            id.identifier,
            id.id_name,
            id.id_value
        );
    }
};

TEST_F(SegmentsTruth, each_two_systems_share_who_has_an_id_in_both) {
    const bool is_whole = identities::chadwick_is_whole();
    const auto people = identities::read_chadwick(is_whole ? identities::chadwick_files : 1);
    const Truth truth = counted_one_by_one(people);
    ASSERT_GE(truth.sizes.size(), is_whole ? 10 : 9);
    if (is_whole) {
        const Truth written = written_truth();
        EXPECT_EQ(truth.sizes, written.sizes);
        EXPECT_EQ(truth.overlaps, written.overlaps);
    }
    // Profiles come before some members and behind others.
    const std::size_t half = people.size() / 2;
    const std::vector<Person> first(people.begin(), people.begin() + static_cast<long>(half));
    const std::vector<Person> second(people.begin() + static_cast<long>(half), people.end());
    match_all(first);
    fill_segments(people);
    match_all(second);
    const auto answer = overlaps(truth);
    std::set<Pair> seen;
    for (const auto& each : answer.at("overlap").as_array()) {
        const std::string one{each.at("segments").at(0).as_string()};
        const std::string other{each.at("segments").at(1).as_string()};
        const auto expected = truth.overlaps.find({one, other});
        EXPECT_EQ(
            each.at("count").to_number<std::uint64_t>(),
            expected == truth.overlaps.end() ? 0 : expected->second
        ) << one
          << " and " << other;
        EXPECT_TRUE(each.at("exact").as_bool());
        EXPECT_TRUE(seen.emplace(one, other).second);
    }
    EXPECT_EQ(seen.size(), truth.sizes.size() * (truth.sizes.size() - 1) / 2);
    std::uint64_t any = 0;
    std::uint64_t all = 0;
    for (const Person& person : people) {
        std::set<std::string> systems;
        for (const identities::Id& each : person) {
            systems.insert(each.identifier);
        }
        const std::uint64_t of_three =
            systems.contains("mlbam") + systems.contains("retro") + systems.contains("bbref");
        any += of_three > 0 ? 1 : 0;
        all += of_three == 3 && systems.contains("fangraphs") ? 1 : 0;
    }
    expect_people(R"({"any":["mlbam","retro","bbref"]})", any);
    expect_people(R"({"all":["mlbam","retro","bbref","fangraphs"]})", all);
    expect_people(
        R"({"all":["mlbam"],"none":["retro"]})",
        truth.sizes.at("mlbam") - truth.overlaps.at({"mlbam", "retro"})
    );
    fmt::print(
        "{} people, {} pairs of {} systems are the truth\n",
        people.size(),
        seen.size(),
        truth.sizes.size()
    );
}

}  // namespace
}  // namespace footfall
