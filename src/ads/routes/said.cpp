#include "ads_routes/said.h"

#include "ads/schema.h"
#include "keys/key_text.h"
#include "runtime/lanes.h"
#include "storage/blocking.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace footfall::ads::routes {
namespace {

/// How long somebody waits for another process to decide, and how often it is looked.
constexpr std::chrono::seconds patience{10};
constexpr std::chrono::milliseconds look_every{20};

/// Lets time pass: what is waited for may be another process's work, which tells nobody.
void wait_a_moment() {
    std::mutex mutex;
    std::condition_variable nobody_wakes;
    std::unique_lock lock{mutex};
    nobody_wakes.wait_for(lock, look_every);
}

/// Has what waits here written, and looks again and again until `look` answers something.
template <class Found, class Look>
Result<Found> wait_until(Ledger& ledger, const Look& look) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        TRY_VOID(ledger.flush(true));
        TRY(std::optional<Found> found, look());
        if (found) {
            return *std::move(found);
        }
        if (std::chrono::steady_clock::now() >= deadline) {
            return fail(
                ErrorKind::outcome_unknown,
                "it was written, but nobody has decided it yet; ask again, which is safe"
            );
        }
        wait_a_moment();
    }
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
