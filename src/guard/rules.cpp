#include "guard/rules.h"

#include "foundation/check.h"
#include "guard/objections.h"

#include <algorithm>
#include <utility>

namespace footfall::guard {
namespace {

template <class Kind>
std::chrono::microseconds largest_window(std::span<const Rule> rules, auto window_of) {
    std::chrono::microseconds largest{};
    for (const Rule& rule : rules) {
        const auto* const kind = std::get_if<Kind>(&rule.kind);
        if (kind != nullptr && rule.mode != RuleMode::off) {
            largest = std::max(largest, window_of(*kind));
        }
    }
    return largest;
}

}  // namespace

RuleSet::RuleSet(std::vector<Rule> rules, std::string text, std::string digest)
    : rules_{std::move(rules)}, text_{std::move(text)}, digest_{std::move(digest)} {}

RuleSet RuleSet::standard() {
    Result<RuleSet> rules = read(standard_rules(), [](const std::string& name) {
        return Result<std::string>{fail(ErrorKind::not_found, name)};
    });
    CHECK(
        rules, "the rules that the program brings can be read", rules ? "" : rules.error().message
    );
    return *std::move(rules);
}

std::optional<events::Verdict> RuleSet::judge(
    const events::Event& event, const Circumstances& circumstances
) const {
    events::Verdict verdict{.rules_version = version_};
    for (const Rule& rule : rules_) {
        if (!concerns(rule, event, circumstances.door)) {
            continue;
        }
        RuleAnswer answer = ask(rule, event, circumstances);
        if (answer.unknown) {
            return std::nullopt;
        }
        if (!answer.objection) {
            if (answer.without_others && rule.mode == RuleMode::on) {
                verdict.remarks = {shared_away()};
            }
            continue;
        }
        events::Objection objection{
            .reason = rule.reason, .rule = rule.name, .evidence = *std::move(answer.objection)
        };
        if (rule.mode == RuleMode::on) {
            verdict.refusal = std::move(objection);
            verdict.remarks.clear();
            break;
        }
        verdict.shadow.push_back(std::move(objection));
    }
    return verdict;
}

bool RuleSet::asks_for_repeats(const events::Event& event, events::Door door) const {
    return std::ranges::any_of(rules_, [&](const Rule& rule) {
        return std::holds_alternative<RepeatRule>(rule.kind) && concerns(rule, event, door);
    });
}

void RuleSet::append_rate_keys(
    const events::Event& event,
    events::Door door,
    const RateState& rates,
    std::vector<RateKey>& keys
) const {
    for (const Rule& rule : rules_) {
        const auto* const rate = std::get_if<RateRule>(&rule.kind);
        if (rate != nullptr && concerns(rule, event, door)) {
            keys.push_back(
                {.key = rates.key_of(rule.name, who_of(*rate, event)), .limit = rate->limit}
            );
        }
    }
}

void RuleSet::note_counted(
    const events::Event& event, events::Door door, EventPlace place, RateState& rates
) const {
    std::vector<RateKey> keys;
    append_rate_keys(event, door, rates, keys);
    for (const RateKey& each : keys) {
        rates.note(each.key, each.limit, event.time, place);
    }
}

std::chrono::microseconds RuleSet::repeat_reach() const {
    return largest_window<RepeatRule>(rules_, [](const RepeatRule& rule) { return rule.window; });
}

std::chrono::microseconds RuleSet::rate_reach() const {
    return largest_window<RateRule>(rules_, [](const RateRule& rule) { return rule.limit.window; });
}

}  // namespace footfall::guard
