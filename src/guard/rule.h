#pragma once

#include "events/verdict.h"
#include "guard/agents.h"
#include "guard/condition.h"
#include "guard/networks.h"
#include "guard/rate.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace footfall::guard {

enum class RuleMode {
    on,
    off,
    shadow,  ///< Says what it would have said, and changes nothing.
};

/// The id was used before, with other content.
struct IdConflictRule {};

/// The event's time cannot be, or is later in coming than is allowed.
struct ImpossibleTimeRule {
    std::chrono::microseconds ahead_max{std::chrono::minutes{5}};
    std::optional<std::chrono::microseconds> late_max = {};  ///< Absent: however late.
};

/// A counted event of the same action, object and actor stands less than the window away.
struct RepeatRule {
    std::chrono::microseconds window{};
};

/// The agent is on a list of programs, or the door saw that no person asked.
struct NotHumanRule {
    std::vector<AgentList> lists;
};

/// The address lies in one of these networks, or the actor is one of these.
struct NetworksRule {
    std::vector<NetworkSet> networks;
    std::set<std::string, std::less<>> actors = {};  ///< Of internal alone.
    bool internal = false;  ///< Of the site itself, rather than of strangers.
};

enum class Field {
    actor,
    address,
    agent,
    referrer,
    amount,
    currency,
    reseller,
    ad,
    publisher,
    time,
};

/// A field was not given. Of address and agent only the public door asks.
struct MissingRule {
    std::vector<Field> fields;
};

/// The actor is who the object belongs to.
struct OwnObjectRule {
    std::vector<Field> fields;  ///< The event names its owner there.
    std::map<std::string, std::set<std::string, std::less<>>, std::less<>> owners_of = {};
};

/// What a rule does when it cannot know what other processes counted.
enum class OnMissing {
    open,    ///< Goes by what this process remembers.
    closed,  ///< Objects.
};

/// The actor, or the address, was counted `limit` times in the window that ends with the event.
struct RateRule {
    Field per = Field::address;  ///< Or actor.
    RateLimit limit;
    OnMissing on_missing = OnMissing::open;
};

/// The operator's own condition holds.
struct ConditionRule {
    Condition when;
};

/// What a rule objects to.
using RuleKind = std::variant<
    IdConflictRule,
    ImpossibleTimeRule,
    RepeatRule,
    NotHumanRule,
    NetworksRule,
    MissingRule,
    OwnObjectRule,
    RateRule,
    ConditionRule>;

/// One [[rule]] of a rule file (docs/formats/rules.md).
struct Rule {
    std::string name;
    std::string reason;  ///< What its refusals are counted under.
    RuleMode mode = RuleMode::on;
    std::vector<std::string> actions;  ///< Empty: all.
    std::optional<events::Door> door;  ///< Absent: both.
    RuleKind kind;
};

/// As a rule file names it: "repeat".
std::string_view kind_of(const Rule& rule);

std::string_view name_of(RuleMode mode);
std::string_view name_of(Field field);
std::optional<Field> field_named(std::string_view name);

}  // namespace footfall::guard
