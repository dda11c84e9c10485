#pragma once

#include "journal/log_reader.h"
#include "journal_rocksdb/blocks.h"
#include "storage/store.h"

#include <array>
#include <cstdint>
#include <memory>

namespace footfall::journal_rocksdb {

/// The embedded log of a deployment that has moved to a store of a cluster, where events are logged
/// elsewhere: its rows came along, so what was decided before the move is still explained. Nobody
/// appends to it or cuts it any more.
class MovedLog final : public journal::LogReader {
public:
    /// Null: the store has none, for the deployment began on the cluster. The store must outlive
    /// it. Waits.
    static Result<std::unique_ptr<MovedLog>> open(storage::Store& store);

    journal::LogId id() const override { return id_; }

    std::uint32_t lanes() const override { return lane_count; }

    std::uint64_t begin(std::uint32_t lane) const override { return begins_.at(lane); }

    Result<journal::Records> read(std::uint32_t lane, std::uint64_t from, journal::ReadLimit limit)
        override;

private:
    MovedLog(
        storage::Store& store,
        journal::LogId id,
        const std::array<std::uint64_t, lane_count>& begins
    )
        : store_{&store}, id_{id}, begins_{begins} {}

    storage::Store* store_;
    journal::LogId id_;
    std::array<std::uint64_t, lane_count> begins_;  ///< What was cut before the move.
};

}  // namespace footfall::journal_rocksdb
