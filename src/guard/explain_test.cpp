#include "guard/explain.h"

#include "guard/rules.h"
#include "guard/words.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall::guard {
namespace {

using namespace std::chrono_literals;
using events::Event;

Event clicked() {
    return {
        .id = "e-1",
        .time = Instant{100h},
        .action = "click",
        .object = "post-1",
        .actor = "u1",
        .address = "192.0.2.7",
        .agent = "Mozilla/5.0",
        .publisher = "u1"
    };
}

/// The rules of a kind, by its further keys.
RuleSet rules_by(const std::string& kind, const std::string& keys) {
    Result<RuleSet> rules = RuleSet::read(
        "[[rule]]\nname = \"r\"\nkind = \"" + kind + "\"\n" + keys,
        [](const std::string&) { return Result<std::string>{"post-1\tu1\n"}; }
    );
    EXPECT_TRUE(rules) << rules.error().message;
    return *std::move(rules);
}

std::string said(const RuleSet& rules, const Event& event, const Circumstances& circumstances) {
    const std::optional<events::Verdict> verdict = rules.judge(event, circumstances);
    return verdict ? why(*verdict, event) : "";
}

Circumstances when(Instant nearest) {
    return {.arrival = Instant{100h}, .nearest = NearestCounted{nearest}};
}

TEST(Why, says_that_nothing_objected) {
    EXPECT_EQ(said(RuleSet::standard(), clicked(), when(Instant{})), "Counted: no rule objected.");
}

TEST(Why, is_a_sentence_for_every_kind_of_rule) {
    const auto why_by = [](const std::string& kind, const std::string& keys) {
        return said(rules_by(kind, keys), clicked(), when(Instant{100h - 12s}));
    };
    EXPECT_EQ(
        why_by("repeat", "window = \"30s\""),
        "Not counted: this person's click on the same object 12 seconds earlier was counted "
        "already, and repeats within 30 seconds are not."
    );
    EXPECT_EQ(
        said(rules_by("repeat", "window = \"1h\""), clicked(), when(Instant{100h + 65s})),
        "Not counted: this person's click on the same object 1 minute and 5 seconds later was "
        "counted already, and repeats within 1 hour are not."
    );
    EXPECT_EQ(
        why_by("networks", "networks = [\"192.0.2.0/24\"]"),
        "Not counted: its address is in 192.0.2.0/24, whose events do not count."
    );
    EXPECT_EQ(
        why_by("internal", "networks = [\"192.0.2.0/24\"]"),
        "Not counted: its address is in 192.0.2.0/24, a network of the site itself."
    );
    EXPECT_EQ(
        why_by("internal", "actors = [\"u1\"]"),
        "Not counted: this person belongs to the site itself."
    );
    EXPECT_EQ(why_by("missing", "fields = [\"ad\"]"), "Not counted: it has no ad.");
    EXPECT_EQ(
        why_by("owner", "fields = [\"publisher\"]"),
        "Not counted: this person is the object's publisher."
    );
    EXPECT_EQ(
        why_by("owner", "lists = [\"owners\"]"), "Not counted: the object belongs to this person."
    );
    EXPECT_EQ(
        why_by("condition", "when = 'actor == publisher'"),
        "Not counted: it meets the condition actor == publisher."
    );
    EXPECT_EQ(
        why_by("not_human", "robots = \"none\"\nlists = [\"agents\"]"), "Counted: no rule objected."
    );
}

TEST(Why, says_what_the_door_and_the_clock_saw) {
    const RuleSet rules = RuleSet::standard();
    Event event = clicked();
    event.agent = "curl/8.5.0";
    EXPECT_EQ(
        said(rules, event, when(Instant{})),
        "Not counted: no person asked: its agent \"curl/8.5.0\" has \"^curl/\", by which programs "
        "are known."
    );
    Circumstances prefetch = when(Instant{});
    prefetch.machine_sign = "prefetch";
    EXPECT_EQ(
        said(rules, clicked(), prefetch),
        "Not counted: no person asked: the request was \"prefetch\"."
    );
    const events::Evidence evidence{{"event", "e-0"}};
    Circumstances conflict = when(Instant{});
    conflict.id_conflict = &evidence;
    EXPECT_EQ(
        said(rules, clicked(), conflict),
        "Not counted: its id \"e-1\" was used before, for this object and with other content."
    );
    event = clicked();
    event.time += 25h;
    EXPECT_EQ(
        said(rules, event, when(Instant{})),
        "Not counted: its time was 1 day and 1 hour in the future when it came, and more than 5 "
        "minutes cannot be."
    );
    event.time -= 25h + 90min;
    EXPECT_EQ(
        said(rules_by("impossible_time", "late = \"1h\""), event, when(Instant{})),
        "Not counted: it came 1 hour and 30 minutes after it happened, and more than 1 hour is too "
        "late."
    );
}

TEST(Why, names_the_limit_of_a_rate) {
    const RuleSet rules =
        rules_by("rate", "per = \"address\"\nlimit = 1\nwindow = \"1m\"\nmode = \"shadow\"");
    RateState rates{{1, 2}, 1 << 20};
    rules.note_counted(clicked(), events::Door::trusted_door, {}, rates);
    Circumstances circumstances = when(Instant{});
    circumstances.rates = &rates;
    EXPECT_EQ(
        said(rules, clicked(), circumstances),
        "Counted: no rule objected. The rule \"r\", which is on trial, would have refused it: 1 "
        "counted events of this address within 1 minute are the most that count."
    );
}

TEST(Why, says_that_shared_memory_was_away) {
    const std::string rate = "per = \"address\"\nlimit = 2\nwindow = \"1m\"\n";
    const RateState rates{{1, 2}, 1 << 20};
    Circumstances circumstances = when(Instant{});
    circumstances.rates = &rates;
    circumstances.rates_away = true;
    EXPECT_EQ(
        said(rules_by("rate", rate), clicked(), circumstances),
        "Counted: no rule objected. The memory that processes share was away, so rules on rates "
        "went by what one of them remembered."
    );
    EXPECT_EQ(
        said(rules_by("rate", rate + "on_missing = \"closed\""), clicked(), circumstances),
        "Not counted: whether 2 events of this address were counted within 1 minute could not be "
        "known, as the memory that processes share was away, and the rule is strict then."
    );
}

TEST(Why, is_said_also_of_rules_that_nobody_knows_any_more) {
    const events::Verdict verdict{
        .refusal = events::Objection{.reason = "odd", .rule = "old", .evidence = {{"x", "y"}}}
    };
    EXPECT_EQ(why(verdict, clicked()), "Not counted: the rule \"old\" objected (odd).");
}

TEST(Describe, is_a_sentence_for_every_rule) {
    std::vector<std::string> sentences;
    const RuleSet standard = RuleSet::standard();
    for (const Rule& rule : standard.rules()) {
        sentences.push_back(describe(rule));
    }
    ASSERT_EQ(sentences.size(), 7U);
    EXPECT_EQ(
        sentences[0],
        "Not counted: any event whose id was used before, for the same object and with other "
        "content."
    );
    EXPECT_EQ(
        sentences[1], "Not counted: any event whose time is more than 5 minutes in the future."
    );
    EXPECT_EQ(
        sentences[3],
        "Not counted: a view, click or read less than 30 seconds before or after one that was "
        "counted, by the same person and of the same object."
    );
    EXPECT_EQ(
        sentences[6],
        "Not counted: a view, click or read by the public door from an address that had 1200 of "
        "them "
        "counted within 1 minute."
    );

    struct Other {
        std::string kind;
        std::string keys;
        std::string sentence;
    };

    const std::vector<Other> others{
        {"networks",
         "networks = [\"10.0.0.0/8\"]\nmode = \"off\"",
         "Switched off: any event whose address is in one of 1 network."},
        {"internal",
         "actors = [\"a\", \"b\"]\nmode = \"shadow\"",
         "On trial, and counted all the same: any event from the site itself (0 networks, 2 "
         "people)."},
        {"missing",
         "fields = [\"ad\", \"actor\"]\ndoor = \"trusted\"",
         "Not counted: any event by the trusted door without ad or actor."},
        {"owner",
         "fields = [\"publisher\"]\nlists = [\"owners\"]",
         "Not counted: any event by the object's owner, as the event's publisher says or "
         "as a list of 1 object says."},
        {"impossible_time",
         "ahead = \"0s\"\nlate = \"7d\"",
         "Not counted: any event whose time is more than 0 seconds in the future, or that comes "
         "more than 7 days late."},
        {"condition",
         "when = 'amount > 3'\nactions = [\"sale\"]",
         "Not counted: a sale that meets the condition amount > 3."},
    };
    for (const Other& other : others) {
        EXPECT_EQ(describe(rules_by(other.kind, other.keys).rules()[0]), other.sentence);
    }
}

TEST(Words, give_times_in_their_two_largest_units) {
    EXPECT_EQ(words_of(0s), "0 seconds");
    EXPECT_EQ(words_of(1s), "1 second");
    EXPECT_EQ(words_of(1500ms), "1.5 seconds");
    EXPECT_EQ(words_of(60s), "1 minute");
    EXPECT_EQ(words_of(24h * 3 + 2h + 5min), "3 days and 2 hours");
}

}  // namespace
}  // namespace footfall::guard
