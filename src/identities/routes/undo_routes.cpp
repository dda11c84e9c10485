#include "identities_routes/undo_routes.h"

#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/small_json.h"
#include "events/control.h"
#include "foundation/hex.h"
#include "identities/found_links.h"
#include "identities/profile_rows.h"
#include "identities_routes/decided.h"
#include "identities_routes/identity_json.h"
#include "identities_routes/links_of_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::identities::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::invalid_input;
using api::json_answer;
using events::IdentityDecided;
using http_server::Request;
using http_server::Response;

constexpr std::uint64_t links_max = 1000;
/// Profiles of so many links are waited for at once: all of a portion could be more than one look
/// takes.
constexpr std::size_t links_at_once = 16;

/// "777777.12.6964.7731.": names as hexadecimal digits, so that they are of a URL.
std::string cursor_of(const PlaceInIndex& place) {
    return fmt::format(
        "{}.{}.{}.{}.{}",
        hex(place.identifier),
        place.partition,
        hex(place.id_name),
        hex(place.id_value),
        place.fact ? text_of(*place.fact) : std::string{}
    );
}

std::optional<PlaceInIndex> place_of(std::string_view cursor) {
    constexpr std::size_t parts_of_it = 5;
    std::array<std::string_view, parts_of_it> parts;
    for (std::size_t at = 0; at < parts.size(); ++at) {
        const std::size_t end = cursor.find('.');
        if ((end == std::string_view::npos) != (at + 1 == parts.size())) {
            return std::nullopt;
        }
        parts[at] = cursor.substr(0, end);
        cursor.remove_prefix(std::min(parts[at].size() + 1, cursor.size()));
    }
    const auto& [network, number, name, value, fact] = parts;
    std::int64_t partition = -1;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), partition);
    auto identifier = unhex(network);
    auto id_name = unhex(name);
    auto id_value = unhex(value);
    const auto after = fact_id_of(fact);
    const bool is_one = read.ec == std::errc{} && read.ptr == number.data() + number.size() &&
                        partition >= 0 && partition < index_partitions && identifier && id_name &&
                        id_value && !identifier->empty() && id_name->empty() == id_value->empty() &&
                        (fact.empty() || (after && !id_name->empty()));
    if (!is_one) {
        return std::nullopt;
    }
    return PlaceInIndex{
        .identifier = *std::move(identifier),
        .partition = partition,
        .id_name = *std::move(id_name),
        .id_value = *std::move(id_value),
        .fact = after
    };
}

/// A portion that is asked for.
struct Portion {
    bool is_trial = false;
    LinksOfSource of_source;
    std::optional<PlaceInIndex> after;
    std::size_t links_max = 0;
    IdentityDecided begun;
};

Asked<Portion> read_portion(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"dry_run", "cursor", "limit"})) {
        return std::unexpected(*std::move(refused));
    }
    const Asked<bool> is_trial = api::flag_parameter(request, "dry_run");
    const Asked<std::uint64_t> limit =
        api::number_parameter(request, "limit", links_max, 1, links_max);
    const Asked<std::string> cursor = api::text_parameter(request, "cursor", "");
    if (!is_trial || !limit || !cursor) {
        return std::unexpected(
            !is_trial ? is_trial.error()
            : !limit  ? limit.error()
                      : cursor.error()
        );
    }
    auto after = place_of(*cursor);
    if (!cursor->empty() && !after) {
        return std::unexpected(
            invalid_input("cursor is what a portion before answered as next", "cursor")
        );
    }
    const auto body = api::small_json_body(request, {"source", "from", "until", "reason"});
    if (!body) {
        return std::unexpected(body.error());
    }
    Asked<LinksOfSource> of_source = read_source_and_time(*body);
    Asked<std::string> reason = read_text(*body, "reason", longest_reason);
    if (!of_source || !reason) {
        return std::unexpected(!of_source ? of_source.error() : reason.error());
    }
    Asked<IdentityDecided> begun = begin_decision(sources, request, *std::move(reason));
    if (!begun) {
        return std::unexpected(std::move(begun).error());
    }
    return Portion{
        .is_trial = *is_trial,
        .of_source = *std::move(of_source),
        .after = std::move(after),
        .links_max = static_cast<std::size_t>(*limit),
        .begun = *std::move(begun)
    };
}

std::vector<Id> ids_of_all(std::span<const Fact* const> links) {
    std::set<Id> ids;
    for (const Fact* const each : links) {
        ids.insert(each->ids.begin(), each->ids.end());
    }
    return {ids.begin(), ids.end()};
}

/// In how many profiles the ids of these links are.
Result<std::size_t> profiles_of(storage::Store& store, std::span<const Fact* const> links) {
    std::set<std::string> sids;
    constexpr std::size_t looked_up_at_once = 1000;
    const std::vector<Id> ids = ids_of_all(links);
    for (std::size_t at = 0; at < ids.size(); at += looked_up_at_once) {
        const auto some = std::span{ids}.subspan(at, std::min(looked_up_at_once, ids.size() - at));
        TRY(const Index index, read_index(store, some));
        for (const auto& [id, entry] : index) {
            sids.insert(entry.sid);
        }
    }
    return sids.size();
}

/// Waits until the profiles of these links stand. Those with which too much hangs together stay as
/// they are, and are not waited for: the decisions hold, and their own messages say so.
Result<void> wait_for_profiles(const Sources& sources, std::span<const Fact* const> links) {
    const auto known = wait_settled(sources, ids_of_all(links));
    if (known) {
        return {};
    }
    if (known.error().kind != ErrorKind::conflict) {
        return std::unexpected(known.error());
    }
    if (links.size() <= 1) {
        return {};
    }
    const std::size_t half = links.size() / 2;
    TRY_VOID(wait_for_profiles(sources, links.first(half)));
    return wait_for_profiles(sources, links.subspan(half));
}

/// A reject of each of these links.
Asked<void> reject_all(
    const Sources& sources, const IdentityDecided& begun, std::span<const Fact* const> links
) {
    std::vector<IdentityDecided> decisions;
    std::vector<Fact> facts;
    for (const Fact* const each : links) {
        Asked<IdentityDecided> decided = reject_of(begun, *each);
        if (!decided) {
            return std::unexpected(std::move(decided).error());
        }
        facts.push_back(fact_of(*decided));
        decisions.push_back(*std::move(decided));
    }
    if (const auto said = say_each(sources, decisions, facts); !said) {
        return std::unexpected(answer_error(said.error()));
    }
    for (std::size_t at = 0; at < links.size(); at += links_at_once) {
        const auto some = links.subspan(at, std::min(links_at_once, links.size() - at));
        if (const auto stand = wait_for_profiles(sources, some); !stand) {
            return std::unexpected(answer_error(stand.error()));
        }
    }
    return {};
}

/// A portion; sent again it decides nothing more.
Response undo(const Sources& sources, const Request& request) {
    const Asked<Portion> portion = read_portion(sources, request);
    if (!portion) {
        return portion.error();
    }
    // What this process was told is in rows, by which links are found.
    if (const auto flushed = sources.identities->flush(true); !flushed) {
        return answer_error(flushed.error());
    }
    storage::Store& store = sources.identities->settling().store();
    const auto found = find_links(
        store,
        [&](const Fact& link) { return portion->of_source.has(link); },
        portion->after,
        {.links_max = portion->links_max}
    );
    if (!found) {
        return answer_error(found.error());
    }
    std::vector<const Fact*> left;
    for (const FoundLink& each : found->links) {
        if (!each.is_taken_back) {
            left.push_back(&each.link);
        }
    }
    const auto profiles = profiles_of(store, left);
    if (!profiles) {
        return answer_error(profiles.error());
    }
    if (!portion->is_trial && !left.empty()) {
        if (const auto rejected = reject_all(sources, portion->begun, left); !rejected) {
            return rejected.error();
        }
    }
    const std::optional<PlaceInIndex>& next = found->next;
    return json_answer(fmt::format(
        R"({{"links":{},"decided":{},"profiles":{},"looked_at":{},"next":{}}})",
        found->links.size(),
        left.size(),
        *profiles,
        found->ids,
        next ? fmt::format(R"("{}")", cursor_of(*next)) : "null"
    ));
}

}  // namespace

void add_undo_routes(api::FrontDoor& door, const Sources& sources) {
    door.add(
        keys::Scope::people,
        http_server::Method::post,
        "/api/v1/identities/undo",
        on_saying(sources, undo),
        {.bytes = api::small_json_bytes_max}
    );
}

}  // namespace footfall::identities::routes
