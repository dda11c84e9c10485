#pragma once

#include "foundation/result.h"
#include "journal/log_reader.h"
#include "journal/records.h"
#include "journal/writer.h"
#include "storage/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace footfall::journal {

/// Records in lanes, each an ordered stream that is only ever appended to: the record of what was
/// judged, from which everything else is derived. The other seam beside Store.
/// journal/testing/log_contract.h is the meaning of every sentence here.
///
/// Durable in the order of appending: what is left after any failure is, in each lane, a beginning
/// of what was appended. A position that was lost stays lost: its offset is given to another record
/// once the log was recovered, so nobody may have been told of it.
///
/// Failures: `overloaded`, `unavailable` (nothing was appended), `outcome_unknown` (from
/// when_durable alone: may be there or not), `corrupt`, `invalid_input` (a record too large).
///
/// A lane belongs to its owner: append() and end() of it are called under the lane's mutex. All
/// else is thread-safe.
class Log : public Writer, public LogReader {
public:
    static constexpr std::size_t record_bytes_max = 1 << 20;

    std::uint32_t lanes() const override = 0;

    /// The offset that the lane's next record gets.
    virtual std::uint64_t end(std::uint32_t lane) const = 0;

    /// The offset of the lane's first record that is still there; end() if there is none. Only
    /// retain() moves it; that another process has called it is seen after find_begins(), or once a
    /// read met what is gone. Thread-safe.
    std::uint64_t begin(std::uint32_t lane) const override = 0;

    /// Looks where the lanes begin now, if other processes may have moved that. Waits. Thread-safe.
    virtual Result<void> find_begins() = 0;

    /// Appends records, one after the other from end() on: all or none are there after a crash,
    /// unless they are many. Never waits. Answers what to wait for.
    Result<storage::CommitPosition> append(
        std::uint32_t lane, std::span<const std::string_view> records
    ) override = 0;

    /// As LogReader says; from begin() on if that is later than `from`.
    Result<Records> read(std::uint32_t lane, std::uint64_t from, ReadLimit limit) override = 0;

    /// Keeps only the lane's records from `from` on, which must all be durable before it; what is
    /// below begin() is gone already. The space comes back in time. Waits; one call at a time.
    virtual Result<void> retain(std::uint32_t lane, std::uint64_t from) = 0;

    /// Records were lost: nothing is appended any more until recover() has found the ends anew.
    /// `lost` is called from a thread of the store, must not block, and is set before the first
    /// append. An empty one takes its place when whoever it calls goes: once this has returned,
    /// that one is not called any more.
    virtual void on_lost_records(std::move_only_function<void()> lost) = 0;

    /// Finds the ends of all lanes, and takes records again. Waits; while nobody appends.
    virtual Result<void> recover() = 0;
};

}  // namespace footfall::journal
