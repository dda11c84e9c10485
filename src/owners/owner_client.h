#pragma once

#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "http_server/client_set.h"
#include "metrics/metrics.h"
#include "owners/lane_owners.h"
#include "owners/owned_lanes.h"
#include "projecting/owners.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::owners {

/// The path under which owners answer each other.
inline constexpr const char* owner_path = "/internal/v1/owners";

/// Asks the owners of lanes for what they have counted and rows may not say yet: each once, all of
/// them side by side, for 50 ms together. Who did not answer in time is not asked for a second.
///
/// Thread-safe: each thread that asks has connections of its own while it does, which are kept for
/// the next.
class OwnerClient final : public projecting::Owners {
public:
    struct Options {
        storage::Store* store = nullptr;
        const Clock* clock = nullptr;
        metrics::Metrics* metrics = nullptr;
        journal::LogId log = 0;
        SipKey secret;
        std::chrono::milliseconds patience{50};     ///< For all owners together.
        std::chrono::milliseconds fresh_for{1000};  ///< How old the table may be.
    };

    /// Everything of the options must outlive it.
    explicit OwnerClient(const Options& options);

    /// Some lanes are counted here. Before anything is asked.
    void count_here(const OwnedLanes& lanes) { here_ = &lanes; }

    using projecting::Owners::ask;

    std::optional<std::uint64_t> counted_here(std::uint32_t lane) override;
    projecting::LaneAnswers ask(
        std::string_view projection,
        std::span<const projecting::LaneQuestion> asked,
        std::string_view of_all
    ) override;

private:
    struct Question;

    std::vector<Question> questions_to(
        const LaneOwnerTable& owners,
        std::span<const projecting::LaneQuestion> asked,
        std::string_view of_all
    );
    void send(
        std::string_view projection,
        const std::vector<Question>& questions,
        std::string_view of_all,
        projecting::LaneAnswers& answer
    );
    bool take_answer(
        const Question& question,
        const Result<http_server::ClientResponse>& response,
        projecting::LaneAnswers& answer
    );
    std::unique_ptr<http_server::ClientSet> take_clients();
    void give_back(std::unique_ptr<http_server::ClientSet> clients);
    bool is_silent(const std::string& address);
    void note_silent(const std::string& address);

    const Options options_;
    const OwnedLanes* here_ = nullptr;  ///< Null: no lane is.
    LaneOwners owners_;
    metrics::Counter asked_;
    metrics::Counter bytes_asked_;
    metrics::Counter bytes_answered_;
    metrics::Counter answered_;
    metrics::Counter refused_;
    metrics::Counter timed_out_;
    metrics::Counter failed_;
    std::mutex mutex_;
    // Guarded by mutex_.
    std::vector<std::unique_ptr<http_server::ClientSet>> clients_;
    std::map<std::string, std::chrono::steady_clock::time_point> silent_until_;
};

}  // namespace footfall::owners
