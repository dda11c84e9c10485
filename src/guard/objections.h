#pragma once

#include "guard/rules.h"

#include <optional>

namespace footfall::guard {

/// What a rule says of an event.
struct RuleAnswer {
    std::optional<events::Evidence> objection;  ///< Absent: it does not object.
    bool unknown = false;         ///< It cannot say: circumstances.nearest is not known.
    bool without_others = false;  ///< It might, had it known what other processes counted.
};

/// What a verdict says when a rule had to go without what other processes counted.
events::Evidence::value_type shared_away();

/// Whether the rule is asked about such an event at all.
bool concerns(const Rule& rule, const events::Event& event, events::Door door);

/// Asks a rule about an event that it concerns. Pure.
RuleAnswer ask(const Rule& rule, const events::Event& event, const Circumstances& circumstances);

/// Who a rule on rates limits: the address; or the actor, who without an id is the address with the
/// agent, as everywhere. Empty: nobody.
std::string who_of(const RateRule& rule, const events::Event& event);

/// What the event has in the field; empty: nothing. `amount` and `time` are no texts: "given".
std::string_view text_of(Field field, const events::Event& event);

}  // namespace footfall::guard
