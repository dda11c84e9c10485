// Any text as a rule file, its conditions included. Properties: it is refused as wrong input or
// every rule of it can be described, and judging with it ends, is the same twice, and explains
// itself.
#include "foundation/check.h"
#include "guard/explain.h"
#include "guard/rules.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace footfall;
using namespace footfall::guard;

namespace {

/// No file is opened, whatever name stands there.
Result<std::string> list_named(const std::string& name) {
    if (name == "networks") {
        return std::string{"192.0.2.0/24\n2001:db8::/32\n"};
    }
    if (name == "agents") {
        return std::string{"bot\n^curl/\n"};
    }
    if (name == "owners") {
        return std::string{"post-1\tu1\tu2\n"};
    }
    return fail(ErrorKind::not_found, "no such list");
}

events::Event click() {
    return {
        .id = "e-1",
        .time = Instant{std::chrono::hours{100}},
        .action = "click",
        .object = "post-1",
        .actor = "u1",
        .address = "192.0.2.7",
        .agent = "Mozilla/5.0 bot",
        .amount = 2'000'000,
        .publisher = "u1",
        .attributes = R"({"a":{"b":[1,2.5,"c"]}})"
    };
}

void check_judging(const RuleSet& rules, const events::Event& event) {
    for (const events::Door door : {events::Door::trusted_door, events::Door::public_door}) {
        const Circumstances circumstances{
            .arrival = event.time,
            .door = door,
            .nearest = NearestCounted{event.time - std::chrono::seconds{10}}
        };
        const auto verdict = rules.judge(event, circumstances);
        CHECK(verdict, "what was asked for is known");
        CHECK(rules.judge(event, circumstances) == verdict, "judging is pure");
        CHECK(!why(*verdict, event).empty(), "every verdict explains itself");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const auto rules = RuleSet::read(text, list_named);
    if (!rules) {
        CHECK(rules.error().kind == ErrorKind::invalid_input, "a file is wrong, not broken");
        CHECK(!rules.error().message.empty(), "it says what");
        return 0;
    }
    CHECK(rules->text() == text, "the file as it was read");
    for (const Rule& rule : rules->rules()) {
        CHECK(!describe(rule).empty(), "every rule says what it does");
    }
    check_judging(*rules, click());
    check_judging(*rules, {});
    return 0;
}
