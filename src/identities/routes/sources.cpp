#include "identities_routes/sources.h"

#include "api/on_pool.h"
#include "identities/fact_rows.h"
#include "jobs/wait_until.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::identities::routes {
namespace {

runtime::Task<> answer_on_lookups(Sources sources, Answer answer, http_server::Exchange* exchange) {
    auto work = [&] { return answer(sources, exchange->request()); };
    exchange->response() = co_await api::on_pool(sources.lookups, std::move(work));
}

}  // namespace

http_server::Handler on_lookups(const Sources& sources, Answer answer) {
    return [sources, answer = std::move(answer)](http_server::Exchange& exchange) {
        return std::optional{answer_on_lookups(sources, answer, &exchange)};
    };
}

Result<Settling::Known> say_and_settle(
    const Sources& sources, const Fact& fact, const std::function<Result<void>()>& say
) {
    TRY_VOID(say());
    Identities& identities = *sources.identities;
    TRY(const Fact taken,
        jobs::wait_until<Fact>(
            [&] { return identities.flush(true); },
            [&]() -> Result<std::optional<Fact>> {
                TRY(const auto read,
                    read_fact(identities.settling().store(), fact.ids.front(), fact.id));
                const bool is_in = read && read->first <= fact.first && fact.last <= read->last;
                return is_in ? read : std::nullopt;
            },
            "it is in the log, but nobody has taken it in yet; say it again, which is safe"
        ));
    // Whoever took it in may be about to settle it: who asks next is not to see less than this.
    return identities.settling().settle(ids_of(taken));
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
