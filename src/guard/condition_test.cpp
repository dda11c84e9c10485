#include "guard/condition.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace footfall::guard {
namespace {

using namespace std::chrono_literals;
using events::Event;
using testing::HasSubstr;

Event sold_click() {
    return {
        .id = "e-1",
        .time = Instant{10h},
        .action = "click",
        .object = "post-1",
        .actor = "Anna",
        .referrer = "https://example.org/list?page=2",
        .amount = 12'500'000,
        .attributes = R"({"colour":"red","size":{"cm":[10,20.5]},"new":true,"none":null,"n":-3})"
    };
}

std::string condition_fault(const std::string& source) {
    const auto condition = Condition::compile(source);
    EXPECT_TRUE(condition || condition.error().kind == ErrorKind::invalid_input);
    return condition ? "" : condition.error().message;
}

bool holds_of(const std::string& source, const Event& event) {
    const auto condition = Condition::compile(source);
    EXPECT_TRUE(condition) << source << ": " << condition.error().message;
    const bool holds =
        condition && condition->holds(event, event.time + 90s, events::Door::trusted_door);
    EXPECT_EQ(condition->failures(), 0U) << condition->last_failure();
    return holds;
}

TEST(Condition, sees_the_fields_of_the_event) {
    for (const char* source :
         {"action == 'click'",
          "amount == 12.5 and has_amount",
          "publisher == '' and not (ad ~= '')",
          "actor ~= object",
          "time == 36000 and seconds_late == 90 and door == 'trusted'",
          "attributes.colour == 'red' and attributes.size.cm[2] == 20.5",
          "attributes.new and attributes.none == nil and attributes.n == -3",
          "starts_with(referrer, 'https://example.org/') and ends_with(referrer, '=2')",
          "contains(referrer, 'list') and lower(actor) == 'anna'",
          "matches(referrer, '[?&]page=[0-9]+$') and not matches(referrer, '^list')",
          "#object == 6 -- letters",
          "(function() for i = 1, 3 do if i == 2 then return true end end end)()"}) {
        EXPECT_TRUE(holds_of(source, sold_click())) << source;
    }
    for (const char* source :
         {"action == 'view'", "amount > 12.5", "nil", "attributes.nothing", "has_amount == 1"}) {
        EXPECT_FALSE(holds_of(source, sold_click())) << source;
    }
    EXPECT_TRUE(holds_of("amount == 0 and not has_amount and attributes.a == nil", {}));
}

TEST(Condition, that_is_wrong_is_refused_with_its_line) {
    EXPECT_THAT(condition_fault("action =="), HasSubstr("when:2: unexpected symbol near ')'"));
    EXPECT_THAT(condition_fault("action == 'a'\nand and ad == ''"), HasSubstr("when:2: unexpect"));
    EXPECT_THAT(
        condition_fault("colour == 'red'"), HasSubstr("there is nothing called \"colour\"")
    );
    EXPECT_THAT(condition_fault("amount > '3'"), HasSubstr("attempt to compare"));
    EXPECT_THAT(condition_fault("matches(object, '(')"), HasSubstr("( is no regular expression"));
    EXPECT_THAT(condition_fault("os.exit()"), HasSubstr("there is nothing called \"os\""));
    EXPECT_THAT(condition_fault("starts_with(object)"), HasSubstr("string expected, got no value"));
    EXPECT_THAT(condition_fault("object:rep(9)"), HasSubstr("attempt to index a string value"));
    EXPECT_THAT(condition_fault("\x1bLua"), HasSubstr("when:1:"));
}

TEST(Condition, that_never_ends_is_ended) {
    EXPECT_THAT(
        condition_fault("(function() while true do end end)()"),
        HasSubstr("it takes more than 10000 steps")
    );
    const auto condition =
        Condition::compile("actor == 'u2' and (function() while true do end end)()");
    ASSERT_TRUE(condition) << condition.error().message;
    Event event = sold_click();
    event.actor = "u2";
    for (std::uint64_t time = 1; time <= 3; ++time) {
        EXPECT_FALSE(condition->holds(event, event.time, events::Door::trusted_door));
        EXPECT_EQ(condition->failures(), time);
    }
    EXPECT_THAT(condition->last_failure(), HasSubstr("it takes more than 10000 steps"));
    event.actor = "u1";
    EXPECT_FALSE(condition->holds(event, event.time, events::Door::trusted_door));
    EXPECT_EQ(condition->failures(), 3U) << "it goes on after that";
}

TEST(Condition, that_wants_much_memory_gets_none) {
    const std::string doubling =
        "(function() local s = object for i = 1, 40 do s = s .. s end return #s > 9 end)()";
    const auto condition = Condition::compile("actor == 'u2' and " + doubling);
    ASSERT_TRUE(condition) << condition.error().message;
    Event event = sold_click();
    event.actor = "u2";
    EXPECT_FALSE(condition->holds(event, event.time, events::Door::trusted_door));
    EXPECT_EQ(condition->last_failure(), "not enough memory");
    EXPECT_THAT(condition_fault(doubling), HasSubstr("not enough memory"));
    const auto letters = [](std::string_view doublings) {
        return fmt::format(
            "(function() local s = '12345678' for i = 1, {} do s = s .. s end return #s > 9 end)()",
            doublings
        );
    };
    EXPECT_EQ(condition_fault(letters("14")), "") << "128 KiB";
    EXPECT_EQ(condition_fault(letters("17")), "not enough memory") << "1 MiB";
    EXPECT_THAT(
        condition_fault("(function() local function f() return 1 + f() end return f() end)()"),
        HasSubstr("it takes more than 10000 steps")
    );
}

TEST(Condition, keeps_nothing_from_one_event_to_the_next) {
    EXPECT_THAT(
        condition_fault("(function() seen = true return false end)()"),
        HasSubstr("\"seen\" cannot be assigned to")
    );
    EXPECT_THAT(
        condition_fault("(function() matches = contains return false end)()"),
        HasSubstr("\"matches\" cannot be assigned to")
    );
    EXPECT_THAT(condition_fault("_G.x"), HasSubstr("there is nothing called \"_G\""));
    const auto condition = Condition::compile(
        "(function() attributes.seen = (attributes.seen or 0) + 1 return attributes.seen end)()"
    );
    ASSERT_TRUE(condition) << condition.error().message;
    EXPECT_FALSE(Condition::compile("attributes.colour == 'red'")->holds({}, {}, {}));
}

TEST(Condition, is_asked_by_many_threads) {
    const auto condition = Condition::compile("matches(object, 'post-[0-9]+') and amount > 12");
    ASSERT_TRUE(condition);
    std::array<int, 4> held{};
    std::array<std::jthread, 4> threads;
    for (std::size_t at = 0; at < threads.size(); ++at) {
        threads[at] = std::jthread{[&, at] {
            for (int round = 0; round < 2000; ++round) {
                held[at] += condition->holds(sold_click(), {}, events::Door::trusted_door) ? 1 : 0;
            }
        }};
    }
    for (std::jthread& thread : threads) {
        thread.join();
    }
    EXPECT_THAT(held, testing::Each(2000));
    EXPECT_EQ(condition->failures(), 0U);
}

}  // namespace
}  // namespace footfall::guard
