#include "identities_routes/match_json.h"

#include "api/answers.h"
#include "api/small_json.h"
#include "events/rfc3339.h"
#include "identities/normalised.h"
#include "identities/said_facts.h"
#include "identities_routes/identity_json.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace footfall::identities::routes {
namespace {

using api::Asked;
using api::invalid_input;

/// The event that says it, and the fact that will follow.
Match match_of(
    const Guards& guards,
    std::vector<Id> ids,
    Instant time,
    const std::string& source,
    const MatchData& data
) {
    Match match{.event = identify_event(ids, source, data), .fact = {}};
    match.event.time = time;
    match.fact = {
        .kind = FactKind::link,
        .ids = normalised(guards, std::move(ids)),
        .first = time,
        .last = time,
        .source = source
    };
    seal(match.fact);
    return match;
}

/// Of the id that is named first.
Asked<MatchData> read_data(const boost::json::object& body, const std::vector<Id>& ids) {
    const auto* const found = body.if_contains("data");
    if (found == nullptr || found->is_null()) {
        return MatchData{};
    }
    const auto* const data = found->if_object();
    if (data == nullptr || data->size() > match_data_max) {
        return std::unexpected(invalid_input(
            fmt::format("data is up to {} values by name: {{\"city\":\"Oslo\"}}", match_data_max),
            "data"
        ));
    }
    for (const auto& [key, value] : *data) {
        const std::string name{key};
        const auto fault = fault_of_part("a name", name);
        if (const auto wrong = fault ? fault : fault_of_value(value)) {
            return std::unexpected(invalid_input(*wrong, fmt::format("data.{}", name)));
        }
    }
    MatchData read;
    if (!data->empty() && !ids.empty()) {
        read.json = boost::json::serialize(*data);
        const Id first = first_id(body, "ids");
        read.of = static_cast<std::size_t>(std::ranges::find(ids, first) - ids.begin());
    }
    return read;
}

Asked<Instant> read_time(const boost::json::object& body, Instant now) {
    const auto* const found = body.if_contains("time");
    if (found == nullptr || found->is_null()) {
        return now;
    }
    const auto* const text = found->if_string();
    const auto time = text == nullptr
                          ? std::nullopt
                          : events::parse_rfc3339(std::string_view{text->data(), text->size()});
    if (!time) {
        return std::unexpected(
            invalid_input("time is RFC 3339, such as 2026-11-21T10:00:00Z", "time")
        );
    }
    if (*time > now + said_ahead_max) {
        return std::unexpected(invalid_input("time is still to come", "time"));
    }
    return *time;
}

/// Of the first id that unites others, or of the first one; empty: none is in a profile.
std::string sid_of_match(const std::vector<Id>& ids, const Index& now) {
    std::string sid;
    for (const Id& each : ids) {
        const auto found = now.find(each);
        if (found == now.end()) {
            continue;
        }
        if (!found->second.shared) {
            return found->second.sid;
        }
        sid = sid.empty() ? found->second.sid : sid;
    }
    return sid;
}

}  // namespace

Asked<Match> read_match(
    const Guards& guards, std::string_view text, std::string_view what, Instant now
) {
    const auto body = api::small_json(text, what, {"ids", "time", "source", "data"});
    if (!body) {
        return std::unexpected(body.error());
    }
    Asked<std::vector<Id>> ids = read_ids(*body, "ids", fact_ids_max);
    Asked<std::string> source = read_text(*body, "source", events::longest_id);
    const Asked<Instant> time = read_time(*body, now);
    if (!ids || !source || !time) {
        return std::unexpected(!ids ? ids.error() : !source ? source.error() : time.error());
    }
    if (events::has_control_character(*source)) {
        return std::unexpected(invalid_input("source has no control characters", "source"));
    }
    if (ids->empty()) {
        return std::unexpected(invalid_input(
            R"(ids is missing: {"ids":[{"identifier":"www","id_name":"id","id_value":"w111"}]})",
            "ids"
        ));
    }
    if (ids->size() == 1 && body->at("ids").as_array().size() > 1) {
        return std::unexpected(
            invalid_input("ids names one id again and again: a link is between two", "ids")
        );
    }
    const Asked<MatchData> data = read_data(*body, *ids);
    if (!data) {
        return std::unexpected(data.error());
    }
    return match_of(guards, *std::move(ids), *time, *source, *data);
}

Result<events::Event> event_of(Match match) {
    if (const auto fault = events::tidy_event(match.event)) {
        return fail(ErrorKind::invalid_input, fmt::format("{}: {}", fault->field, fault->detail));
    }
    return std::move(match.event);
}

std::string match_json(const Match& match, const MatchOutcome& outcome) {
    const std::vector<Id>& ids = match.fact.ids;
    const std::string sid = sid_of_match(ids, *outcome.now);
    std::set<std::string_view> merged;
    for (std::size_t at = 0; at < outcome.before.size(); ++at) {
        const auto now = outcome.now->find(ids[at]);
        if (!outcome.before[at].empty() && now != outcome.now->end() && now->second.sid == sid) {
            merged.insert(outcome.before[at]);
        }
    }
    if (merged.size() < 2) {
        merged.clear();
    }
    std::string json = fmt::format(
        R"({{"sid":{},"created":{},"merged":[)",
        sid.empty() ? "null" : fmt::format(R"("{}")", sid),
        outcome.created
    );
    for (const std::string_view each : merged) {
        json += fmt::format(R"({}"{}")", json.ends_with('[') ? "" : ",", each);
    }
    json += R"(],"contested":)";
    append_contested(outcome.contested, match.fact.id, json);
    return json + fmt::format(R"(,"provisional":{}}})", outcome.is_provisional);
}

Index index_of(const Settling& settling, const Neighbourhood& known) {
    Index index;
    for (const Profile& each : known.resolution.profiles) {
        const std::string sid = settling.sid_of(each);
        for (const Member& member : each.members) {
            const bool shared = known.resolution.shared.contains(member.id);
            index.emplace(member.id, IndexEntry{.sid = sid, .shared = shared});
        }
    }
    for (const Id& each : known.around.shared) {
        index.emplace(each, known.index.at(each));
    }
    return index;
}

}  // namespace footfall::identities::routes
