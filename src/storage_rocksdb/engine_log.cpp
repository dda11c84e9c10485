#include "storage_rocksdb/engine_log.h"

#include "foundation/log.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

constexpr std::chrono::seconds pause_of_a_kind{10};

/// Said once by every engine that takes in files made beside it, as bulk rows are: a file's id
/// stands in the manifest only when it has been taken in.
constexpr std::string_view of_every_ingest = "opened without unique ID to verify";

bool tells_nothing(rocksdb::InfoLogLevel level, std::string_view format) {
    return level < rocksdb::InfoLogLevel::WARN_LEVEL ||
           level == rocksdb::InfoLogLevel::HEADER_LEVEL || format.contains(of_every_ingest);
}

}  // namespace

EngineLog::EngineLog(const Clock& clock)
    : Logger{rocksdb::InfoLogLevel::WARN_LEVEL}, clock_{&clock} {}

void EngineLog::Logv(rocksdb::InfoLogLevel level, const char* format, std::va_list arguments) {
    if (tells_nothing(level, format)) {
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
