#include "identities/said_facts.h"

#include "events/action.h"
#include "foundation/json_string.h"
#include "foundation/utf8.h"
#include "identities/normalised.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::identities {
namespace {

/// What programs write in place of an id that they do not know. In small letters.
constexpr std::array<std::string_view, 14> nobody{
    "null",
    "nil",
    "none",
    "nan",
    "undefined",
    "unknown",
    "anonymous",
    "guest",
    "n/a",
    "na",
    "0",
    "-1",
    "00000000-0000-0000-0000-000000000000",
    "[object object]"
};

std::string in_small_letters(std::string_view text) {
    std::string small{text};
    std::ranges::transform(small, small.begin(), [](char each) {
        return each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
    });
    return small;
}

/// "source" of the event's attributes; "": there is none.
std::string source_of(const events::Event& event) {
    boost::system::error_code damage;
    const boost::json::value attributes = boost::json::parse(event.attributes, damage);
    const auto* const object = damage ? nullptr : attributes.if_object();
    const auto* const source = object == nullptr ? nullptr : object->if_contains("source");
    const auto* const text = source == nullptr ? nullptr : source->if_string();
    return text == nullptr ? std::string{} : std::string{text->data(), text->size()};
}

/// Whether what an event names counts as said. A read says nothing: who read is in the log under a
/// seal alone, if at all.
bool is_said(const events::JudgedEvent& judged) {
    constexpr std::string_view repeat = "repeat";
    const auto& refusal = judged.verdict.refusal;
    return !judged.read && judged.door == events::Door::trusted_door &&
           (!refusal || refusal->reason.starts_with(repeat));
}

}  // namespace

std::string object_of(const Id& id) {
    return fmt::format("{}/{}/{}", id.identifier, id.id_name, id.id_value);
}

std::optional<std::string> fault_of_part(std::string_view name, std::string_view text) {
    if (text.empty() || text.size() > events::longest_id) {
        return fmt::format("{} is a text of 1 to {} bytes", name, events::longest_id);
    }
    if (!is_utf8(text) || events::has_control_character(text)) {
        return fmt::format("{} is UTF-8 without control characters", name);
    }
    return std::nullopt;
}

std::optional<std::string> fault_of(const Id& id) {
    if (std::ranges::find(nobody, in_small_letters(id.id_value)) == nobody.end()) {
        return std::nullopt;
    }
    return fmt::format(
        "\"{}\" stands for nobody: programs write it where they know no id; leave such an id out",
        id.id_value
    );
}

events::Event identify_event(std::vector<Id> ids, std::string_view source) {
    events::Event event;
    event.action = events::identify_action;
    event.object = object_of(ids.front());
    event.identifiers = std::move(ids);
    if (!source.empty()) {
        event.attributes = fmt::format(R"({{"source":{}}})", json_string(source));
    }
    return event;
}

std::optional<Fact> link_of(const events::JudgedEvent& judged, const Guards* guards) {
    const events::Event& event = judged.event;
    const bool is_match = event.action == events::identify_action;
    if ((event.identifiers.empty() && !is_match) || !is_said(judged)) {
        return std::nullopt;
    }
    Fact fact{
        .kind = FactKind::link,
        .ids = event.identifiers,
        .first = event.time,
        .last = event.time,
        .recorded = judged.arrival,
        .source = is_match ? source_of(event) : event.action
    };
    if (!event.actor.empty()) {
        fact.ids.push_back({std::string{own_network}, std::string{own_id_name}, event.actor});
    }
    if (guards != nullptr) {
        fact.ids = normalised(*guards, std::move(fact.ids));
    }
    std::erase_if(fact.ids, [](const Id& each) { return fault_of(each).has_value(); });
    seal(fact);
    if (fact.ids.size() < (is_match ? 1U : 2U)) {
        return std::nullopt;
    }
    return fact;
}

std::optional<Fact> decision_of(const events::IdentityDecided& decided) {
    Fact fact{
        .kind = {},
        .ids = decided.ids,
        .others = decided.others,
        .first = decided.said,
        .last = decided.said,
        .recorded = decided.said,
        .source = decided.id,
        .author = decided.author,
        .reason = decided.reason
    };
    switch (decided.kind) {
        case events::IdentityKind::parting:
            fact.kind = FactKind::parting;
            break;
        case events::IdentityKind::accept:
            fact.kind = FactKind::accept;
            break;
        case events::IdentityKind::reject:
            fact.kind = FactKind::reject;
            break;
        case events::IdentityKind::revoke:
            fact.kind = FactKind::revoke;
            break;
    }
    const bool is_parting = fact.kind == FactKind::parting;
    if (fact.ids.empty() || (is_parting && fact.others.empty())) {
        return std::nullopt;
    }
    if (!is_parting) {
        FactId about;
        if (decided.about.size() != about.bytes.size()) {
            return std::nullopt;
        }
        std::ranges::copy(decided.about, about.bytes.begin());
        fact.about = about;
    }
    seal(fact);
    return fact;
}

}  // namespace footfall::identities
