#include "guard/objections.h"

#include "events/money.h"
#include "events/rfc3339.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace footfall::guard {
namespace {

using events::Event;

RuleAnswer agreed() {
    return {};
}

RuleAnswer objected(events::Evidence evidence) {
    return {.objection = std::move(evidence)};
}

/// Seconds and millionths are written as units and micros are.
std::string seconds_of(std::chrono::microseconds time) {
    return events::format_money(time.count());
}

/// A correction takes back what was counted, and a sale is a sale: neither repeats anything.
bool is_repeatable(const Event& event) {
    return event.action != "sale" && event.amount.value_or(0) >= 0;
}

RuleAnswer ask_kind(const IdConflictRule&, const Event& event, const Circumstances& circumstances) {
    if (circumstances.id_conflict == nullptr) {
        return agreed();
    }
    events::Evidence evidence{{"id", event.id}};
    evidence.insert(
        evidence.end(), circumstances.id_conflict->begin(), circumstances.id_conflict->end()
    );
    return objected(std::move(evidence));
}

RuleAnswer ask_kind(
    const ImpossibleTimeRule& rule, const Event& event, const Circumstances& circumstances
) {
    const auto ahead = event.time - circumstances.arrival;
    if (ahead > rule.ahead_max) {
        return objected(
            {{"seconds_ahead", seconds_of(ahead)}, {"limit_seconds", seconds_of(rule.ahead_max)}}
        );
    }
    if (rule.late_max && -ahead > *rule.late_max) {
        return objected(
            {{"seconds_late", seconds_of(-ahead)}, {"limit_seconds", seconds_of(*rule.late_max)}}
        );
    }
    return agreed();
}

RuleAnswer ask_kind(
    const RepeatRule& rule, const Event& event, const Circumstances& circumstances
) {
    if (!circumstances.nearest) {
        return {.objection = {}, .unknown = true};
    }
    const std::optional<Instant> nearest = circumstances.nearest->nearest;
    if (!nearest || std::chrono::abs(event.time - *nearest) >= rule.window) {
        return agreed();
    }
    return objected(
        {{"seconds", seconds_of(std::chrono::abs(event.time - *nearest))},
         {"window_seconds", seconds_of(rule.window)},
         {*nearest <= event.time ? "earlier" : "later", events::format_rfc3339(*nearest)}}
    );
}

RuleAnswer ask_kind(
    const NotHumanRule& rule, const Event& event, const Circumstances& circumstances
) {
    if (!circumstances.machine_sign.empty()) {
        return objected({{"sign", std::string{circumstances.machine_sign}}});
    }
    if (event.agent.empty()) {
        return agreed();
    }
    for (const AgentList& list : rule.lists) {
        if (const auto pattern = list.find(event.agent)) {
            return objected({{"pattern", std::string{*pattern}}});
        }
    }
    return agreed();
}

RuleAnswer ask_kind(const NetworksRule& rule, const Event& event, const Circumstances&) {
    if (rule.actors.contains(event.actor)) {
        return objected({{"internal", "actor"}});
    }
    const auto address = event.address.empty() ? std::nullopt : Address::parse(event.address);
    if (address) {
        for (const NetworkSet& networks : rule.networks) {
            if (const Network* const network = networks.find(*address)) {
                return objected({{rule.internal ? "internal_network" : "network", network->text()}}
                );
            }
        }
    }
    return agreed();
}

RuleAnswer ask_kind(
    const MissingRule& rule, const Event& event, const Circumstances& circumstances
) {
    for (const Field field : rule.fields) {
        const bool may_be_missing = circumstances.door == events::Door::trusted_door &&
                                    (field == Field::address || field == Field::agent);
        if (!may_be_missing && text_of(field, event).empty()) {
            return objected({{"missing", std::string{name_of(field)}}});
        }
    }
    return agreed();
}

RuleAnswer ask_kind(const OwnObjectRule& rule, const Event& event, const Circumstances&) {
    if (event.actor.empty()) {
        return agreed();
    }
    for (const Field field : rule.fields) {
        if (text_of(field, event) == event.actor) {
            return objected({{"owner", std::string{name_of(field)}}});
        }
    }
    const auto owners = rule.owners_of.find(event.object);
    if (owners != rule.owners_of.end() && owners->second.contains(event.actor)) {
        return objected({{"owner", "list"}});
    }
    return agreed();
}

RuleAnswer ask_kind(
    const RateRule& rule, const Event& event, const Circumstances& circumstances, const Rule& whole
) {
    if (circumstances.rates == nullptr) {
        return agreed();
    }
    const std::size_t counted = circumstances.rates->counted(
        circumstances.rates->key_of(whole.name, who_of(rule, event)),
        rule.limit,
        event.time,
        circumstances.place
    );
    // Others can only have counted more: who is above the limit here is above it.
    const bool enough = counted >= rule.limit.count;
    if (!enough && !circumstances.rates_away) {
        return agreed();
    }
    if (!enough && rule.on_missing == OnMissing::open) {
        return {.without_others = true};
    }
    events::Evidence evidence{
        {"per", std::string{name_of(rule.per)}},
        {"limit", fmt::to_string(rule.limit.count)},
        {"window_seconds", seconds_of(rule.limit.window)}
    };
    if (!enough) {
        evidence.push_back(shared_away());
    }
    return objected(std::move(evidence));
}

RuleAnswer ask_kind(
    const ConditionRule& rule, const Event& event, const Circumstances& circumstances
) {
    return rule.when.holds(event, circumstances.arrival, circumstances.door)
               ? objected({{"when", rule.when.source()}})
               : agreed();
}

}  // namespace

events::Evidence::value_type shared_away() {
    return {"shared", "away"};
}

bool concerns(const Rule& rule, const Event& event, events::Door door) {
    if (rule.mode == RuleMode::off || rule.door.value_or(door) != door ||
        !(rule.actions.empty() ||
          std::ranges::find(rule.actions, event.action) != rule.actions.end())) {
        return false;
    }
    if (const auto* const repeat = std::get_if<RepeatRule>(&rule.kind)) {
        const bool somebody = !event.actor.empty() || !event.address.empty();
        return repeat->window > repeat->window.zero() && somebody && is_repeatable(event);
    }
    if (const auto* const rate = std::get_if<RateRule>(&rule.kind)) {
        return !who_of(*rate, event).empty() && is_repeatable(event);
    }
    return true;
}

RuleAnswer ask(const Rule& rule, const Event& event, const Circumstances& circumstances) {
    return std::visit(
        [&]<class Kind>(const Kind& kind) {
            if constexpr (std::same_as<Kind, RateRule>) {
                return ask_kind(kind, event, circumstances, rule);
            } else {
                return ask_kind(kind, event, circumstances);
            }
        },
        rule.kind
    );
}

std::string who_of(const RateRule& rule, const Event& event) {
    if (rule.per != Field::actor) {
        return event.address;
    }
    if (!event.actor.empty()) {
        return "actor " + event.actor;
    }
    return event.address.empty() ? "" : fmt::format("source {} {}", event.address, event.agent);
}

std::string_view text_of(Field field, const Event& event) {
    constexpr std::string_view given = "given";
    switch (field) {
        case Field::actor:
            return event.actor;
        case Field::address:
            return event.address;
        case Field::agent:
            return event.agent;
        case Field::referrer:
            return event.referrer;
        case Field::amount:
            return event.amount ? given : "";
        case Field::currency:
            return event.currency;
        case Field::reseller:
            return event.reseller;
        case Field::ad:
            return event.ad;
        case Field::publisher:
            return event.publisher;
        case Field::time:
            return event.time_given ? given : "";
    }
    return {};
}

}  // namespace footfall::guard
