#include "cli/event_time.h"

#include "events/rfc3339.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::cli {
namespace {

/// The time as RFC 3339, "none", or "!reason" of a format that is none.
std::string time_in(
    std::string_view format, std::string_view text, const std::string& zone = "UTC"
) {
    const auto parsed = EventTimeFormat::parse(format, zone);
    if (!parsed) {
        EXPECT_EQ(parsed.error().kind, ErrorKind::invalid_input);
        return "!" + parsed.error().message;
    }
    const auto time = parsed->read(text);
    return time ? events::format_rfc3339(*time) : "none";
}

TEST(EventTime, auto_knows_the_usual_forms) {
    const struct {
        std::string_view text;
        std::string_view time;
    } cases[] = {
        {"2026-11-21T10:00:00+01:00", "2026-11-21T09:00:00Z"},
        {"2026-11-21 10:00:00.25Z", "2026-11-21T10:00:00.250Z"},
        {"2026-11-21T10:00:00.5", "2026-11-21T10:00:00.500Z"},
        {"2026-11-21 10:00:07", "2026-11-21T10:00:07Z"},
        {"2006-04-07 17:08", "2006-04-07T17:08:00Z"},
        {"2026-11-21", "2026-11-21T00:00:00Z"},
        {"17/May/2015:10:05:03 +0000", "2015-05-17T10:05:03Z"},
        {"01/Dec/2015:00:30:00 -0230", "2015-12-01T03:00:00Z"},
        {"807256800", "1995-08-01T06:00:00Z"},
        {"1700000000.123", "2023-11-14T22:13:20.123Z"},
        {"1700000000.1234567", "2023-11-14T22:13:20.123456Z"},
        {"1700000000123", "2023-11-14T22:13:20.123Z"},
        {"1700000000123456", "2023-11-14T22:13:20.123456Z"},
    };

    for (const auto& [text, time] : cases) {
        EXPECT_EQ(time_in("auto", text), time) << text;
    }
}

TEST(EventTime, auto_takes_nothing_that_may_mean_something_else) {
    for (const char* text :
         {"",
          "20261121",
          "12345678",
          "yesterday",
          "2026-13-01",
          "2026-11-21T10",
          "17/Mai/2015:10:05:03 +0000",
          "17/anF/2015:10:05:03 +0000",
          "17-May-2015:10:05:03 +0000",
          "99/May/2015:10:05:03 +0000",
          "1700000000.",
          "1700000000.x",
          "1700000000.1234567x",
          "-1700000000",
          "1700000000123456789",
          "1969-12-31T23:59:59Z"}) {
        EXPECT_EQ(time_in("auto", text), "none") << text;
    }
}

TEST(EventTime, what_has_no_zone_is_of_the_zone_asked_for) {
    EXPECT_EQ(time_in("auto", "2006-04-07 17:08", "Europe/Berlin"), "2006-04-07T15:08:00Z");
    EXPECT_EQ(
        time_in("auto", "2006-01-07 17:08:00.5", "Europe/Berlin"), "2006-01-07T16:08:00.500Z"
    );
    EXPECT_EQ(time_in("auto", "2006-01-07 17:08Z", "Europe/Berlin"), "none");
    EXPECT_EQ(time_in("auto", "2006-01-07T17:08:00Z", "Europe/Berlin"), "2006-01-07T17:08:00Z");
    EXPECT_EQ(time_in("auto", "807256800", "Europe/Berlin"), "1995-08-01T06:00:00Z");
    // Put back at three: there are two of 02:30. Put forward at two: there is none.
    EXPECT_EQ(time_in("auto", "2026-10-25 02:30", "Europe/Berlin"), "2026-10-25T00:30:00Z");
    EXPECT_EQ(time_in("auto", "2026-03-29 02:30", "Europe/Berlin"), "2026-03-29T01:00:00Z");
    EXPECT_EQ(time_in("auto", "1970-01-01 00:30", "Europe/Berlin"), "none");
    EXPECT_EQ(
        time_in("auto", "", "Berlin"),
        "!--zone Berlin: there is no such time zone; one is Europe/Berlin"
    );
}

TEST(EventTime, unix_times_may_be_short_when_asked_for) {
    EXPECT_EQ(time_in("unix", "0"), "1970-01-01T00:00:00Z");
    EXPECT_EQ(time_in("unix", "12.5"), "1970-01-01T00:00:12.500Z");
    EXPECT_EQ(time_in("unix", "253402300799"), "9999-12-31T23:59:59Z");
    EXPECT_EQ(time_in("unix", "253402300800"), "none");
    EXPECT_EQ(time_in("unix", "18446744073709551615"), "none");
    EXPECT_EQ(time_in("unix", "2026-11-21"), "none");
    EXPECT_EQ(time_in("unix_ms", "1500"), "1970-01-01T00:00:01.500Z");
    EXPECT_EQ(time_in("unix_ms", "15.5"), "none");
}

TEST(EventTime, patterns_are_those_of_strptime) {
    EXPECT_EQ(time_in("%d.%m.%Y %H:%M", "21.11.2026 10:05"), "2026-11-21T10:05:00Z");
    EXPECT_EQ(
        time_in("%d.%m.%Y %H:%M", "21.11.2026 10:05", "America/New_York"), "2026-11-21T15:05:00Z"
    );
    EXPECT_EQ(time_in("%E4Y%m%d%H%M%E*S", "20261121100501.5"), "2026-11-21T10:05:01.500Z");
    EXPECT_EQ(
        time_in("%d/%b/%Y %H:%M:%S %z", "01/Feb/2026 10:00:00 +0200"), "2026-02-01T08:00:00Z"
    );
    EXPECT_EQ(time_in("%d.%m.%Y %H:%M", "21.11.2026"), "none");
    EXPECT_EQ(time_in("%d.%m.%Y", "21.11.1969"), "none");
    EXPECT_EQ(time_in("%d.%m.%Y", "21.11.20261"), "none");
    EXPECT_EQ(
        time_in("seconds", ""),
        "!--time-format seconds: choose auto, unix, unix_ms, or a pattern such as '%d.%m.%Y %H:%M'"
    );
}

TEST(EventTime, says_what_it_wants) {
    const auto wanted = [](std::string_view format) {
        return EventTimeFormat::parse(format, "UTC").value().wanted("");
    };
    EXPECT_NE(wanted("auto"), wanted("unix"));
    EXPECT_NE(wanted("unix"), wanted("unix_ms"));
    EXPECT_EQ(wanted("%H"), "must be a time as in --time-format '%H'");
}

TEST(EventTime, says_that_a_time_is_before_1970) {
    const auto wanted = [](std::string_view format, std::string_view text) {
        const auto reader = EventTimeFormat::parse(format, "Europe/Berlin").value();
        EXPECT_FALSE(reader.read(text)) << text;
        return reader.wanted(text);
    };
    constexpr std::string_view later = "must be 1970-01-01T00:00:00Z or later";
    EXPECT_EQ(wanted("auto", "1969-12-31T23:59:59Z"), later);
    EXPECT_EQ(wanted("auto", "1970-01-01 00:30"), later);
    EXPECT_EQ(wanted("auto", "21/Nov/1926:10:00:00 +0100"), later);
    EXPECT_EQ(wanted("%d.%m.%Y", "21.11.1926"), later);
}

}  // namespace
}  // namespace footfall::cli
