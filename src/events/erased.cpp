#include "events/erased.h"

#include "events/action.h"
#include "events/event_keys.h"
#include "foundation/hex.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace footfall::events {
namespace {

constexpr char in_place = '\x01';
constexpr std::size_t hash_digits = 16;
/// In place of the object of a match, which is an id.
constexpr std::string_view erased_object = "erased";

/// Of a match what its source says of those who are still there; of all others nothing.
std::string attributes_left(const Event& event, const std::vector<bool>& is_gone) {
    boost::system::error_code damage;
    boost::json::value value = boost::json::parse(event.attributes, damage);
    auto* const said = damage ? nullptr : value.if_object();
    if (event.action != identify_action || said == nullptr) {
        return {};
    }
    boost::json::object left;
    if (const auto* const source = said->if_contains("source")) {
        left["source"] = *source;
    }
    const auto* const data = said->if_contains("data");
    const auto* const of = said->if_contains("of");
    const std::int64_t at = of != nullptr && of->is_int64() ? of->get_int64() : 0;
    const bool is_there =
        at >= 0 && std::cmp_less(at, is_gone.size()) && !is_gone[static_cast<std::size_t>(at)];
    if (data != nullptr && is_there) {
        left["data"] = *data;
        left["of"] = at - std::count(is_gone.begin(), is_gone.begin() + at, true);
    }
    return left.empty() ? std::string{} : boost::json::serialize(left);
}

/// An actor who is not erased stays.
void erase_texts(JudgedEvent& judged, bool of_actor, SipKey secret) {
    Event& event = judged.event;
    const auto person = person_of(event, secret);
    if (person && (of_actor || event.actor.empty())) {
        event.actor = text_in_place_of(*person);
    }
    if (!event.id.empty()) {
        event.id = text_in_place_of(id_hash(event.id, secret));
    }
    event.address.clear();
    event.agent.clear();
    event.referrer.clear();
    Verdict& verdict = judged.verdict;
    if (verdict.refusal) {
        verdict.refusal->evidence.clear();
    }
    for (Objection& each : verdict.shadow) {
        each.evidence.clear();
    }
    verdict.remarks.clear();
}

}  // namespace

Identifier id_of_actor(std::string actor) {
    return {std::string{actor_network}, std::string{actor_id_name}, std::move(actor)};
}

std::string text_in_place_of(std::uint64_t hash) {
    return fmt::format("{}{:016x}", in_place, hash);
}

std::optional<std::uint64_t> hash_in_place(std::string_view text) {
    if (text.size() != 1 + hash_digits || text.front() != in_place) {
        return std::nullopt;
    }
    std::uint64_t hash = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + 1, end, hash, 16);
    return read.ec == std::errc{} && read.ptr == end ? std::optional{hash} : std::nullopt;
}

bool erase_from(JudgedEvent& judged, const IsErased& is_erased, SipKey secret) {
    Event& event = judged.event;
    std::vector<bool> is_gone;
    is_gone.reserve(event.identifiers.size());
    for (const Identifier& each : event.identifiers) {
        is_gone.push_back(is_erased(each, judged.arrival));
    }
    const bool of_actor = !event.actor.empty() && !hash_in_place(event.actor) &&
                          is_erased(id_of_actor(event.actor), judged.arrival);
    if (!of_actor && std::ranges::find(is_gone, true) == is_gone.end()) {
        return false;
    }
    // What is left of a match begins with another id, and its lane is where it stands.
    const auto names_object = [&](const Identifier& each) {
        return event.object ==
               fmt::format("{}/{}/{}", each.identifier, each.id_name, each.id_value);
    };
    for (std::size_t at = 0; at < is_gone.size(); ++at) {
        if (is_gone[at] && event.action == identify_action && names_object(event.identifiers[at])) {
            event.object = erased_object;
            break;
        }
    }
    event.attributes = attributes_left(event, is_gone);
    std::vector<Identifier> left;
    for (std::size_t at = 0; at < is_gone.size(); ++at) {
        if (!is_gone[at]) {
            left.push_back(std::move(event.identifiers[at]));
        }
    }
    event.identifiers = std::move(left);
    erase_texts(judged, of_actor, secret);
    return true;
}

bool erase_from(Control& control, const IsErased& is_erased) {
    auto* const decided = std::get_if<IdentityDecided>(&control);
    if (decided == nullptr) {
        return false;
    }
    const auto names_one = [&](const std::vector<Identifier>& ids) {
        return std::ranges::any_of(ids, [&](const Identifier& each) {
            return is_erased(each, decided->said);
        });
    };
    if (!names_one(decided->ids) && !names_one(decided->others)) {
        return false;
    }
    control = ReadsMark{.said = decided->said, .source = decided->source};
    return true;
}

}  // namespace footfall::events
