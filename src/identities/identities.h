#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "foundation/siphash.h"
#include "identities/fact.h"
#include "identities/fact_rows.h"
#include "identities/profile_rows.h"
#include "identities/settling.h"
#include "journal/log.h"
#include "projecting/ordered_write_behind.h"
#include "projecting/projection.h"
#include "runtime/accounted_lanes.h"
#include "runtime/memory_shares.h"
#include "storage/store.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace footfall::identities {

/// Takes facts out of the judged log, writes their rows, and then those of the profiles that follow
/// from them: the log is only past a fact once both are durable. Answers come from rows.
///
/// State: facts that wait for their rows, behind the lanes' mutexes. Thread-safe as Projection
/// says; all given must outlive it.
class Identities final : public projecting::Projection {
public:
    static constexpr std::string_view name = "identities";

    struct Options {
        SipKey secret;  ///< The deployment's.
        journal::LogId log{};
        std::chrono::microseconds interval = std::chrono::seconds{1};  ///< Facts wait so long.
        runtime::MemoryShare* memory = nullptr;                        ///< Null: as it sees fit.
        Guards guards = {};
    };

    Identities(storage::Store& store, const Clock& clock, Options options);

    Result<void> wait_for_room() override { return waiting_.wait_for_room(); }

    void apply(std::uint32_t lane, std::span<const projecting::JudgedRecord> records) override;
    void control(std::uint32_t lane, std::uint64_t offset, const events::Control& control) override;

    Result<void> flush(bool all) override { return waiting_.flush(all); }

    std::optional<std::uint64_t> unsaved(std::uint32_t lane) override {
        return waiting_.unsaved(lane);
    }

    Instant stored_until(std::uint32_t lane) override { return waiting_.stored_until(lane); }

    void drop() override;
    void drop_lane(std::uint32_t lane) override;

    /// Facts stay when their events go.
    Result<void> expire(
        std::uint32_t /*lane*/, std::span<const projecting::JudgedRecord> /*records*/
    ) override {
        return {};
    }

    /// The lane in which is said what has these ids; they are arranged.
    std::uint32_t lane_of(std::span<const Id> ids) const;

    const Settling& settling() const { return settling_; }

    const Clock& clock() const { return *clock_; }

    std::size_t waiting() { return waiting_.waiting(); }

    std::size_t bytes() const { return waiting_.bytes(); }

    std::uint64_t facts_written() const { return facts_written_.load(); }

    /// How often rows of an id stayed as they were, since too much hangs together with it.
    std::uint64_t ids_not_settled() const { return ids_not_settled_.load(); }

    std::vector<runtime::AuditedAccount> accounts();

private:
    /// What a record says.
    struct Said {
        std::uint64_t offset = 0;
        Fact fact;

        static std::uint64_t offset_of(const Said& said) { return said.offset; }

        static std::size_t heap_bytes_of(const Said& said);

        static bool concludes(const Said& /*said*/) { return false; }
    };

    using Waiting = projecting::OrderedWriteBehind<Said>;

    Result<void> write(std::span<const Waiting::Part> parts);
    Result<void> settle(std::span<const Waiting::Part> parts, std::span<const Id> ids);

    storage::Store* store_;
    const Clock* clock_;
    const Options options_;
    Settling settling_;
    std::atomic<std::uint64_t> facts_written_ = 0;
    std::atomic<std::uint64_t> ids_not_settled_ = 0;
    SeldomLog troubles_{std::chrono::minutes{1}};
    std::mutex finished_mutex_;
    /// Lanes of which nothing is left half settled by whoever had them before.
    std::set<std::uint32_t> finished_;
    Waiting waiting_;
};

}  // namespace footfall::identities
