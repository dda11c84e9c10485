#include "intake/ingress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

constexpr journal::LogId test_log_id = 0x00ab'cdef'0123'4567;
constexpr Instant written{std::chrono::seconds{1'790'000'000}};
constexpr Instant arrived{std::chrono::seconds{1'790'000'100}};

journal::SharedRecord record(std::string value) {
    return {.lane = 3, .offset = 42, .time = written, .key = {}, .value = std::move(value)};
}

TEST(ReadForeign, a_record_is_an_event_as_the_api_reads_it) {
    const auto event = read_foreign(
        record(R"( {"id":"a-1","time":"2026-11-21T10:00:00Z","action":"view","object":"post-1"} )"),
        test_log_id,
        arrived
    );
    ASSERT_TRUE(event);
    EXPECT_EQ(event->id, "a-1");
    EXPECT_TRUE(event->time_given);
    EXPECT_EQ(event->action, "view");
    EXPECT_EQ(event->object, "post-1");
}

TEST(ReadForeign, without_an_id_it_is_named_by_its_place_and_without_a_time_it_has_the_records) {
    const auto record_here = record(R"({"action":"view","object":"post-1"})");
    const auto event = read_foreign(record_here, test_log_id, arrived);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->id, "ingress-00abcdef01234567-3-42-1790000000000000");
    EXPECT_EQ(event->time, written);
    EXPECT_FALSE(event->time_given);
    const auto again = read_foreign(record_here, test_log_id, arrived + std::chrono::hours{1});
    EXPECT_EQ(*again, *event) << "however often it is read";
    auto next_record = record_here;
    ++next_record.offset;
    EXPECT_NE(read_foreign(next_record, test_log_id, arrived)->id, event->id);
    auto timeless = record_here;
    timeless.time.reset();
    EXPECT_EQ(read_foreign(timeless, test_log_id, arrived)->time, arrived);
}

TEST(ReadForeign, an_envelope_is_read_where_its_content_type_says_so) {
    auto envelope =
        record(R"({"specversion":"1.0","id":"7","source":"/shop","type":"org.example.click",)"
               R"("subject":"post-1","data":{"actor":"u1"}})");
    envelope.content_type = "application/cloudevents+json; charset=UTF-8";
    const auto event = read_foreign(envelope, test_log_id, arrived);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->action, "click");
    EXPECT_EQ(event->object, "post-1");
    EXPECT_EQ(event->actor, "u1");
    envelope.is_binary_cloudevent = true;
    EXPECT_FALSE(read_foreign(envelope, test_log_id, arrived));
}

/// Whatever stands in it: it could not be kept where people look for what was rejected.
TEST(ReadForeign, a_record_that_is_too_large_says_so) {
    const std::string begin = R"({"action":"view","object":"post-1","note":")";
    for (const std::string& end : {std::string{R"("})"}, std::string{"no JSON"}}) {
        std::string text = begin;
        text.append(2 << 20, 'x').append(end);
        const auto event = read_foreign(record(text), test_log_id, arrived);
        ASSERT_FALSE(event);
        EXPECT_EQ(event.error().type, "/problems/body-too-large");
        EXPECT_TRUE(event.error().detail.starts_with("the record is too large: "))
            << event.error().detail;
    }
    EXPECT_TRUE(
        read_foreign(record(begin + std::string(1 << 20, 'x') + R"("})"), test_log_id, arrived)
    );
}

TEST(ReadForeign, a_read_that_names_its_actor_is_rejected_and_not_told_again) {
    const auto read = read_foreign(
        record(R"({"action":"read","object":"https://news.example/","actor":"ann"})"),
        test_log_id,
        arrived
    );
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().field, "action");
    EXPECT_EQ(read.error().left_out, "it says who read what");
    EXPECT_TRUE(read.error().says_who_read);
    EXPECT_TRUE(read_foreign(
        record(R"({"action":"read","object":"https://news.example/"})"), test_log_id, arrived
    ));
}

TEST(ReadForeign, a_read_that_names_its_actor_is_taken_where_that_is_wanted) {
    const auto read = read_foreign(
        record(R"({"action":"read","object":"https://news.example/","actor":"ann"})"),
        test_log_id,
        arrived,
        ForeignReads::taken
    );
    ASSERT_TRUE(read);
    EXPECT_EQ(read->actor, "ann");
}

TEST(ReadForeign, what_is_no_event_is_rejected_with_the_reason) {
    struct Case {
        std::string value;
        std::string field;
        std::string detail;
    };

    const std::vector<Case> cases{
        {"", "", "a record is one event: a JSON object"},
        {"  \n", "", "a record is one event: a JSON object"},
        {R"([{"action":"view","object":"a"}])", "", "a record is one event: a JSON object"},
        {R"({"action":"view"})", "object", "object is missing: what it was done to"},
    };
    for (const Case& each : cases) {
        const auto event = read_foreign(record(each.value), test_log_id, arrived);
        ASSERT_FALSE(event) << each.value;
        EXPECT_EQ(event.error().type, "/problems/invalid-input");
        EXPECT_EQ(event.error().field, each.field);
        EXPECT_EQ(event.error().detail, each.detail);
    }
    for (const std::string broken :
         {"{", "{}{}", "{\"action\":\"view\",\"object\":\"a\"} x", "{\xff}"}) {
        const auto event = read_foreign(record(broken), test_log_id, arrived);
        ASSERT_FALSE(event) << broken;
        EXPECT_NE(event.error().detail, "");
    }
}

}  // namespace
}  // namespace footfall::intake
