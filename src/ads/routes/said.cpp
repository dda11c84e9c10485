#include "ads_routes/said.h"

#include "ads/schema.h"
#include "jobs/wait_until.h"
#include "keys/key_text.h"
#include "runtime/lanes.h"
#include "storage/blocking.h"

#include <array>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::ads::routes {
namespace {

/// As jobs::wait_until(), of what the ledger decides.
template <class Found, class Look>
Result<Found> wait_until(Ledger& ledger, const Look& look) {
    return jobs::wait_until<Found>(
        [&] { return ledger.flush(true); },
        look,
        "it was written, but nobody has decided it yet; ask again, which is safe"
    );
}

}  // namespace

Result<RateAnswer> say_and_wait(
    Ledger& ledger, intake::Collector& collector, events::RateSaid said
) {
    const std::uint32_t lane = ledger.lane_of(said.party);
    TRY(said.id, keys::make_secret());
    const std::string id = said.id;
    TRY_VOID(collector.say(std::move(said), {{lane}}));
    return wait_until<RateAnswer>(ledger, [&]() -> Result<std::optional<RateAnswer>> {
        TRY(const auto row, storage::read_one(ledger.store(), ledger_answer_table, {id}));
        if (!row) {
            return std::optional<RateAnswer>{};
        }
        const auto outcome = outcome_named(std::get<std::string>((*row)[1]));
        if (!outcome) {
            return fail(ErrorKind::corrupt, "a stored answer of the ledger is none");
        }
        const Instant recorded{std::chrono::microseconds{std::get<std::int64_t>((*row)[2])}};
        return std::optional{RateAnswer{.outcome = *outcome, .recorded = recorded}};
    });
}

Result<void> seal_and_wait(Ledger& ledger, intake::Collector& collector, events::MonthSealed said) {
    TRY(said.id, keys::make_secret());
    const Month month = said.month;
    std::array<std::uint32_t, runtime::lane_count> lanes{};
    std::iota(lanes.begin(), lanes.end(), 0U);
    TRY_VOID(collector.say(std::move(said), lanes));
    TRY_VOID(wait_until<Month>(ledger, [&]() -> Result<std::optional<Month>> {
        TRY(const Seals seals, ledger.seals());
        const std::optional<Month> passed = seals.sealed();
        return passed && *passed >= month ? passed : std::nullopt;
    }));
    return {};
}

Result<void> complete_seal(Ledger& ledger, intake::Collector& collector) {
    constexpr std::chrono::minutes time_to_pass{1};
    TRY(const Seals seals, ledger.seals());
    if (!seals.is_sealing() || seals.months().empty()) {
        return {};
    }
    const auto& [month, seal] = *seals.months().rbegin();
    if (seal.rows_written || seal.lanes.empty() ||
        ledger.clock().now() < seal.sealed_at + time_to_pass) {
        return {};
    }
    std::vector<std::uint32_t> lanes;
    for (std::uint32_t lane = 0; lane < runtime::lane_count; ++lane) {
        if (!seal.lanes.contains(lane)) {
            lanes.push_back(lane);
        }
    }
    if (lanes.empty()) {
        return {};
    }
    events::MonthSealed said{
        .month = month, .reason = seal.reason, .author = seal.author, .said = seal.sealed_at
    };
    TRY(said.id, keys::make_secret());
    return collector.say(std::move(said), lanes);
}

}  // namespace footfall::ads::routes
