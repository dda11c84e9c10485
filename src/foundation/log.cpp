#include "foundation/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace footfall {
namespace {

spdlog::level::level_enum spdlog_level(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::warning:
            return spdlog::level::warn;
        case LogLevel::error:
            return spdlog::level::err;
    }
    return spdlog::level::info;
}

spdlog::logger& logger() {
    static const std::shared_ptr<spdlog::logger> instance = [] {
        auto made = std::make_shared<spdlog::logger>(
            "footfall", std::make_shared<spdlog::sinks::stderr_color_sink_mt>()
        );
        made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %v", spdlog::pattern_time_type::utc);
        return made;
    }();
    return *instance;
}

}  // namespace

void log_line(LogLevel level, std::string_view text) {
    logger().log(spdlog_level(level), text);
}

void set_log_level(LogLevel level) {
    logger().set_level(spdlog_level(level));
}

bool log_enabled(LogLevel level) {
    return logger().should_log(spdlog_level(level));
}

}  // namespace footfall
