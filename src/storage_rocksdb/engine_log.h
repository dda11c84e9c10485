#pragma once

#include "foundation/clock.h"
#include "foundation/seldom_log.h"

#include <rocksdb/env.h>

#include <cstdarg>
#include <map>
#include <memory>
#include <mutex>

namespace footfall::storage_rocksdb {

/// Passes the engine's warnings and errors on to the program's log; the engine then keeps no log
/// file of its own. That one would lie on the disk of the data, and an engine built with assertions
/// ends the process when a line of it cannot be written.
///
/// Of each kind of line one is passed on in ten seconds, with the number of those left out: a
/// background task that fails again and again says so hundreds of times a second.
///
/// What the store says itself is left out: that the disk is full, which the engine says in eight
/// ways; and all but damage while the store has just said that it cannot write, for whatever fails
/// in the engine then fails for the same reason.
/// Thread-safe.
class EngineLog final : public rocksdb::Logger {
public:
    /// `clock` must outlive it. `troubles`: in which the store says that it cannot write.
    EngineLog(const Clock& clock, std::shared_ptr<SeldomLog> troubles);

    using rocksdb::Logger::Logv;
    void Logv(rocksdb::InfoLogLevel level, const char* format, std::va_list arguments) override;

    void LogHeader(const char*, std::va_list) override {}

private:
    const Clock* clock_;
    const std::shared_ptr<SeldomLog> troubles_;
    std::mutex mutex_;
    std::map<const void*, SeldomLog> kinds_;  // by format, of which an engine has so many; guarded
};

}  // namespace footfall::storage_rocksdb
