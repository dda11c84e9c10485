#pragma once

#include "foundation/clock.h"
#include "intake/lane_judge.h"
#include "journal/lane_feed.h"
#include "journal/log.h"
#include "storage/store.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace footfall::owners {

/// The lanes that this process counts: passes on what a feed tells to the reader that counts them,
/// and tells others in the table lane_owner. A row a lane, written when it comes, and then once a
/// second with how far rows go. If the table cannot be read or written others are not told, and go
/// by rows; nothing here waits for it but the first reading.
///
/// A lane is answered for while this process has it and has counted what was there when it came: in
/// between rows may say more than memory.
///
/// Belongs to the thread that reads; what asks generation() and counted() may be any.
class OwnedLanes final : public journal::LaneReader {
public:
    struct Options {
        storage::Store* store = nullptr;
        const Clock* clock = nullptr;
        journal::LogId log = 0;
        /// Up to where each lane was counted.
        const intake::FollowedEnds* ends = nullptr;
        /// Whether the feed has told all that was in its lanes when they came.
        std::function<bool()> caught_up;
        /// All that was counted of a lane before this is in rows.
        std::function<Instant(std::uint32_t)> stored_until;
    };

    /// `counting` and everything of the options must outlive it.
    OwnedLanes(journal::LaneReader& counting, Options options)
        : counting_{&counting}, options_{std::move(options)} {}

    /// Where others reach this process, ADDRESS:PORT, as soon as that is known. Thread-safe.
    void announce(const std::string& address);

    /// Of a lane that is answered for; absent: it is not. Thread-safe.
    std::optional<std::int64_t> generation(std::uint32_t lane) const;

    /// Up to where a lane was counted that is answered for; absent: it is not. Thread-safe.
    std::optional<std::uint64_t> counted(std::uint32_t lane) const;

    /// Whether all lanes that had come were answered for once, be they none. Thread-safe.
    bool has_begun() const { return has_begun_.load(); }

    Result<std::vector<std::uint64_t>> assigned(std::span<const std::uint32_t> lanes) override;
    void revoked(std::span<const std::uint32_t> lanes, bool lost) override;
    Result<void> consume(std::uint32_t lane, const journal::Records& records) override;

    std::uint64_t next(std::uint32_t lane) override { return counting_->next(lane); }

    void confirm(bool ours) override { counting_->confirm(ours); }

    Result<Next> settle() override;

private:
    struct Lane {
        std::int64_t generation = 0;  ///< 0: none was drawn yet.
        Instant stored{};             ///< As of the table.
        std::uint64_t reached = 0;    ///< So far it was counted, before writes were lost perhaps.
    };

    /// Not ours or not counted up to now: 0. Else its generation, or `unannounced`.
    using Serving = std::atomic<std::int64_t>;
    static constexpr std::int64_t unannounced = 1;

    void look_what_serves();
    Result<void> draw_generations();
    void tell(const std::string& address);
    void submit(const storage::Batch& batch);

    journal::LaneReader* counting_;
    const Options options_;
    std::map<std::uint32_t, Lane> lanes_;
    std::array<Serving, std::tuple_size_v<intake::FollowedEnds>> serving_{};
    std::atomic<bool> has_begun_ = false;
    std::chrono::steady_clock::time_point told_at_{};
    mutable std::mutex mutex_;
    std::string address_;  ///< Guarded by mutex_.
};

}  // namespace footfall::owners
