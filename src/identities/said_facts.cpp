#include "identities/said_facts.h"

#include "events/action.h"
#include "events/erased.h"
#include "foundation/json_string.h"
#include "foundation/utf8.h"
#include "identities/normalised.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Of an event; empty: it has none.
boost::json::object attributes_of(const events::Event& event) {
    boost::system::error_code damage;
    boost::json::value attributes = boost::json::parse(event.attributes, damage);
    auto* const object = damage ? nullptr : attributes.if_object();
    return object == nullptr ? boost::json::object{} : std::move(*object);
}

/// "source" of the event's attributes; "": there is none.
std::string source_of(const boost::json::object& attributes) {
    const auto* const source = attributes.if_contains("source");
    const auto* const text = source == nullptr ? nullptr : source->if_string();
    return text == nullptr ? std::string{} : std::string{text->data(), text->size()};
}

/// Of a match. What cannot be taken, as it came by another way than `match`, is left out.
std::vector<Fact> data_of(const events::JudgedEvent& judged, const Guards* guards) {
    const boost::json::object attributes = attributes_of(judged.event);
    const auto* const found = attributes.if_contains("data");
    const auto* const data = found == nullptr ? nullptr : found->if_object();
    const auto* const of = attributes.if_contains("of");
    const auto* const place = of == nullptr ? nullptr : of->if_int64();
    const std::vector<Id>& sent = judged.event.identifiers;
    const std::size_t at = place == nullptr ? 0 : static_cast<std::size_t>(*place);
    if (data == nullptr || data->size() > match_data_max || at >= sent.size()) {
        return {};
    }
    const Id id = guards == nullptr ? sent[at] : normalised(*guards, sent[at]);
    std::vector<Fact> facts;
    for (const auto& [key, value] : *data) {
        const std::string name{key};
        if (fault_of(id) || fault_of_part("a name", name) || fault_of_value(value)) {
            continue;
        }
        const std::string text = boost::json::serialize(value);
        facts.push_back(
            {.kind = FactKind::datum,
             .ids = {id},
             .first = judged.event.time,
             .last = judged.event.time,
             .recorded = judged.arrival,
             .source = source_of(attributes),
             .datum = Datum{.name = name, .first = text, .latest = text, .longest = text}}
        );
        seal(facts.back());
    }
    return facts;
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

events::Event identify_event(std::vector<Id> ids, std::string_view source, const MatchData& data) {
    events::Event event;
    event.action = events::identify_action;
    event.object = object_of(ids.front());
    event.identifiers = std::move(ids);
    std::vector<std::string> attributes;
    if (!source.empty()) {
        attributes.push_back(fmt::format(R"("source":{})", json_string(source)));
    }
    if (!data.json.empty()) {
        attributes.push_back(fmt::format(R"("data":{},"of":{})", data.json, data.of));
    }
    if (!attributes.empty()) {
        event.attributes = fmt::format("{{{}}}", fmt::join(attributes, ","));
    }
    return event;
}

std::optional<std::string> fault_of_value(const boost::json::value& value) {
    constexpr std::size_t longest = 1000;
    const auto* const text = value.if_string();
    if (text == nullptr && !value.is_int64() && !value.is_bool()) {
        return "the value of a datum is a text, a whole number, true or false";
    }
    if (text == nullptr) {
        return std::nullopt;
    }
    const std::string_view characters{text->data(), text->size()};
    if (characters.size() > longest) {
        return fmt::format("the value of a datum has at most {} bytes", longest);
    }
    return is_utf8(characters) && !events::has_control_character(characters)
               ? std::nullopt
               : std::optional<std::string>{"the value of a datum has no control characters"};
}

std::vector<Fact> facts_of(const events::JudgedEvent& judged, const Guards* guards) {
    auto link = link_of(judged, guards);
    if (!link) {
        return {};
    }
    std::vector<Fact> facts;
    if (judged.event.action == events::identify_action) {
        facts = data_of(judged, guards);
    }
    facts.push_back(*std::move(link));
    return facts;
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
        .source = is_match ? source_of(attributes_of(event)) : event.action
    };
    if (!event.actor.empty() && !events::hash_in_place(event.actor)) {
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
        case events::IdentityKind::lift:
            fact.kind = FactKind::lift;
            fact.others.clear();
            break;
    }
    const bool is_parting = fact.kind == FactKind::parting;
    if (fact.ids.empty() || (is_parting && fact.others.empty())) {
        return std::nullopt;
    }
    if (!is_parting && fact.kind != FactKind::lift) {
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
