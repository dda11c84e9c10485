#include "foundation/seldom_log.h"

#include <utility>

namespace footfall {

namespace {

std::chrono::microseconds since_start() {
    return std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now().time_since_epoch()
    );
}

}  // namespace

bool SeldomLog::say(LogLevel level, std::string_view text) {
    const auto left_out = turn(since_start());
    if (left_out) {
        log(level, "{}{}", text, more_like_it(*left_out));
    }
    return left_out.has_value();
}

bool SeldomLog::just_said() {
    const std::lock_guard lock{mutex_};
    return in_pause(since_start());
}

bool SeldomLog::in_pause(std::chrono::microseconds now) const {
    return last_ && now >= *last_ && now - *last_ < pause_;
}

std::optional<std::uint64_t> SeldomLog::turn(std::chrono::microseconds now) {
    const std::lock_guard lock{mutex_};
    if (in_pause(now)) {
        ++left_out_;
        return std::nullopt;
    }
    last_ = now;
    return std::exchange(left_out_, 0);
}

std::string more_like_it(std::uint64_t left_out) {
    return left_out == 0 ? "" : fmt::format(" ({} more like it were left out)", left_out);
}

}  // namespace footfall
