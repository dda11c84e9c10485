// What a rule does, for people: the page on how is counted is made of it.
#include "guard/explain.h"
#include "guard/words.h"

#include <fmt/format.h>

#include <numeric>
#include <vector>

namespace footfall::guard {
namespace {

std::string names_of(std::span<const Field> fields) {
    std::vector<std::string> names;
    names.reserve(fields.size());
    for (const Field field : fields) {
        names.emplace_back(name_of(field));
    }
    return alternatives(names);
}

/// What it looks at: "a view, click or read by the public door".
std::string subject_of(const Rule& rule) {
    std::string subject = rule.actions.empty() ? "any event" : "a " + alternatives(rule.actions);
    if (rule.door) {
        subject += *rule.door == events::Door::public_door ? " by the public door"
                                                           : " by the trusted door";
    }
    return subject;
}

std::string clause_of(const IdConflictRule&) {
    return "whose id was used before, for the same object and with other content";
}

std::string clause_of(const ImpossibleTimeRule& rule) {
    std::string clause =
        fmt::format("whose time is more than {} in the future", words_of(rule.ahead_max));
    if (rule.late_max) {
        clause += fmt::format(", or that comes more than {} late", words_of(*rule.late_max));
    }
    return clause;
}

std::string clause_of(const RepeatRule& rule) {
    return fmt::format(
        "less than {} before or after one that was counted, by the same person and of the same "
        "object",
        words_of(rule.window)
    );
}

std::string clause_of(const NotHumanRule& rule) {
    const std::size_t patterns = std::accumulate(
        rule.lists.begin(),
        rule.lists.end(),
        std::size_t{0},
        [](std::size_t sum, const AgentList& list) { return sum + list.size(); }
    );
    return fmt::format(
        "that no person asked for: by the request (HEAD, prefetch), or because its agent has one "
        "of {} in it by which programs are known",
        count_of(patterns, "pattern")
    );
}

std::string clause_of(const NetworksRule& rule) {
    const std::size_t networks = std::accumulate(
        rule.networks.begin(),
        rule.networks.end(),
        std::size_t{0},
        [](std::size_t sum, const NetworkSet& set) { return sum + set.size(); }
    );
    if (!rule.internal) {
        return fmt::format("whose address is in one of {}", count_of(networks, "network"));
    }
    return fmt::format(
        "from the site itself ({}, {})",
        count_of(networks, "network"),
        rule.actors.size() == 1 ? "1 person" : fmt::format("{} people", rule.actors.size())
    );
}

std::string clause_of(const MissingRule& rule) {
    return fmt::format("without {}", names_of(rule.fields));
}

std::string clause_of(const OwnObjectRule& rule) {
    std::vector<std::string> ways;
    if (!rule.fields.empty()) {
        ways.push_back(fmt::format("as the event's {} says", names_of(rule.fields)));
    }
    if (!rule.owners_of.empty()) {
        ways.push_back(
            fmt::format("as a list of {} says", count_of(rule.owners_of.size(), "object"))
        );
    }
    return fmt::format("by the object's owner, {}", alternatives(ways));
}

std::string clause_of(const RateRule& rule) {
    return fmt::format(
        "{} had {} of them counted within {}{}",
        rule.per == Field::actor ? "by a person who" : "from an address that",
        rule.limit.count,
        words_of(rule.limit.window),
        rule.on_missing == OnMissing::closed ? ", or of whom that cannot be known" : ""
    );
}

std::string clause_of(const ConditionRule& rule) {
    return fmt::format("that meets the condition {}", rule.when.source());
}

std::string_view beginning_of(RuleMode mode) {
    switch (mode) {
        case RuleMode::on:
            return "Not counted";
        case RuleMode::shadow:
            return "On trial, and counted all the same";
        case RuleMode::off:
            return "Switched off";
    }
    return {};
}

}  // namespace

std::string describe(const Rule& rule) {
    return fmt::format(
        "{}: {} {}.",
        beginning_of(rule.mode),
        subject_of(rule),
        std::visit([](const auto& kind) { return clause_of(kind); }, rule.kind)
    );
}

}  // namespace footfall::guard
