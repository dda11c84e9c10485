#include "events/event_json_write.h"

#include "events/event_json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace footfall::events {
namespace {

constexpr Instant written_arrival =
    std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + std::chrono::hours{12};

std::string json_of(const Event& event, ArrivalTime arrival_time = ArrivalTime::written) {
    std::string json;
    append_event_json(event, json, arrival_time);
    return json;
}

/// What EventReader makes of it.
Event read_back(const std::string& json) {
    auto reader = EventReader::open(json, EventForm::json, written_arrival);
    const ReadEvents read = reader->next(2);
    EXPECT_EQ(read.rejected.size(), 0U) << json;
    EXPECT_EQ(read.good.size(), 1U) << json;
    return read.good.empty() ? Event{} : read.good[0];
}

Event documented_event() {
    return {
        .id = "e-1",
        .time = written_arrival - std::chrono::hours{2},
        .action = "view",
        .object = "post-1",
        .actor = "u1",
        .address = "192.0.2.7",
        .agent = "Mozilla",
        .referrer = "https://a.example",
        .amount = 5'000,
        .currency = "USD",
        .reseller = "r",
        .ad = "a",
        .publisher = "p",
        .identifiers = {{"www", "id", "w111"}, {"app", "device", "d1"}},
        .attributes = R"({"colour":"red","n":[1,2.5]})"
    };
}

TEST(EventJsonWrite, writes_every_field_in_the_documented_order) {
    EXPECT_EQ(
        json_of(documented_event()),
        R"({"id":"e-1","time":"2026-11-21T10:00:00Z","action":"view","object":"post-1",)"
        R"("actor":"u1","address":"192.0.2.7","agent":"Mozilla","referrer":"https://a.example",)"
        R"("amount":"0.005","currency":"USD","reseller":"r","ad":"a","publisher":"p",)"
        R"("identifiers":[{"identifier":"www","id_name":"id","id_value":"w111"},)"
        R"({"identifier":"app","id_name":"device","id_value":"d1"}],)"
        R"("attributes":{"colour":"red","n":[1,2.5]}})"
    );
}

TEST(EventJsonWrite, leaves_out_what_is_absent) {
    const Event event{
        .id = "",
        .time = written_arrival,
        .time_given = false,
        .action = "view",
        .object = "a",
        .actor = "",
    };
    EXPECT_EQ(json_of(event), R"({"time":"2026-11-21T12:00:00Z","action":"view","object":"a"})");
    EXPECT_EQ(json_of(event, ArrivalTime::left_out), R"({"action":"view","object":"a"})");
}

TEST(EventJsonWrite, what_is_written_reads_as_the_same_event) {
    Event event = documented_event();
    EXPECT_EQ(read_back(json_of(event)), event);
    event.object = "a \"quoted\" \\ caf\xc3\xa9";
    event.time += std::chrono::microseconds{1'234};
    event.amount = -3'100'000;
    event.identifiers.clear();
    EXPECT_EQ(read_back(json_of(event, ArrivalTime::left_out)), event);
    const Event bare{
        .id = "", .time = written_arrival, .time_given = false, .action = "view", .object = "a"
    };
    EXPECT_EQ(read_back(json_of(bare, ArrivalTime::left_out)), bare);
}

}  // namespace
}  // namespace footfall::events
