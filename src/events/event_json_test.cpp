#include "events/event_json.h"

#include "events/rfc3339.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::events {
namespace {

constexpr std::string_view arrival = "2026-11-21T12:00:00Z";

Instant instant_of(std::string_view text) {
    return parse_rfc3339(text).value_or(Instant::max());
}

/// All of a body, a few events at a time.
ReadEvents read_all(std::string_view text, EventForm form = EventForm::ndjson) {
    // Nothing behind it may be read, which the sanitizer sees.
    const std::vector<char> body{text.begin(), text.end()};
    auto reader = EventReader::open({body.data(), body.size()}, form, instant_of(arrival));
    ReadEvents all;
    if (!reader) {
        all.rejected.push_back({.line = 0, .field = "", .detail = reader.error().message});
        return all;
    }
    while (!reader->done()) {
        ReadEvents some = reader->next(2);
        EXPECT_LE(some.good.size() + some.rejected.size(), 2U);
        EXPECT_EQ(some.good.size(), some.lines.size());
        std::ranges::move(some.good, std::back_inserter(all.good));
        std::ranges::move(some.lines, std::back_inserter(all.lines));
        std::ranges::move(some.rejected, std::back_inserter(all.rejected));
    }
    return all;
}

/// "LINE FIELD: DETAIL" of the one line that is rejected.
std::string refused(const std::string& line) {
    const ReadEvents read = read_all(line);
    EXPECT_EQ(read.good.size(), 0U) << line;
    return read.rejected.size() == 1 ? fmt::format(
                                           "{} {}: {}",
                                           read.rejected[0].line,
                                           read.rejected[0].field,
                                           read.rejected[0].detail
                                       )
                                     : "";
}

TEST(EventReading, says_how_many_may_be_left) {
    const auto left = [](std::string_view text, EventForm form) {
        auto reader = EventReader::open(text, form, Instant{});
        return reader ? reader->left() : std::size_t{99};
    };
    EXPECT_EQ(left("", EventForm::ndjson), 0U);
    EXPECT_EQ(left("{}\n{}\n", EventForm::ndjson), 2U);
    EXPECT_EQ(left("{}\n\n{}", EventForm::ndjson), 3U);
    EXPECT_EQ(left("[{},{},{}]", EventForm::json), 3U);
    EXPECT_EQ(left("{}", EventForm::json), 1U);
}

TEST(EventJson, takes_every_field) {
    const ReadEvents read = read_all(
        R"({"id":"e-1","time":"2026-11-21T10:00:00Z","action":"view","object":"post-1",)"
        R"("actor":"u1","address":"192.0.2.7","agent":"Mozilla","referrer":"https://a.example",)"
        R"("amount":"0.005","currency":"USD","reseller":"r","ad":"a","publisher":"p",)"
        R"("identifiers":[{"identifier":"www","id_name":"id","id_value":"w111"}],)"
        R"("attributes":{"colour": "red", "n": [1, 2.5]}})"
    );
    ASSERT_EQ(read.good.size(), 1U);
    const Event wanted{
        .id = "e-1",
        .time = instant_of("2026-11-21T10:00:00Z"),
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
        .identifiers = {{"www", "id", "w111"}},
        .attributes = R"({"colour":"red","n":[1,2.5]})"
    };
    EXPECT_EQ(read.good[0], wanted);
    EXPECT_EQ(read.lines[0], 1U);
}

TEST(EventJson, an_action_and_an_object_are_enough) {
    const ReadEvents read = read_all(R"({"action":"view","object":"a","actor":null,"own":[1]})");
    ASSERT_EQ(read.good.size(), 1U);
    EXPECT_EQ(format_rfc3339(read.good[0].time), arrival);
    EXPECT_FALSE(read.good[0].time_given);
    EXPECT_EQ(read.good[0].actor, "");
    EXPECT_EQ(read.good[0].amount, std::nullopt);
}

TEST(EventJson, a_bad_line_is_rejected_by_itself) {
    const ReadEvents read = read_all(
        "{\"action\":\"view\",\"object\":\"a\"}\r\n\n{broken\n"
        "{\"action\":\"view\"}\n  \n{\"action\":\"view\",\"object\":\"b\"}"
    );
    ASSERT_EQ(read.good.size(), 2U);
    EXPECT_EQ(read.lines[0], 1U);
    EXPECT_EQ(read.lines[1], 6U);
    ASSERT_EQ(read.rejected.size(), 2U);
    EXPECT_EQ(read.rejected[0].line, 3U);
    EXPECT_EQ(read.rejected[1].line, 4U);
    EXPECT_EQ(read.rejected[1].field, "object");
}

TEST(EventJson, says_which_field_is_wrong_and_what_it_should_be) {
    const auto with = [](std::string_view field) {
        return refused(fmt::format(R"({{"action":"view","object":"a",{}}})", field));
    };
    EXPECT_EQ(with(R"("actor":7)"), "1 actor: actor must be a string");
    EXPECT_EQ(
        with(R"("time":"2026-11-21")"),
        "1 time: time must be a time with a zone, such as \"2026-11-21T10:00:00Z\""
    );
    EXPECT_EQ(
        with(R"("time":"1969-12-31T23:59:59Z")"),
        "1 time: time must be 1970-01-01T00:00:00Z or later"
    );
    EXPECT_EQ(with(R"("time":1700000000)").substr(0, 7), "1 time:");
    EXPECT_EQ(
        with(R"("amount":0.005)"),
        "1 amount: amount must be a decimal in quotes, with at most six decimals, such as \"0.005\""
    );
    EXPECT_EQ(with(R"("identifiers":{})").substr(0, 14), "1 identifiers:");
    EXPECT_EQ(with(R"("identifiers":[7])").substr(0, 14), "1 identifiers:");
    EXPECT_EQ(with(R"("attributes":"x")"), "1 attributes: attributes must be a JSON object");
    EXPECT_EQ(with(R"("currency":"euro")").substr(0, 11), "1 currency:");
    EXPECT_EQ(refused("[]"), "1 : an event is a JSON object");
    EXPECT_EQ(refused("{} {}").substr(0, 12), "1 : no JSON:");
    EXPECT_EQ(refused("{\"action\":\"\xff\",\"object\":\"a\"}").substr(0, 12), "1 : no JSON:");
}

TEST(EventJson, a_number_that_is_too_large_is_told_as_such) {
    for (const char* number : {"123456789012345678901234567890", "1e999", "01"}) {
        const std::string line =
            fmt::format(R"({{"action":"view","object":"a","attributes":{{"n":{}}}}})", number);
        EXPECT_EQ(
            refused(line),
            "1 : no JSON: a number in it is written wrongly, or beyond 64 bits: send it as a text"
        );
    }
}

TEST(EventJson, reads_one_object_or_an_array_of_them) {
    EXPECT_EQ(read_all(R"({"action":"view","object":"a"})", EventForm::json).good.size(), 1U);
    const ReadEvents several = read_all(
        R"([{"action":"view","object":"a"}, 7, {"action":"view","object":"b"}, {"object":"c"}])",
        EventForm::json
    );
    ASSERT_EQ(several.good.size(), 2U);
    EXPECT_EQ(several.lines[1], 3U);
    EXPECT_EQ(several.good[1].object, "b");
    ASSERT_EQ(several.rejected.size(), 2U);
    EXPECT_EQ(several.rejected[0].line, 2U);
    EXPECT_EQ(several.rejected[1].line, 4U);
    EXPECT_EQ(read_all("[]", EventForm::json).good.size(), 0U);
}

TEST(EventJson, a_body_that_is_no_json_is_refused_as_a_whole) {
    for (const char* body : {"", "[{\"action\":\"view\",\"object\":\"a\"}", "{} {}", "nonsense"}) {
        const ReadEvents read = read_all(body, EventForm::json);
        EXPECT_EQ(read.good.size(), 0U) << body;
        ASSERT_EQ(read.rejected.size(), 1U) << body;
        EXPECT_TRUE(read.rejected[0].detail.starts_with("the body is no JSON")) << body;
    }
}

TEST(EventJson, reads_cloudevents) {
    const std::string envelope =
        R"({"specversion":"1.0","id":"7","source":"/shop","type":"com.example.sale",)"
        R"("subject":"book","time":"2026-11-20T10:00:00Z","data":{"actor":"u1","amount":"3"}})";
    const ReadEvents one = read_all(envelope, EventForm::cloudevent);
    ASSERT_EQ(one.good.size(), 1U);
    const Event wanted{
        .id = "/shop#7",
        .time = instant_of("2026-11-20T10:00:00Z"),
        .action = "sale",
        .object = "book",
        .actor = "u1",
        .amount = 3'000'000
    };
    EXPECT_EQ(one.good[0], wanted);
    const ReadEvents batch = read_all(
        "[" + envelope +
            R"(,{"specversion":"0.3"},{"specversion":"1.0","id":"8","source":"/shop"},)" +
            R"({"specversion":"1.0","id":"9","source":"/shop","type":"x",)" +
            R"("data":{"action":"view","object":"a"}}])",
        EventForm::cloudevents_batch
    );
    ASSERT_EQ(batch.good.size(), 2U);
    EXPECT_EQ(batch.good[1].action, "view");
    EXPECT_EQ(batch.good[1].id, "/shop#9");
    ASSERT_EQ(batch.rejected.size(), 2U);
    EXPECT_EQ(batch.rejected[0].field, "specversion");
    EXPECT_EQ(batch.rejected[1].field, "type");
    EXPECT_EQ(
        read_all("{}", EventForm::cloudevents_batch).rejected.at(0).detail,
        "a batch of CloudEvents is a JSON array"
    );
}

}  // namespace
}  // namespace footfall::events
