#pragma once

#include "journal/log.h"
#include "journal_rocksdb/blocks.h"
#include "storage/store.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

namespace footfall::journal_rocksdb {

/// The embedded log: rows of the embedded store, so that a record and whatever follows from it
/// enter the same blocks, in order, with one fdatasync for all
/// (docs/decisions/0007-embedded-commit.md). Works on any Store that loses only the end.
///
/// State: the end of each of 64 lanes, under the lane's mutex as Log says; all else is in the
/// store. Cost: a row for at most block_records records of a call.
class StoreLog final : public journal::Log {
public:
    /// Opens the log of a store, which must outlive it; creates it where there is none. Waits.
    static Result<std::unique_ptr<StoreLog>> open(storage::Store& store);

    StoreLog(const StoreLog&) = delete;
    StoreLog& operator=(const StoreLog&) = delete;
    ~StoreLog() override = default;

    journal::LogId id() const override { return id_; }

    std::uint32_t lanes() const override { return lane_count; }

    std::uint64_t end(std::uint32_t lane) const override;
    std::uint64_t begin(std::uint32_t lane) const override;

    /// Nobody else has the store.
    Result<void> find_begins() override { return {}; }

    Result<storage::CommitPosition> append(
        std::uint32_t lane, std::span<const std::string_view> records
    ) override;

    bool is_in(const storage::Store& store) const override { return &store == store_; }

    bool durable(storage::CommitPosition position) const override;
    void when_durable(storage::CommitPosition position, storage::DurableDone done) override;
    Result<journal::Records> read(std::uint32_t lane, std::uint64_t from, journal::ReadLimit limit)
        override;
    Result<void> retain(std::uint32_t lane, std::uint64_t from) override;
    void on_lost_records(std::move_only_function<void()> lost) override;
    Result<void> recover() override;

private:
    struct Lane {
        std::uint64_t end = 0;
        std::uint64_t hinted = 0;  ///< What log_lane says, or is about to.
        /// Not guarded: what is below it is gone, or about to go.
        std::atomic<std::uint64_t> begin = 0;
    };

    explicit StoreLog(storage::Store& store);

    Lane& lane_at(std::uint32_t lane);
    Result<void> erase_blocks(std::uint32_t lane, std::uint64_t from);
    Result<std::uint64_t> find_end(std::uint32_t lane, std::uint64_t hint);

    storage::Store* store_;
    journal::LogId id_ = 0;  ///< Constant once it is open.
    std::array<Lane, lane_count> lanes_;
    std::mutex retaining_;            ///< Held while a lane's beginning moves, or is looked for.
    std::atomic<bool> lost_ = false;  ///< Until recover() was called.
    std::mutex handler_mutex_;        ///< Held during a call.
    std::move_only_function<void()> lost_records_handler_;  ///< Guarded by handler_mutex_.
    storage::Subscription store_losses_;
};

}  // namespace footfall::journal_rocksdb
