#include "ads_routes/nightly_check.h"

#include "ads/recount.h"
#include "foundation/log.h"
#include "projecting/checkpoints.h"
#include "projecting/verify.h"

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace footfall::ads::routes {
namespace {

constexpr std::chrono::minutes look_period{1};

/// Of each lane, before which record all is in rows.
Result<std::vector<std::uint64_t>> stored_ends(const intake::Context& context) {
    TRY(const auto marks, projecting::read_checkpoints(*context.store, *context.log, Ledger::name));
    std::vector<std::uint64_t> ends;
    ends.reserve(marks.size());
    for (const auto& mark : marks) {
        ends.push_back(mark.value_or(projecting::Mark{}).offset);
    }
    return ends;
}

}  // namespace

NightlyCheck::NightlyCheck(Ledger& ledger, const intake::Intake& intake)
    : ledger_{&ledger}, intake_{&intake}, up_{ledger.clock().now()} {}

void NightlyCheck::start() {
    turns_.emplace(
        "ledger check",
        runtime::Urgency::background,
        [this](const std::stop_token& stop) { return look(stop); }
    );
}

void NightlyCheck::stop() {
    if (turns_) {
        turns_->stop();
    }
}

LedgerCheck NightlyCheck::last() const {
    const std::lock_guard lock{mutex_};
    return last_;
}

std::chrono::milliseconds NightlyCheck::look(const std::stop_token& stop) {
    const Result<void> checked = check_if_due(stop);
    if (!checked && checked.error().kind != ErrorKind::cancelled) {
        log(LogLevel::warning, "the ledger could not be checked: {}", checked.error().message);
    }
    return look_period;
}

Result<void> NightlyCheck::check_if_due(const std::stop_token& stop) {
    TRY(LedgerCheck standing, LedgerCheck::read(ledger_->store()));
    {
        const std::lock_guard lock{mutex_};
        last_ = standing;
    }
    const Instant now = ledger_->clock().now();
    if (!standing.is_due(now, up_, ledger_->zone().zone())) {
        return {};
    }
    standing.begun_at = now;
    TRY_VOID(keep(standing));
    return check(stop);
}

Result<void> NightlyCheck::check(const std::stop_token& stop) {
    const intake::Context& context = intake_->context();
    LedgerCheck found{.checked_at = {}, .first = {}, .begun_at = ledger_->clock().now()};
    TRY(std::vector<std::uint64_t> ends, stored_ends(context));
    const projecting::VerifiedParts parts{
        .store = context.store,
        .log = context.log,
        .secret = context.secret,
        .now = found.begun_at.value_or(Instant{}),
        .ends = std::move(ends),
        .stored = [&] { return stored_ends(context); },
        .stop = stop
    };
    const projecting::VerifyListeners listeners{
        .difference = [&](const std::string& difference) { found.add(difference); },
        .progress = [](std::uint64_t) {}
    };
    const projecting::MakeRecount make = [](const projecting::RecountPart& part) {
        return make_recount(part);
    };
    TRY(const projecting::Verified verified, projecting::verify(parts, make, listeners));
    found.checked_at = ledger_->clock().now();
    log(found.differences == 0 ? LogLevel::info : LogLevel::warning,
        "the ledger was held to {} events of its log: {} differences",
        verified.events,
        found.differences);
    return keep(found);
}

Result<void> NightlyCheck::keep(const LedgerCheck& check) {
    TRY_VOID(check.write(ledger_->store()));
    const std::lock_guard lock{mutex_};
    last_ = check;
    return {};
}

}  // namespace footfall::ads::routes
