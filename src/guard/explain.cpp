#include "guard/explain.h"

#include "events/money.h"
#include "guard/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace footfall::guard {
namespace {

using events::Event;

/// What the evidence has under a name; empty: nothing.
std::string_view value_of(const events::Evidence& evidence, std::string_view name) {
    const auto found =
        std::ranges::find(evidence, name, &std::pair<std::string, std::string>::first);
    return found == evidence.end() ? std::string_view{} : found->second;
}

/// "12 seconds", of evidence that is a number of them.
std::string time_in(const events::Evidence& evidence, std::string_view name) {
    const std::optional<events::Micros> time = events::parse_money(value_of(evidence, name));
    if (!time) {
        return "some time";
    }
    const auto seconds = std::chrono::floor<std::chrono::seconds>(std::chrono::microseconds{*time});
    return seconds.count() == 0 ? "less than a second" : words_of(seconds);
}

/// "view of", as a noun that goes with an object.
std::string deed_of(const Event& event) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> known{{
        {"view", "view of"},
        {"click", "click on"},
        {"read", "reading of"},
    }};
    const auto* const found = std::ranges::find(
        known, event.action, &std::pair<std::string_view, std::string_view>::first
    );
    return found != known.end() ? std::string{found->second}
                                : fmt::format("\"{}\" of", event.action);
}

std::string repeat_reason(const events::Evidence& evidence, const Event& event) {
    const bool earlier = !value_of(evidence, "earlier").empty();
    return fmt::format(
        "this person's {} the same object {} {} was counted already, and repeats within {} are not",
        deed_of(event),
        time_in(evidence, "seconds"),
        earlier ? "earlier" : "later",
        time_in(evidence, "window_seconds")
    );
}

std::string rate_reason(const events::Evidence& evidence, const Event&) {
    if (value_of(evidence, "shared") == "away") {
        return fmt::format(
            "whether {} events of this {} were counted within {} could not be known, as the memory "
            "that processes share was away, and the rule is strict then",
            value_of(evidence, "limit"),
            value_of(evidence, "per") == "actor" ? "person" : "address",
            time_in(evidence, "window_seconds")
        );
    }
    return fmt::format(
        "{} counted events of this {} within {} are the most that count",
        value_of(evidence, "limit"),
        value_of(evidence, "per") == "actor" ? "person" : "address",
        time_in(evidence, "window_seconds")
    );
}

std::string ahead_reason(const events::Evidence& evidence, const Event&) {
    return fmt::format(
        "its time was {} in the future when it came, and more than {} cannot be",
        time_in(evidence, "seconds_ahead"),
        time_in(evidence, "limit_seconds")
    );
}

std::string late_reason(const events::Evidence& evidence, const Event&) {
    return fmt::format(
        "it came {} after it happened, and more than {} is too late",
        time_in(evidence, "seconds_late"),
        time_in(evidence, "limit_seconds")
    );
}

std::string pattern_reason(const events::Evidence& evidence, const Event& event) {
    return fmt::format(
        "no person asked: its agent \"{}\" has \"{}\", by which programs are known",
        event.agent,
        value_of(evidence, "pattern")
    );
}

std::string sign_reason(const events::Evidence& evidence, const Event&) {
    return fmt::format("no person asked: the request was \"{}\"", value_of(evidence, "sign"));
}

std::string network_reason(const events::Evidence& evidence, const Event&) {
    return fmt::format(
        "its address is in {}, whose events do not count", value_of(evidence, "network")
    );
}

std::string internal_network_reason(const events::Evidence& evidence, const Event&) {
    return fmt::format(
        "its address is in {}, a network of the site itself", value_of(evidence, "internal_network")
    );
}

std::string internal_reason(const events::Evidence&, const Event&) {
    return "this person belongs to the site itself";
}

std::string missing_reason(const events::Evidence& evidence, const Event&) {
    return fmt::format("it has no {}", value_of(evidence, "missing"));
}

std::string owner_reason(const events::Evidence& evidence, const Event&) {
    const std::string_view field = value_of(evidence, "owner");
    return field == "list" ? "the object belongs to this person"
                           : fmt::format("this person is the object's {}", field);
}

std::string condition_reason(const events::Evidence& evidence, const Event&) {
    return fmt::format("it meets the condition {}", value_of(evidence, "when"));
}

std::string id_reason(const events::Evidence& evidence, const Event&) {
    return fmt::format(
        "its id \"{}\" was used before, for this object and with other content",
        value_of(evidence, "id")
    );
}

std::string too_old_reason(const events::Evidence& evidence, const Event&) {
    return fmt::format(
        "what happened before {} is known no more one by one, so it may have been counted already",
        value_of(evidence, "known_from")
    );
}

struct ReasonText {
    std::string_view evidence;  ///< Whoever has this is of that kind.
    std::string (*text)(const events::Evidence&, const Event&);
};

constexpr std::array<ReasonText, 15> reason_texts{{
    {"earlier", repeat_reason},
    {"later", repeat_reason},
    {"per", rate_reason},
    {"seconds_ahead", ahead_reason},
    {"seconds_late", late_reason},
    {"pattern", pattern_reason},
    {"sign", sign_reason},
    {"network", network_reason},
    {"internal_network", internal_network_reason},
    {"internal", internal_reason},
    {"missing", missing_reason},
    {"owner", owner_reason},
    {"when", condition_reason},
    {"id", id_reason},
    {"known_from", too_old_reason},
}};

std::string reason_of(const events::Objection& objection, const Event& event) {
    for (const ReasonText& each : reason_texts) {
        const bool has = std::ranges::any_of(objection.evidence, [&](const auto& piece) {
            return piece.first == each.evidence;
        });
        if (has) {
            return each.text(objection.evidence, event);
        }
    }
    return fmt::format("the rule \"{}\" objected ({})", objection.rule, objection.reason);
}

}  // namespace

std::string why(const events::Verdict& verdict, const Event& event) {
    std::string text = verdict.refusal
                           ? fmt::format("Not counted: {}.", reason_of(*verdict.refusal, event))
                           : "Counted: no rule objected.";
    if (value_of(verdict.remarks, "shared") == "away") {
        text +=
            " The memory that processes share was away, so rules on rates went by what one of them "
            "remembered.";
    }
    for (const events::Objection& objection : verdict.shadow) {
        text += fmt::format(
            " The rule \"{}\", which is on trial, would have refused it: {}.",
            objection.rule,
            reason_of(objection, event)
        );
    }
    return text;
}

}  // namespace footfall::guard
