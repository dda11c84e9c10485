#include "storage_rocksdb/engine_log.h"

#include "foundation/log.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

namespace footfall::storage_rocksdb {
namespace {

constexpr std::chrono::seconds pause_of_a_kind{10};

/// Said once by every engine that takes in files made beside it, as bulk rows are: a file's id
/// stands in the manifest only when it has been taken in.
constexpr std::string_view of_every_ingest = "opened without unique ID to verify";

/// Said of every checkpoint: within its own pause of deletions it makes another one.
constexpr std::array<std::string_view, 2> of_every_checkpoint{
    "File Deletions Disabled, but already disabled", "File Deletions Enable, but not really enabled"
};

bool tells_nothing(rocksdb::InfoLogLevel level, std::string_view format) {
    return level < rocksdb::InfoLogLevel::WARN_LEVEL ||
           level == rocksdb::InfoLogLevel::HEADER_LEVEL || format.contains(of_every_ingest) ||
           std::ranges::any_of(
               of_every_checkpoint, [&](std::string_view said) { return format.contains(said); }
           );
}

bool tells_of_a_full_disk(std::string_view text) {
    constexpr std::array<std::string_view, 4> ways{
        "No space left on device", "free space [", "Compaction too large", "Cannot clear "
    };
    return std::ranges::any_of(ways, [&](std::string_view way) { return text.contains(way); });
}

/// A file that is to go has gone: after a checkpoint two threads remove the same ones.
bool tells_of_what_is_gone(std::string_view text) {
    return text.contains("Failed to mark ") && text.contains("No such file or directory");
}

bool tells_of_damage(std::string_view text) {
    return text.contains("Corruption") || text.contains("checksum");
}

}  // namespace

EngineLog::EngineLog(const Clock& clock, std::shared_ptr<SeldomLog> troubles)
    : Logger{rocksdb::InfoLogLevel::WARN_LEVEL}, clock_{&clock}, troubles_{std::move(troubles)} {}

void EngineLog::Logv(rocksdb::InfoLogLevel level, const char* format, std::va_list arguments) {
    if (tells_nothing(level, format)) {
        return;
    }
    std::array<char, 1024> text{};  // longer ones are cut off
    std::vsnprintf(                 // tidy-allow(sprintf): the engine formats in this way alone
        text.data(),
        text.size(),
        format,
        arguments
    );
    if (tells_of_a_full_disk(text.data()) || tells_of_what_is_gone(text.data()) ||
        (!tells_of_damage(text.data()) && troubles_->just_said())) {
        return;
    }
    std::optional<std::uint64_t> left_out;
    {
        const std::lock_guard lock{mutex_};
        SeldomLog& kind = kinds_.try_emplace(format, pause_of_a_kind).first->second;
        left_out = kind.turn(clock_->now().time_since_epoch());
    }
    if (left_out) {
        log(level == rocksdb::InfoLogLevel::WARN_LEVEL ? LogLevel::warning : LogLevel::error,
            "engine: {}{}",
            text.data(),
            more_like_it(*left_out));
    }
}

}  // namespace footfall::storage_rocksdb
