#pragma once

#include "audit/acts.h"
#include "erasure/desk.h"
#include "erasure/ledger.h"
#include "events/erased.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "jobs/job.h"
#include "journal/log.h"
#include "metrics/figures.h"
#include "people/people.h"
#include "runtime/turns.h"
#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::deployment {

/// Erases people from a deployment: rows of all jobs at once, as far as is known of whom; then, on
/// a thread of its own, whatever names them anywhere: it looks through all personal tables and the
/// embedded log by the ledger, which knows them by hash alone, so that it goes on after any end of
/// the process. Last it has files written anew. Several processes of a cluster may do the same
/// twice, which changes nothing.
///
/// Thread-safe. All that is given must outlive it. Cost of what is done behind the answer: reading
/// all facts and the log once for all that is open, and writing personal tables anew.
class Eraser final : public erasure::Desk {
public:
    struct Options {
        SipKey secret;
        bool shared = false;  ///< Whether other processes erase, and write, too.
        /// Of the log of judged events, where that is Kafka's: it lets go of what is older.
        std::optional<std::chrono::seconds> keep_events = {};
        /// An erasure is an act that is recorded, or does not happen; and what was said of whom it
        /// erases is forgotten there. Null: nobody records acts.
        audit::Acts* acts = nullptr;
    };

    /// What erases. A plain value.
    struct Parts {
        storage::Store* store = nullptr;
        erasure::Ledger* ledger = nullptr;
        people::People* people = nullptr;
        std::vector<jobs::Job*> jobs = {};
        journal::Log* log = nullptr;  ///< Null: there are no events here.
    };

    Eraser(Parts parts, const Clock& clock, Options options);

    Eraser(const Eraser&) = delete;
    Eraser& operator=(const Eraser&) = delete;

    ~Eraser() override { stop(); }

    Result<erasure::Receipt> erase(erasure::Wish wish) override;
    Result<std::optional<erasure::Receipt>> find(std::string_view receipt) override;
    std::string waits_for(const erasure::Receipt& receipt, erasure::Part part) const override;

    Result<std::vector<erasure::Receipt>> list(std::string_view after, std::size_t limit) override;

    /// Erases rows of a ledger that was taken over, before anybody is answered. Blocks.
    Result<void> finish_restores();

    /// Begins what is done behind the answers.
    void start();

    /// Ends it; what is under way ends early, and is begun again with the next start. Idempotent.
    void stop() { turns_.reset(); }

    /// Does what is open and due. For tests; start() has it done again and again.
    Result<void> turn(const std::stop_token& stop);

    void tell(metrics::Figures& figures) const;

private:
    std::vector<events::Identifier> names_of(std::vector<events::Identifier> ids) const;
    events::IsErased is_erased() const;
    std::vector<erasure::Part> parts_of_all() const;
    Result<void> record_act(const erasure::Wish& wish);
    Result<std::vector<std::string>> persons_of(std::span<const events::Identifier> ids);
    Result<void> forget_acts(const erasure::Wish& wish, std::span<const std::string> known_as);
    Result<void> erase_rows(std::span<const events::Identifier> ids);
    Result<erasure::Swept> sweep(const std::stop_token& stop);
    Result<bool> sweep_if_due(const std::stop_token& stop);
    Result<void> rewrite_log(const std::stop_token& stop);
    Result<bool> has_kafka_let_go(const erasure::Receipt& receipt);
    Result<bool> rewrite_files(const erasure::Receipt& receipt);
    Result<void> finish(
        std::vector<erasure::Receipt>& receipts,
        erasure::Part part,
        const std::function<Result<bool>(const erasure::Receipt&)>& done
    );

    const Parts parts_;
    const Clock* clock_;
    const Options options_;
    std::atomic<bool> may_be_open_ = true;
    Instant sweep_not_before_{};  ///< Where a sweep found that something is to be waited for.
    /// When this process looks through its tables for whom another one erased, whatever its receipt
    /// says: that may be of another region, which has tables of its own. Used by turn() alone.
    std::optional<Instant> sweep_at_;
    std::atomic<std::size_t> open_ = 0;
    std::atomic<std::uint64_t> log_records_ = 0;  ///< That were rewritten.
    std::optional<runtime::Turns> turns_;
};

}  // namespace footfall::deployment
