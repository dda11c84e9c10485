#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace footfall {

enum class LogLevel { debug, info, warning, error };

/// Writes one line to standard error: time, level, text. Thread-safe; cheap when the level is off.
/// A failure is logged where it is handled, once, never at every layer it passes.
void log_line(LogLevel level, std::string_view text);

/// Lines below `level` are dropped. Default: info.
void set_log_level(LogLevel level);

bool log_enabled(LogLevel level);

template <class... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
    if (log_enabled(level)) {
        log_line(level, fmt::format(format, std::forward<Args>(args)...));
    }
}

}  // namespace footfall
