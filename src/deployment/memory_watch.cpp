#include "deployment/memory_watch.h"

#include "foundation/log.h"
#include "runtime/heap.h"

#include <utility>

namespace footfall::deployment {
namespace {

constexpr std::chrono::seconds period{1};
constexpr int periods_an_audit = 60;

/// Of the program itself. Above `memory` and this the heap keeps nothing of what was freed: at a
/// high rate it would hold 70 MB of that for ten seconds, and fill what requests may take beside
/// `memory` (decision 51).
constexpr std::size_t beside_memory_bytes = 25 << 20;

}  // namespace

MemoryWatch::MemoryWatch(
    std::size_t memory_bytes,
    std::function<std::size_t()> taken,
    runtime::MemoryShares& shares,
    std::vector<runtime::AuditedAccount> accounts,
    metrics::Metrics& metrics
)
    : resident_bytes_high_{memory_bytes + beside_memory_bytes},
      taken_{std::move(taken)},
      shares_{&shares},
      accounts_{std::move(accounts)},
      resident_{metrics.gauge(
          "footfall_memory_resident_bytes", "Memory of the machine that the process occupies."
      )} {
    metrics
        .gauge(
            "footfall_memory_limit_bytes",
            "The setting memory: what the store and all jobs may take together."
        )
        .set(static_cast<double>(memory_bytes));
    for (const runtime::AuditedAccount& account : accounts_) {
        differences_.push_back(metrics.counter(
            "footfall_account_differences_total",
            "Times that what was booked of memory was not what was there: a bug.",
            {{"of", account.of}}
        ));
    }
    turns_.emplace("memory", runtime::Urgency::background, [this](const std::stop_token&) {
        shares_->follow_use(taken_());
        const std::size_t resident = runtime::resident_bytes();
        resident_.set(static_cast<double>(resident));
        if (resident > resident_bytes_high_) {
            runtime::give_freed_memory_back();
        }
        if (++periods_ % periods_an_audit == 0) {
            audit();
        }
        return period;
    });
}

void MemoryWatch::audit() {
    for (std::size_t at = 0; at < accounts_.size(); ++at) {
        const runtime::AccountAudit audit = accounts_[at].audit(next_lane_);
        if (audit.booked != audit.counted) {
            differences_[at].add(1);
            log(LogLevel::error,
                "the account of memory of {} is wrong in lane {}: {} bytes are booked, {} are "
                "there; "
                "please report this",
                accounts_[at].of,
                next_lane_,
                audit.booked,
                audit.counted);
        }
    }
    next_lane_ = (next_lane_ + 1) % runtime::lane_count;
}

}  // namespace footfall::deployment
