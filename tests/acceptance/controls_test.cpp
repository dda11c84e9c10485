// Controls in the log of events, on a real cluster (./test cluster): what a guard passes on of them
// into the judged log, read by a plain client of librdkafka.

#include "events/control.h"
#include "events/source_order.h"
#include "events/verdict.h"
#include "foundation_testing/temporary_directory.h"
#include "kafka_client.h"
#include "test_support/api.h"
#include "test_support/eventually.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace footfall {
namespace {

using namespace test_support;

class ControlsOnKafka : public testing::Test {
protected:
    using Controls = std::map<std::pair<int, std::uint64_t>, events::Control>;

    std::string topic(const std::string& name) const {
        const std::vector<std::string> words = store_words(directory_ / "data");
        return *(std::ranges::find(words, "--kafka-prefix") + 1) + name;
    }

    /// As the collector of a process does: these bytes are all that a guard sees.
    void say(const std::string& id) {
        std::string record;
        events::append_control(events::RateSaid{.party = "daily", .share = 1, .id = id}, record);
        PlainProducer producer;
        producer.send(topic("events"), "daily", record);
        producer.flush();
    }

    void post_views(int round) {
        std::string lines;
        for (int at = 0; at < 500; ++at) {
            lines += fmt::format(
                R"({{"action":"view","object":"o{}","actor":"u{}-{}"}})"
                "\n",
                at,
                round,
                at
            );
        }
        Api{server_}.post_events(lines);
    }

    /// What the log of events says, with its place there.
    Controls said() {
        Controls all;
        for (const PlainRecord& each : read_all_of(topic("events"), without_end)) {
            events::LogRecord record = must(events::read_record(each.value));
            if (auto* const control = std::get_if<events::Control>(&record)) {
                const auto source = static_cast<std::uint64_t>(each.offset);
                events::set_source(*control, source);
                all.emplace(std::pair{each.partition, source}, *control);
            }
        }
        return all;
    }

    /// What the judged log says of it, without what stands there twice.
    Controls passed_on() {
        Controls all;
        std::map<int, events::SourceOrder> orders;
        for (const PlainRecord& each : read_all_of(topic("judged"), without_end)) {
            const events::LogRecord record = must(events::read_record(each.value));
            const auto* const control = std::get_if<events::Control>(&record);
            if (orders[each.partition].repeats(record) || control == nullptr) {
                continue;
            }
            if (const auto source = events::source_of(*control)) {
                EXPECT_TRUE(all.emplace(std::pair{each.partition, *source}, *control).second);
            }
        }
        return all;
    }

    static constexpr std::size_t without_end = 1'000'000;

    TemporaryDirectory directory_;
    FootfallProcess server_{directory_ / "data"};
};

/// kill -9 at any moment.
TEST_F(ControlsOnKafka, are_passed_on_once_when_the_guard_dies) {
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
        post_views(round);
        say(fmt::format("{} first", round));
        say(fmt::format("{} second", round));
        server_.kill();
        server_.restart();
    }
    post_views(rounds);
    Controls passed;
    EXPECT_TRUE(eventually([&] {
        passed = passed_on();
        return passed.size() == std::size_t{2} * rounds;
    }));
    EXPECT_EQ(passed, said());
    Api api{server_};
    EXPECT_TRUE(eventually([&] { return api.views("o7").at("events") == rounds + 1; }))
        << "and events behind them are counted";
}

}  // namespace
}  // namespace footfall
