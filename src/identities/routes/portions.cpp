#include "identities_routes/portions.h"

#include "api/answers.h"
#include "api/flag_parameter.h"
#include "api/parameters.h"
#include "foundation/hex.h"
#include "identities/profile_rows.h"
#include "identities_routes/decided.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::identities::routes {
namespace {

using api::answer_error;
using api::Asked;
using api::invalid_input;
using events::IdentityDecided;
using http_server::Request;

constexpr std::uint64_t found_max = 1000;
/// Profiles of so many facts are waited for at once: all of a portion could be more than one look
/// takes.
constexpr std::size_t facts_at_once = 16;

/// Which of them there are is looked up by who looks through them.
constexpr std::int64_t partitions_most = std::int64_t{1} << most_index_level;

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
                        partition >= 0 && partition < partitions_most && identifier && id_name &&
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

std::vector<Id> ids_of_all(std::span<const Fact* const> facts) {
    std::set<Id> ids;
    for (const Fact* const each : facts) {
        ids.insert(each->ids.begin(), each->ids.end());
        ids.insert(each->others.begin(), each->others.end());
    }
    return {ids.begin(), ids.end()};
}

/// In how many profiles the ids of these facts are.
Result<std::size_t> profiles_of(const IndexLevels& levels, std::span<const Fact* const> facts) {
    std::set<std::string> sids;
    constexpr std::size_t looked_up_at_once = 1000;
    const std::vector<Id> ids = ids_of_all(facts);
    for (std::size_t at = 0; at < ids.size(); at += looked_up_at_once) {
        const auto some = std::span{ids}.subspan(at, std::min(looked_up_at_once, ids.size() - at));
        TRY(const Index index, read_index(levels, some));
        for (const auto& [id, entry] : index) {
            sids.insert(entry.sid);
        }
    }
    return sids.size();
}

/// Waits until the profiles of these facts stand. Those with which too much hangs together stay as
/// they are, and are not waited for: the decisions hold, and their own messages say so.
Result<void> wait_for_profiles(const Sources& sources, std::span<const Fact* const> facts) {
    const auto known = wait_settled(sources, ids_of_all(facts));
    if (known) {
        return {};
    }
    if (known.error().kind != ErrorKind::conflict) {
        return std::unexpected(known.error());
    }
    if (facts.size() <= 1) {
        return {};
    }
    const std::size_t half = facts.size() / 2;
    TRY_VOID(wait_for_profiles(sources, facts.first(half)));
    return wait_for_profiles(sources, facts.subspan(half));
}

/// What `decide` says of each of these facts.
Asked<void> decide_each(
    const Sources& sources,
    std::span<const Fact* const> about,
    const std::function<Asked<IdentityDecided>(const Fact& fact)>& decide
) {
    std::vector<IdentityDecided> decisions;
    std::vector<Fact> facts;
    for (const Fact* const each : about) {
        Asked<IdentityDecided> decided = decide(*each);
        if (!decided) {
            return std::unexpected(std::move(decided).error());
        }
        facts.push_back(fact_of(*decided));
        decisions.push_back(*std::move(decided));
    }
    if (const auto said = say_each(sources, decisions, facts); !said) {
        return std::unexpected(answer_error(said.error()));
    }
    for (std::size_t at = 0; at < about.size(); at += facts_at_once) {
        const auto some = about.subspan(at, std::min(facts_at_once, about.size() - at));
        if (const auto stand = wait_for_profiles(sources, some); !stand) {
            return std::unexpected(answer_error(stand.error()));
        }
    }
    return {};
}

}  // namespace

Asked<Portion> read_portion(const Sources& sources, const Request& request) {
    if (auto refused = api::refuse_unknown_parameter(request, {"dry_run", "cursor", "limit"})) {
        return std::unexpected(*std::move(refused));
    }
    const Asked<bool> is_trial = api::flag_parameter(request, "dry_run");
    const Asked<std::uint64_t> limit =
        api::number_parameter(request, "limit", found_max, 1, found_max);
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
    Asked<IdentityDecided> begun = begin_decision(sources, request, "");
    if (!begun) {
        return std::unexpected(std::move(begun).error());
    }
    return Portion{
        .is_trial = *is_trial,
        .after = std::move(after),
        .found_max = static_cast<std::size_t>(*limit),
        .begun = *std::move(begun)
    };
}

Asked<DecidedPortion> decide_portion(
    const Sources& sources,
    const Portion& portion,
    const std::function<bool(const Fact& fact)>& wanted,
    const std::function<Asked<IdentityDecided>(const Fact& fact)>& decide
) {
    // What this process was told is in rows, by which facts are found.
    if (const auto flushed = sources.identities->flush(true); !flushed) {
        return std::unexpected(answer_error(flushed.error()));
    }
    storage::Store& store = sources.identities->settling().store();
    auto found = find_facts(store, wanted, portion.after, {.found_max = portion.found_max});
    if (!found) {
        return std::unexpected(answer_error(found.error()));
    }
    std::vector<const Fact*> left;
    for (const FoundFact& each : found->facts) {
        if (!each.is_taken_back) {
            left.push_back(&each.fact);
        }
    }
    const auto profiles = profiles_of(sources.identities->settling().levels(), left);
    if (!profiles) {
        return std::unexpected(answer_error(profiles.error()));
    }
    if (!portion.is_trial && !left.empty()) {
        if (auto decided = decide_each(sources, left, decide); !decided) {
            return std::unexpected(std::move(decided).error());
        }
    }
    const std::optional<PlaceInIndex>& next = found->next;
    DecidedPortion answer{
        .found = found->facts.size(),
        .profiles = *profiles,
        .looked_at = found->ids,
        .next = next ? fmt::format(R"("{}")", cursor_of(*next)) : "null"
    };
    for (FoundFact& each : found->facts) {
        if (!each.is_taken_back) {
            answer.decided.push_back(std::move(each.fact));
        }
    }
    return answer;
}

}  // namespace footfall::identities::routes
