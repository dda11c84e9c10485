// Changes of segments as other programs read them, on a real cluster (./test cluster): by a plain
// client of librdkafka.

#include "kafka_client.h"
#include "segments_server.h"
#include "test_support/tested_store.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall {
namespace {

using namespace test_support;

class SegmentsTopic : public SegmentsServer {
protected:
    std::string topic() const {
        const std::vector<std::string> words = store_words(directory_ / "data");
        return *(std::ranges::find(words, "--kafka-prefix") + 1) + "segments.changes";
    }
};

/// kill -9 in between: by the rule of docs/segments.md a reader has each change once.
TEST_F(SegmentsTopic, has_each_change_and_tells_by_numbers_what_was_written_again) {
    restart({"--segments-topic", "on"});
    constexpr std::uint64_t rounds = 3;
    constexpr std::uint64_t of_round = 700;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        std::string lines;
        for (std::uint64_t each = 0; each < of_round; ++each) {
            lines += member_line("www:w" + std::to_string(round * of_round + each));
        }
        add("spring", lines);
        EXPECT_TRUE(eventually(
            [&] { return api_.metric("footfall_segments_published_total") > 0; },
            std::chrono::seconds{60}
        ));
        server_.kill();
        server_.restart();
    }
    expect_size("spring", rounds * of_round);
    const std::vector<PlainRecord> records = read_all_of(topic(), 2 * rounds * of_round);
    std::uint64_t last = 0;
    for (const PlainRecord& each : records) {
        EXPECT_EQ(each.key, "spring");
        EXPECT_EQ(each.partition, records.front().partition);
        const boost::json::object change = parse_object(each.value);
        EXPECT_EQ(each.headers.at("footfall-change"), std::string{change.at("id").as_string()});
        const auto number = change.at("number").to_number<std::uint64_t>();
        EXPECT_LE(number, last + 1);
        last = std::max(last, number);
    }
    EXPECT_EQ(last, rounds * of_round);
}

}  // namespace
}  // namespace footfall
