#include "guard/rules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace footfall::guard {
namespace {

using namespace std::chrono_literals;
using events::Event;

const Instant noon = Instant{std::chrono::hours{24 * 365 * 50 + 12}};

Event view_of(std::string actor) {
    return {
        .id = "e-1",
        .time = noon,
        .action = "view",
        .object = "post-1",
        .actor = std::move(actor),
        .address = "192.0.2.7",
        .agent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
    };
}

/// Nothing speaks against an event that comes by the trusted door.
Circumstances at_noon() {
    return {.arrival = noon, .nearest = NearestCounted{}};
}

Circumstances by_public_door() {
    Circumstances circumstances = at_noon();
    circumstances.door = events::Door::public_door;
    return circumstances;
}

Circumstances after(std::chrono::microseconds ago) {
    Circumstances circumstances = at_noon();
    circumstances.nearest = NearestCounted{noon - ago};
    return circumstances;
}

RuleSet rules_of(std::string_view toml) {
    Result<RuleSet> rules = RuleSet::read(toml, [](const std::string& name) {
        return Result<std::string>{
            name == "owners" ? "# whose is what\npost-1\tu1\tu2\r\nhttps://x.example/a b\tu3\n"
                             : "198.51.100.0/24\n2001:db8::/32\n"
        };
    });
    EXPECT_TRUE(rules) << rules.error().message;
    return *std::move(rules);
}

/// "reason name=value ..." of the refusal; empty: it is counted.
std::string refusal(const RuleSet& rules, const Event& event, const Circumstances& circumstances) {
    const auto verdict = rules.judge(event, circumstances);
    if (!verdict) {
        return "unknown";
    }
    if (!verdict->refusal) {
        return "";
    }
    std::string text = verdict->refusal->reason;
    for (const auto& [name, value] : verdict->refusal->evidence) {
        text.append(" ").append(name).append("=").append(value);
    }
    return text;
}

events::Verdict verdict_of(
    const RuleSet& rules, const Event& event, const Circumstances& circumstances
) {
    return rules.judge(event, circumstances).value_or(events::Verdict{});
}

TEST(StandardRules, count_what_a_person_does) {
    const RuleSet rules = RuleSet::standard();
    EXPECT_EQ(refusal(rules, view_of("u1"), at_noon()), "");
    EXPECT_EQ(refusal(rules, view_of("u1"), by_public_door()), "");
    Event bare{.time = noon, .action = "view", .object = "post-1"};
    EXPECT_EQ(refusal(rules, bare, at_noon()), "") << "what is missing is no reason";
    EXPECT_EQ(rules.repeat_reach(), 1h);
    EXPECT_EQ(rules.rate_reach(), 1min);
}

TEST(StandardRules, refuse_repeats_by_the_distance_to_the_nearest) {
    const RuleSet rules = RuleSet::standard();
    EXPECT_EQ(
        refusal(rules, view_of("u1"), after(12s)),
        "repeat_fast seconds=12 window_seconds=30 earlier=2019-12-20T11:59:48Z"
    );
    EXPECT_EQ(
        refusal(rules, view_of("u1"), after(-500ms)),
        "repeat_fast seconds=0.5 window_seconds=30 later=2019-12-20T12:00:00.500Z"
    );
    EXPECT_EQ(
        refusal(rules, view_of("u1"), after(30s)),
        "repeat seconds=30 window_seconds=3600 earlier=2019-12-20T11:59:30Z"
    );
    EXPECT_EQ(refusal(rules, view_of("u1"), after(1h)), "");
}

TEST(StandardRules, ask_for_repeats_only_where_there_can_be_one) {
    const RuleSet rules = RuleSet::standard();
    Circumstances unknown = at_noon();
    unknown.nearest.reset();
    EXPECT_EQ(refusal(rules, view_of("u1"), unknown), "unknown");
    EXPECT_TRUE(rules.asks_for_repeats(view_of("u1"), events::Door::trusted_door));
    Event robot = view_of("u1");
    robot.agent = "Googlebot/2.1";
    EXPECT_EQ(refusal(rules, robot, unknown), "not_human pattern=(^|[^u])bots?\\b");
    Event sale = view_of("u1");
    sale.action = "sale";
    Event correction = view_of("u1");
    correction.action = "click";
    correction.amount = -1;
    Event other = view_of("u1");
    other.action = "download";
    Event by_address = view_of("");
    by_address.address = "192.0.2.7";
    EXPECT_TRUE(rules.asks_for_repeats(by_address, events::Door::trusted_door)) << "known by that";
    Event by_nobody = by_address;
    by_nobody.address.clear();
    for (const Event& event : {by_nobody, sale, correction, other}) {
        EXPECT_FALSE(rules.asks_for_repeats(event, events::Door::trusted_door)) << event.action;
        EXPECT_EQ(refusal(rules, event, unknown), "") << event.action;
    }
}

TEST(StandardRules, refuse_what_is_to_come) {
    const RuleSet rules = RuleSet::standard();
    Event event = view_of("u1");
    event.time = noon + 5min;
    EXPECT_EQ(refusal(rules, event, at_noon()), "");
    event.time = noon + 5min + 1us;
    EXPECT_EQ(
        refusal(rules, event, at_noon()),
        "impossible_time seconds_ahead=300.000001 limit_seconds=300"
    );
    event.time = noon - 24h * 3650;
    EXPECT_EQ(refusal(rules, event, at_noon()), "") << "however late";
}

TEST(StandardRules, refuse_an_id_that_was_used_before_whatever_else_is_wrong) {
    const events::Evidence evidence{{"event", "e-0"}};
    Circumstances circumstances = after(1s);
    circumstances.id_conflict = &evidence;
    EXPECT_EQ(
        refusal(RuleSet::standard(), view_of("u1"), circumstances), "id_conflict id=e-1 event=e-0"
    );
}

TEST(StandardRules, refuse_what_no_person_asked_for) {
    const RuleSet rules = RuleSet::standard();
    Circumstances head = by_public_door();
    head.machine_sign = "HEAD";
    EXPECT_EQ(refusal(rules, view_of("u1"), head), "not_human sign=HEAD");
    Event event = view_of("u1");
    event.agent = "curl/8.5.0";
    EXPECT_EQ(refusal(rules, event, at_noon()), "not_human pattern=^curl/");
    event.agent = "Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 30) Chrome/126.0.0.0 Mobile";
    EXPECT_EQ(refusal(rules, event, at_noon()), "") << "a phone";
}

TEST(StandardRules, limit_rates_on_the_public_door_alone) {
    const RuleSet rules = RuleSet::standard();
    RateState rates{{1, 2}, 1 << 20};
    Event event = view_of("u1");
    Circumstances circumstances = by_public_door();
    circumstances.rates = &rates;
    for (std::uint64_t offset = 0; offset < 120; ++offset) {
        event.time = noon - 59s + std::chrono::milliseconds{offset};
        ASSERT_EQ(refusal(rules, event, circumstances), "") << offset;
        rules.note_counted(event, events::Door::public_door, {.lane = 3, .offset = offset}, rates);
    }
    event.time = noon;
    EXPECT_EQ(refusal(rules, event, circumstances), "rate per=actor limit=120 window_seconds=60");
    event.time = noon + 1s;
    EXPECT_EQ(refusal(rules, event, circumstances), "") << "the first are a minute ago";
    event.time = noon;
    EXPECT_EQ(refusal(rules, view_of("u2"), circumstances), "") << "who shares the address";
    circumstances.door = events::Door::trusted_door;
    EXPECT_EQ(refusal(rules, event, circumstances), "");
    event.action = "sale";
    circumstances.door = events::Door::public_door;
    EXPECT_EQ(refusal(rules, event, circumstances), "");
}

std::string rate_rule(std::string_view name, std::string_view more) {
    return fmt::format(
        "[[rule]]\nname = \"{}\"\nkind = \"rate\"\nper = \"actor\"\nlimit = 2\nwindow = "
        "\"1m\"\n{}\n",
        name,
        more
    );
}

/// Others can only have counted more, so it matters to who is below the limit here.
TEST(Rates, without_what_others_counted_are_open_or_closed_and_say_so) {
    const RuleSet open = rules_of(rate_rule("r", ""));
    const RuleSet closed = rules_of(rate_rule("r", "on_missing = \"closed\""));
    const events::Evidence away{{"shared", "away"}};
    RateState rates{{1, 2}, 1 << 20};
    Circumstances circumstances = at_noon();
    circumstances.rates = &rates;
    const Event event = view_of("u1");
    EXPECT_EQ(refusal(closed, event, circumstances), "");
    EXPECT_EQ(verdict_of(open, event, circumstances).remarks, events::Evidence{});
    circumstances.rates_away = true;
    EXPECT_EQ(
        refusal(closed, event, circumstances), "r per=actor limit=2 window_seconds=60 shared=away"
    );
    EXPECT_EQ(verdict_of(closed, event, circumstances).remarks, events::Evidence{});
    EXPECT_EQ(refusal(open, event, circumstances), "");
    EXPECT_EQ(verdict_of(open, event, circumstances).remarks, away);
    Event sale = event;
    sale.action = "sale";
    EXPECT_EQ(verdict_of(open, sale, circumstances).remarks, events::Evidence{})
        << "no rate concerns it";
    for (std::uint64_t offset = 0; offset < 2; ++offset) {
        open.note_counted(event, events::Door::trusted_door, {.lane = 3, .offset = offset}, rates);
    }
    EXPECT_EQ(refusal(closed, event, circumstances), "r per=actor limit=2 window_seconds=60");
    EXPECT_EQ(refusal(open, event, circumstances), "r per=actor limit=2 window_seconds=60");
    EXPECT_EQ(verdict_of(open, event, circumstances).remarks, events::Evidence{});
}

TEST(Rates, that_are_only_tried_or_come_before_a_refusal_leave_no_remark) {
    const RuleSet tried = rules_of(rate_rule("r", "mode = \"shadow\""));
    const RuleSet refused = rules_of(
        rate_rule("r", "") + "[[rule]]\nname = \"ad\"\nkind = \"missing\"\nfields = [\"ad\"]\n"
    );
    const RateState rates{{1, 2}, 1 << 20};
    Circumstances circumstances = at_noon();
    circumstances.rates = &rates;
    circumstances.rates_away = true;
    EXPECT_EQ(verdict_of(tried, view_of("u1"), circumstances).remarks, events::Evidence{});
    EXPECT_EQ(refusal(refused, view_of("u1"), circumstances), "ad missing=ad");
    EXPECT_EQ(verdict_of(refused, view_of("u1"), circumstances).remarks, events::Evidence{});
}

TEST(Rules, are_asked_in_order_and_shadows_change_nothing) {
    const RuleSet rules = rules_of(
        "[[rule]]\nname = \"tried\"\nkind = \"missing\"\nfields = [\"ad\"]\nmode = \"shadow\"\n"
        "[[rule]]\nname = \"unused\"\nkind = \"missing\"\nfields = [\"ad\"]\nmode = \"off\"\n"
        "[[rule]]\nname = \"first\"\nkind = \"missing\"\nfields = [\"reseller\"]\nreason = \"x\"\n"
        "[[rule]]\nname = \"second\"\nkind = \"missing\"\nfields = [\"ad\"]\n"
        "[[rule]]\nname = \"behind\"\nkind = \"missing\"\nfields = [\"ad\"]\nmode = \"shadow\"\n"
    );
    const events::Objection tried{
        .reason = "tried", .rule = "tried", .evidence = {{"missing", "ad"}}
    };
    Event event = view_of("u1");
    const events::Objection first{
        .reason = "x", .rule = "first", .evidence = {{"missing", "reseller"}}
    };
    const events::Verdict verdict = verdict_of(rules, event, at_noon());
    EXPECT_EQ(verdict.refusal, first);
    EXPECT_EQ(verdict.shadow, std::vector{tried}) << "behind a refusal none is asked";
    event.reseller = "r1";
    EXPECT_EQ(refusal(rules, event, at_noon()), "second missing=ad");
}

TEST(Rules, give_their_version) {
    RuleSet rules = RuleSet::standard();
    rules.set_version(7);
    EXPECT_EQ(verdict_of(rules, view_of("u1"), at_noon()).rules_version, 7U);
    EXPECT_EQ(verdict_of(rules, view_of("u1"), after(1s)).rules_version, 7U);
}

TEST(Rules, hold_for_their_actions_and_doors) {
    const RuleSet rules = rules_of(
        "[[rule]]\nname = \"a\"\nkind = \"missing\"\nfields = [\"ad\"]\nactions = [\"click\"]\n"
        "door = \"public\"\n"
    );
    Event event = view_of("u1");
    EXPECT_EQ(refusal(rules, event, by_public_door()), "");
    event.action = "click";
    EXPECT_EQ(refusal(rules, event, by_public_door()), "a missing=ad");
    EXPECT_EQ(refusal(rules, event, at_noon()), "");
}

TEST(Rules, on_repeats_let_sales_and_corrections_pass_whatever_the_action) {
    const RuleSet rules = rules_of("[[rule]]\nname = \"a\"\nkind = \"repeat\"\nwindow = \"1h\"\n");
    Event event = view_of("u1");
    event.action = "order";
    EXPECT_TRUE(refusal(rules, event, after(1s)).starts_with("a seconds=1 "));
    event.amount = -1;
    EXPECT_EQ(refusal(rules, event, after(1s)), "");
    event.amount = 1;
    event.action = "sale";
    EXPECT_EQ(refusal(rules, event, after(1s)), "");
}

TEST(Rules, on_missing_fields_never_ask_the_trusted_door_for_address_and_agent) {
    const RuleSet rules = rules_of(
        "[[rule]]\nname = \"a\"\nkind = \"missing\"\nfields = [\"address\", \"agent\", \"time\"]\n"
    );
    Event event = view_of("u1");
    event.agent.clear();
    EXPECT_EQ(refusal(rules, event, at_noon()), "");
    EXPECT_EQ(refusal(rules, event, by_public_door()), "a missing=agent");
    event.time_given = false;
    EXPECT_EQ(refusal(rules, event, at_noon()), "a missing=time");
}

TEST(Rules, on_networks_look_at_the_address) {
    const RuleSet rules = rules_of(
        "[[rule]]\nname = \"datacenter\"\nkind = \"networks\"\nlists = [\"networks\"]\n"
        "[[rule]]\nname = \"ours\"\nkind = \"internal\"\nnetworks = [\"10.0.0.0/8\"]\n"
        "actors = [\"editor\"]\n"
    );
    Event event = view_of("u1");
    EXPECT_EQ(refusal(rules, event, at_noon()), "");
    event.address = "198.51.100.9";
    EXPECT_EQ(refusal(rules, event, at_noon()), "datacenter network=198.51.100.0/24");
    event.address = "2001:db8::1";
    EXPECT_EQ(refusal(rules, event, at_noon()), "datacenter network=2001:db8::/32");
    event.address = "10.1.2.3";
    EXPECT_EQ(refusal(rules, event, at_noon()), "ours internal_network=10.0.0.0/8");
    event.address.clear();
    EXPECT_EQ(refusal(rules, event, by_public_door()), "");
    event.actor = "editor";
    EXPECT_EQ(refusal(rules, event, at_noon()), "ours internal=actor");
}

TEST(Rules, on_owners_know_them_by_field_and_by_list) {
    const RuleSet rules = rules_of(
        "[[rule]]\nname = \"owner\"\nkind = \"owner\"\nfields = [\"publisher\"]\n"
        "lists = [\"owners\"]\n"
    );
    Event event = view_of("u9");
    EXPECT_EQ(refusal(rules, event, at_noon()), "");
    event.publisher = "u9";
    EXPECT_EQ(refusal(rules, event, at_noon()), "owner owner=publisher");
    EXPECT_EQ(refusal(rules, view_of("u2"), at_noon()), "owner owner=list");
    EXPECT_EQ(refusal(rules, view_of("u3"), at_noon()), "") << "of another object";
    EXPECT_EQ(refusal(rules, view_of(""), at_noon()), "") << "nobody is no owner";
}

TEST(Rules, of_ones_own_are_conditions) {
    const RuleSet rules =
        rules_of("[[rule]]\nname = \"dear\"\nkind = \"condition\"\nwhen = 'amount > 100'\n");
    Event event = view_of("u1");
    EXPECT_EQ(refusal(rules, event, at_noon()), "");
    event.amount = 100'000'001;
    EXPECT_EQ(refusal(rules, event, at_noon()), "dear when=amount > 100");
}

TEST(Rules, on_lateness_refuse_what_comes_too_late) {
    const RuleSet rules = rules_of(
        "[[rule]]\nname = \"late\"\nkind = \"impossible_time\"\nlate = \"7d\"\nahead = \"0s\"\n"
    );
    Event event = view_of("u1");
    event.time = noon - 24h * 7;
    EXPECT_EQ(refusal(rules, event, at_noon()), "");
    event.time -= 1s;
    EXPECT_EQ(refusal(rules, event, at_noon()), "late seconds_late=604801 limit_seconds=604800");
    event.time = noon + 1us;
    EXPECT_EQ(refusal(rules, event, at_noon()), "late seconds_ahead=0.000001 limit_seconds=0");
}

}  // namespace
}  // namespace footfall::guard
