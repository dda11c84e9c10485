#include "events/control.h"

#include "events/source_order.h"
#include "events/verdict.h"
#include "foundation/random.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace footfall::events {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

std::string bytes_of(const Control& control) {
    std::string bytes;
    append_control(control, bytes);
    return bytes;
}

RateSaid rate() {
    return {
        .kind = PartyKind::publisher,
        .party = "daily",
        .effective = 16'039,
        .share = 300'000,
        .reason = "new contract",
        .author = "ann",
        .if_match = "7-1",
        .said = Instant{std::chrono::microseconds{1'763'719'200'000'001}},
        .id = "00ff",
        .source = 41
    };
}

MonthSealed sealed() {
    return {
        .month = 526,
        .reason = "closed",
        .author = "ann",
        .said = Instant{std::chrono::microseconds{1'763'719'200'000'001}},
        .id = "00ff",
        .source = 0
    };
}

IdentityDecided decided() {
    return {
        .kind = IdentityKind::revoke,
        .ids = {{"www", "id", "w111"}, {"shop", "customer", "7"}},
        .others = {{"www", "id", "w222"}},
        .about = "sixteen bytes...",
        .reason = "a kiosk",
        .author = "ann",
        .said = Instant{std::chrono::microseconds{1'795'890'000'000'001}},
        .id = "00ff",
        .source = 5
    };
}

IdentityGuards guards() {
    return {
        .version = 3,
        .guards = R"({"profile_ids":10})",
        .said = Instant{std::chrono::microseconds{1'795'890'000'000'001}},
        .source = 6
    };
}

ReadsToldAgain told_again() {
    return {.seal = "a seal of any bytes\0\xff"s, .source = 12};
}

ReadsMark mark() {
    return {.said = Instant{std::chrono::microseconds{1'763'719'200'000'001}}, .source = 12};
}

/// The bytes are those of the examples in docs/formats/event.md.
TEST(Control, says_in_the_log_which_rules_are_in_force) {
    const RulesInForce rules{.version = 300, .digest = "00ff"};
    const std::string bytes = bytes_of(rules);
    EXPECT_EQ(
        bytes,
        "\x7a\x0b\x0a\x09\x08\xac\x02\x12\x04"
        "00ff"
    );
    EXPECT_EQ(read_record(bytes).value(), LogRecord{rules});
    EXPECT_EQ(read_record(bytes.substr(0, bytes.size() - 1)).error().kind, ErrorKind::corrupt);
    // What a later version may say is not passed over: it may change what follows.
    EXPECT_EQ(read_record("\x7a\x02\x7a\x00"sv).error().kind, ErrorKind::corrupt);
}

TEST(Control, has_the_bytes_that_its_format_says) {
    EXPECT_EQ(
        bytes_of(rate()),
        "\x7a\x3c\x12\x3a\x08\x01\x12\x05"
        "daily\x18\xce\xfa\x01\x20\xe0\xa7\x12\x2a\x0cnew contract\x32\x03"
        "ann\x3a\x03"
        "7-1\x40\x82\xa0\xb2\x86\xfc\x85\xa2\x06\x4a\x04"
        "00ff\x50\x2a"sv
    );
    EXPECT_EQ(
        bytes_of(sealed()),
        "\x7a\x23\x1a\x21\x08\x9c\x08\x12\x06"
        "closed\x1a\x03"
        "ann\x20\x82\xa0\xb2\x86\xfc\x85\xa2\x06\x2a\x04"
        "00ff\x30\x01"sv
    );
}

TEST(Control, that_came_from_outside_comes_back_from_the_log) {
    RateSaid withdrawn = rate();
    withdrawn.kind = PartyKind::reseller;
    withdrawn.share.reset();
    withdrawn.if_match.reset();
    withdrawn.source.reset();
    RateSaid nothing = rate();
    nothing.share = 0;
    nothing.if_match = "";
    nothing.effective = std::numeric_limits<std::int32_t>::min();
    MonthSealed early = sealed();
    early.month = -1;
    early.source = std::numeric_limits<std::uint64_t>::max() - 1;
    for (const Control& each : std::vector<Control>{
             rate(),
             withdrawn,
             nothing,
             RateSaid{},
             sealed(),
             early,
             told_again(),
             ReadsToldAgain{},
             mark(),
             ReadsMark{},
             decided(),
             IdentityDecided{},
             guards(),
             IdentityGuards{}
         }) {
        EXPECT_EQ(read_record(bytes_of(each)).value(), LogRecord{each});
    }
}

TEST(Control, that_is_damaged_is_said_to_be) {
    Random random{3};
    for (const Control& control :
         std::vector<Control>{rate(), sealed(), told_again(), mark(), decided(), guards()}) {
        const std::string bytes = bytes_of(control);
        for (std::size_t end = 1; end < bytes.size(); ++end) {
            EXPECT_EQ(read_record(bytes.substr(0, end)).error().kind, ErrorKind::corrupt) << end;
        }
        int refused = 0;
        for (int round = 0; round < 5000; ++round) {
            std::string damaged = bytes;
            damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
            const auto read = read_record(damaged);
            refused += read ? 0 : 1;
            EXPECT_TRUE(read || read.error().kind == ErrorKind::corrupt);
        }
        EXPECT_GT(refused, 200);
    }
    // A kind of party that there is not; a day, a share that no number of ours holds; no source.
    for (const std::string_view field :
         {"\x08\x02"sv, "\x18\x80\x80\x80\x80\x20"sv, "\x20\x80\x80\x80\x80\x10"sv, "\x50\x00"sv}) {
        const std::string length(1, static_cast<char>(field.size()));
        EXPECT_FALSE(read_control("\x12" + length + std::string{field}));
    }
}

TEST(Control, that_was_taken_from_a_log_of_events_says_where) {
    Control control = rate();
    EXPECT_EQ(source_of(control), 41U);
    set_source(control, 42);
    EXPECT_EQ(source_of(control), 42U);
    EXPECT_TRUE(is_said(control));
    EXPECT_TRUE(is_said(sealed()));
    EXPECT_TRUE(is_said(told_again()));
    EXPECT_TRUE(is_said(mark()));
    EXPECT_TRUE(is_said(decided()));
    EXPECT_FALSE(is_said(RulesInForce{}));
    EXPECT_EQ(source_of(RulesInForce{}), std::nullopt);
}

TEST(SourceOrder, knows_events_and_controls_that_stand_in_the_lane_already) {
    SourceOrder order;
    const auto repeats = [&](const LogRecord& record) { return order.repeats(record); };
    const auto event = [](std::uint64_t source) { return JudgedEvent{.source = source}; };
    EXPECT_FALSE(repeats(event(3)));
    EXPECT_FALSE(repeats(Control{MonthSealed{.source = 4}}));
    EXPECT_FALSE(repeats(Control{RulesInForce{}}));
    EXPECT_EQ(order.next(), 5U);
    EXPECT_TRUE(repeats(event(3)));
    EXPECT_TRUE(repeats(Control{MonthSealed{.source = 4}}));
    EXPECT_TRUE(repeats(event(4)));
    EXPECT_FALSE(repeats(Control{RulesInForce{}})) << "which has no source";
    EXPECT_FALSE(repeats(Control{RateSaid{.source = 7}}));
    EXPECT_EQ(order.next(), 8U);
}

}  // namespace
}  // namespace footfall::events
