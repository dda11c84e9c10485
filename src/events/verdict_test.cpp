#include "events/verdict.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <string>

namespace footfall::events {
namespace {

JudgedEvent refused_event() {
    return {
        .event = {.id = "e-1", .action = "view", .object = "post-1", .actor = "u1"},
        .arrival = Instant{std::chrono::microseconds{1'763'719'200'000'001}},
        .verdict =
            {.rules_version = 7,
             .refusal =
                 Objection{
                     .reason = "repeat_fast",
                     .rule = "repeat_fast",
                     .evidence = {{"seconds", "12"}, {"event", ""}}
                 },
             .shadow = {{.reason = "rate", .rule = "rate-per-address", .evidence = {}}}},
        .door = Door::public_door,
        .machine_sign = "prefetch"
    };
}

std::string bytes_of(const JudgedEvent& judged) {
    std::string bytes;
    append_judged(judged, bytes);
    return bytes;
}

TEST(Verdict, comes_back_from_the_log_with_its_event) {
    const JudgedEvent refused = refused_event();
    EXPECT_FALSE(refused.verdict.counted());
    EXPECT_EQ(read_record(bytes_of(refused)).value(), LogRecord{refused});
    JudgedEvent counted = refused;
    counted.verdict = {.rules_version = 8, .remarks = {{"shared", "away"}, {"x", ""}}};
    counted.door = Door::trusted_door;
    counted.source = 0;
    EXPECT_TRUE(counted.verdict.counted());
    EXPECT_EQ(read_record(bytes_of(counted)).value(), LogRecord{counted});
}

TEST(Verdict, that_is_damaged_is_said_to_be) {
    EXPECT_EQ(read_record("").error().message, "a record in the log has no event");
    const std::string bytes = bytes_of(refused_event());
    Random random{3};
    int refused = 0;
    for (int round = 0; round < 5000; ++round) {
        std::string damaged = bytes;
        damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
        const auto read = read_record(damaged);
        refused += read ? 0 : 1;
        EXPECT_TRUE(read || read.error().kind == ErrorKind::corrupt);
    }
    EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace footfall::events
