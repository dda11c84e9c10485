#pragma once

#include "foundation/result.h"
#include "storage/blocking.h"
#include "storage/store.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

namespace footfall::journal {

/// The end of lanes to which records are appended, by one process or by many.
///
/// Failures: `overloaded`, `unavailable` (nothing was appended), `outcome_unknown` (from
/// when_durable alone: may be there or not), `invalid_input` (a record too large). Thread-safe
/// unless Log says otherwise.
class Writer {
public:
    Writer() = default;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    virtual ~Writer() = default;

    virtual std::uint32_t lanes() const = 0;

    /// Appends records, one after the other. Never waits. Answers what to wait for.
    virtual Result<storage::CommitPosition> append(
        std::uint32_t lane, std::span<const std::string_view> records
    ) = 0;

    /// Whether its records stand in this store, in one order with its rows: then positions are the
    /// store's, and whenever a row is there, so are the records that were appended before it.
    virtual bool is_in(const storage::Store& /*store*/) const { return false; }

    /// Success while what is appended becomes durable in time; else why not.
    virtual Result<void> health() const { return {}; }

    /// As of Store.
    virtual bool durable(storage::CommitPosition position) const = 0;
    virtual void when_durable(storage::CommitPosition position, storage::DurableDone done) = 0;
};

/// Waits until the records at `position` are durable, as storage::wait_durable().
Result<void> wait_durable(
    Writer& writer,
    storage::CommitPosition position,
    std::chrono::milliseconds patience = storage::default_patience
);

}  // namespace footfall::journal
