// Events that are kept a minute, on a real cluster (./test cluster): they leave Kafka, what was
// counted of them stays, whoever counts is killed meanwhile.

#include "foundation_testing/temporary_directory.h"
#include "kafka_client.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/run_command.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using testing::HasSubstr;

constexpr int objects = 40;

class RetentionOnKafka : public testing::Test {
protected:
    /// Events may not be kept shorter than the rules look back.
    std::string written_rules() const {
        std::string path = directory_ / "rules.toml";
        std::ofstream{path} << "[[rule]]\nname = \"again\"\nkind = \"repeat\"\nwindow = \"1s\"\n";
        return path;
    }

    FootfallProcess start(const std::string& roles, const std::string& name) {
        return FootfallProcess{
            directory_ / "data",
            {"--roles", roles, "--instance", name, "--rules", rules_, "--keep-events", "1m"}
        };
    }

    static std::string name_of(int object) { return fmt::format("post-{}", object); }

    /// Views of each object, by another person each time; each with an id of its own.
    void see_all(int views) {
        std::string lines;
        for (int at = 0; at < views * objects; ++at) {
            lines += fmt::format(
                R"({{"id":"e{0}","action":"view","object":"{1}","actor":"u{0}"}})"
                "\n",
                ++sent_,
                name_of(at % objects)
            );
        }
        const auto answer = api_.send(http_server::Method::post, "/api/v1/events", lines);
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    bool all_counted() {
        return std::ranges::all_of(std::views::iota(0, objects), [&](int object) {
            return number(object, "events") == sent_ / objects &&
                   number(object, "people") == sent_ / objects;
        });
    }

    int number(int object, const char* of) {
        const boost::json::object views = api_.views(name_of(object));
        return views.contains(of) ? views.at(of).to_number<int>() : 0;
    }

    /// Of the topic, where each lane begins that ever had an event: the others have the rules in
    /// force alone, their first record.
    std::map<int, long> begins() {
        const std::vector<std::string> words = store_words(directory_ / "data");
        const std::string topic = *(std::ranges::find(words, "--kafka-prefix") + 1) + "judged";
        std::map<int, long> begins;
        std::map<int, long> lasts;
        for (const PlainRecord& record : read_all_of(topic, 1'000'000)) {
            const auto [found, is_first] = begins.try_emplace(record.partition, record.offset);
            found->second = std::min(found->second, record.offset);
            lasts[record.partition] = std::max(lasts[record.partition], record.offset);
        }
        std::erase_if(begins, [&](const auto& each) { return lasts[each.first] == 0; });
        return begins;
    }

    void expect_verified() {
        std::vector<std::string> words{"verify", "views"};
        const auto place = place_words(directory_ / "data");
        words.insert(words.end(), place.begin(), place.end());
        const CommandResult verified = run_footfall(std::move(words));
        EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
        EXPECT_THAT(verified.last_line(), HasSubstr(": 0 differences"));
    }

    static std::uint64_t gone(const FootfallProcess& process) {
        return Api{process}.metric("footfall_events_expired_total");
    }

    TemporaryDirectory directory_;
    const std::string rules_ = written_rules();
    FootfallProcess answering_ = start("collect,guard,query", "answers");
    Api api_{answering_};
    int sent_ = 0;
};

TEST_F(RetentionOnKafka, events_go_and_counts_stay_whoever_counts_is_killed) {
    std::optional<FootfallProcess> counting{start("project", "counts")};
    see_all(100);
    ASSERT_TRUE(eventually([&] { return all_counted(); }, 60s));
    see_all(1);
    ASSERT_TRUE(eventually([&] { return gone(*counting) > 0; }, 90s));
    counting->kill();
    expect_verified();
    counting.emplace(start("project", "counts-then"));
    see_all(1);
    ASSERT_TRUE(eventually([&] { return all_counted(); }, 60s));
    EXPECT_EQ(gone(answering_), 0U);

    const auto all_begin_later = [&] {
        const std::map<int, long> found = begins();
        return std::ranges::all_of(found, [](const auto& each) { return each.second >= 100; });
    };
    ASSERT_TRUE(eventually(all_begin_later, 120s));
    EXPECT_TRUE(all_counted()) << "what was counted stays";
    expect_verified();

    // An id that comes again after its event went is a new event.
    const auto again = api_.send(
        http_server::Method::post,
        "/api/v1/events",
        R"({"id":"e1","action":"view","object":"post-0","actor":"new"})"
    );
    ASSERT_EQ(again.status, 200) << again.body;
    EXPECT_THAT(again.body, HasSubstr(R"("duplicates":0)"));
    EXPECT_TRUE(eventually([&] { return number(0, "events") == sent_ / objects + 1; }, 30s));
    expect_verified();
}

}  // namespace
}  // namespace footfall
