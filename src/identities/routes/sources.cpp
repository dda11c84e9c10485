#include "identities_routes/sources.h"

#include "api/on_pool.h"
#include "identities/fact_rows.h"
#include "jobs/wait_until.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace footfall::identities::routes {
namespace {

runtime::Task<> answer_on(
    runtime::BlockingPool* pool, Sources sources, Answer answer, http_server::Exchange* exchange
) {
    auto work = [&] { return answer(sources, exchange->request()); };
    exchange->response() = co_await api::on_pool(pool, std::move(work));
}

http_server::Handler on(runtime::BlockingPool* pool, const Sources& sources, Answer answer) {
    return [pool, sources, answer = std::move(answer)](http_server::Exchange& exchange) {
        return std::optional{answer_on(pool, sources, answer, &exchange)};
    };
}

/// Whether all of it is in rows.
Result<bool> is_in_rows(const Sources& sources, const Fact& fact) {
    TRY(const auto read,
        read_fact(sources.identities->settling().store(), holders_of(fact).front(), fact.id));
    return read && read->first <= fact.first && fact.last <= read->last;
}

}  // namespace

http_server::Handler on_lookups(const Sources& sources, Answer answer) {
    return on(sources.lookups, sources, std::move(answer));
}

http_server::Handler on_saying(const Sources& sources, Answer answer) {
    return on(sources.saying, sources, std::move(answer));
}

Result<Neighbourhood> say_and_settle(
    const Sources& sources, const Fact& fact, const std::function<Result<void>()>& say
) {
    TRY_VOID(say());
    const std::vector<Id> ids = ids_of(fact);
    return jobs::wait_until<Neighbourhood>(
        [&] { return sources.identities->flush(true); },
        [&]() -> Result<std::optional<Neighbourhood>> {
            TRY(const bool is_in, is_in_rows(sources, fact));
            return is_in ? sources.identities->settling().settled(ids)
                         : Result<std::optional<Neighbourhood>>{};
        },
        std::string{still_to_come}
    );
}

/// Where too much is found, it is found of each id by itself, so that the next one who names one
/// of them knows it.
Result<std::optional<Follows>> what_follows(const Sources& sources, std::span<const Id> ids) {
    const Settling& settling = sources.identities->settling();
    auto known = settling.settled(ids, /*trusts_crowd=*/true);
    if (known) {
        std::optional<Neighbourhood>& stands = *known;
        return stands ? std::optional{Follows{.known = std::move(stands)}} : std::nullopt;
    }
    if (known.error().kind != ErrorKind::conflict) {
        return std::unexpected(known.error());
    }
    for (std::size_t at = 0; at < ids.size() && !settling.is_crowd(ids); ++at) {
        const auto of_one = settling.settled(ids.subspan(at, 1), /*trusts_crowd=*/true);
        if (!of_one && of_one.error().kind != ErrorKind::conflict) {
            return std::unexpected(of_one.error());
        }
    }
    settling.noted().add(ids);
    return Follows{};
}

Result<Follows> say_and_follow(
    const Sources& sources, const Fact& fact, const std::function<Result<void>()>& say
) {
    TRY_VOID(say());
    const std::vector<Id> ids = ids_of(fact);
    return jobs::wait_until<Follows>(
        [&] { return sources.identities->flush(true); },
        [&]() -> Result<std::optional<Follows>> {
            TRY(const bool is_in, is_in_rows(sources, fact));
            return is_in ? what_follows(sources, ids) : Result<std::optional<Follows>>{};
        },
        std::string{still_to_come}
    );
}

Result<void> say_each(
    const Sources& sources,
    std::span<const events::IdentityDecided> decisions,
    std::span<const Fact> facts
) {
    constexpr std::size_t decisions_at_once = 1000;
    const Settling& settling = sources.identities->settling();
    const auto flush = [&] { return sources.identities->flush(true); };
    for (std::size_t at = 0; at < facts.size(); at += decisions_at_once) {
        const std::size_t end = std::min(at + decisions_at_once, facts.size());
        std::vector<events::ControlInLane> controls;
        controls.reserve(end - at);
        for (std::size_t each = at; each < end; ++each) {
            controls.push_back(
                {.lane = sources.identities->lane_of(holders_of(facts[each])),
                 .control = decisions[each]}
            );
        }
        TRY_VOID(sources.collector->say_each(controls));
    }
    for (std::size_t at = 0; at < facts.size(); at += decisions_at_once) {
        std::vector<const Fact*> said;
        for (const Fact& each : facts.subspan(at, std::min(decisions_at_once, facts.size() - at))) {
            said.push_back(&each);
        }
        TRY_VOID(jobs::wait_until<bool>(
            flush,
            [&]() -> Result<std::optional<bool>> {
                TRY(const auto are_in, are_in_rows(settling.store(), said));
                const bool all = std::ranges::find(are_in, false) == are_in.end();
                return all ? std::optional{true} : std::nullopt;
            },
            std::string{still_to_come}
        ));
    }
    return {};
}

Result<Neighbourhood> wait_settled(const Sources& sources, std::span<const Id> ids) {
    return jobs::wait_until<Neighbourhood>(
        [&] { return sources.identities->flush(true); },
        [&] { return sources.identities->settling().settled(ids); },
        std::string{still_to_come}
    );
}

Result<Neighbourhood> say_each_and_settle(
    const Sources& sources,
    std::span<const events::IdentityDecided> decisions,
    std::span<const Fact> facts,
    std::span<const Id> ids
) {
    TRY_VOID(say_each(sources, decisions, facts));
    return wait_settled(sources, ids);
}

Error refused_by_a_rule() {
    return {
        .kind = ErrorKind::conflict,
        .message =
            "a rule refused this match, so it states nothing; /api/v1/views of the action identify "
            "says which"
    };
}

std::vector<std::string> sids_of(
    const Settling& settling, const Resolution& resolution, std::span<const Id> ids
) {
    std::vector<std::string> sids;
    for (const Profile& each : resolution.profiles) {
        const bool has_one = std::ranges::any_of(each.members, [&](const Member& member) {
            return std::ranges::find(ids, member.id) != ids.end();
        });
        if (has_one) {
            sids.push_back(settling.sid_of(each));
        }
    }
    return sids;
}

}  // namespace footfall::identities::routes
