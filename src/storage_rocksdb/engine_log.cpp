#include "storage_rocksdb/engine_log.h"

#include "foundation/log.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

constexpr std::chrono::seconds pause_of_a_kind{10};

}  // namespace

EngineLog::EngineLog(const Clock& clock)
    : Logger{rocksdb::InfoLogLevel::WARN_LEVEL}, clock_{&clock} {}

void EngineLog::Logv(rocksdb::InfoLogLevel level, const char* format, std::va_list arguments) {
    if (level < rocksdb::InfoLogLevel::WARN_LEVEL || level == rocksdb::InfoLogLevel::HEADER_LEVEL) {
        return;
    }
    std::uint64_t left_out = 0;
    {
        const Instant now = clock_->now();
        const std::lock_guard lock{mutex_};
        Kind& kind = kinds_[format];
        if (now < kind.next) {
            ++kind.left_out;
            return;
        }
        kind.next = now + pause_of_a_kind;
        left_out = std::exchange(kind.left_out, 0);
    }
    std::array<char, 1024> text{};  // longer ones are cut off
    std::vsnprintf(                 // tidy-allow(sprintf): the engine formats in this way alone
        text.data(),
        text.size(),
        format,
        arguments
    );
    const std::string repeated =
        left_out > 0 ? fmt::format(" ({} more like it were left out)", left_out) : "";
    log(level == rocksdb::InfoLogLevel::WARN_LEVEL ? LogLevel::warning : LogLevel::error,
        "engine: {}{}",
        text.data(),
        repeated);
}

}  // namespace footfall::storage_rocksdb
