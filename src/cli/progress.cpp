#include "cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace footfall::cli {
namespace {

using Seconds = std::chrono::duration<double>;

/// Below this a rate says nothing.
constexpr Seconds measurable{0.1};
constexpr std::size_t default_width = 80;
constexpr std::string_view gap = "  ";

/// 248100 as "248,100".
std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t from_right = 3; from_right < text.size(); from_right += 4) {
        text.insert(text.size() - from_right, ",");
    }
    return text;
}

std::string duration_text(double seconds) {
    constexpr double longest = 99.0 * 3600;
    const auto whole = static_cast<std::uint64_t>(std::clamp(seconds, 0.0, longest));
    if (whole < 60) {
        return fmt::format("{} s", whole);
    }
    if (whole < 3600) {
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    }
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::size_t standard_error_width() {
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0;  // NOLINT
    return known && size.ws_col > 0 ? size.ws_col : default_width;
}

}  // namespace

std::string render_progress(
    const ProgressState& state, std::chrono::microseconds elapsed, std::size_t width
) {
    std::array<std::string, 4> parts;
    double done = 0;
    if (state.bytes_total) {
        done = *state.bytes_total == 0 ? 1.0
                                       : std::min(
                                             static_cast<double>(state.bytes_done) /
                                                 static_cast<double>(*state.bytes_total),
                                             1.0
                                         );
        parts[0] = fmt::format("{:2} %", static_cast<int>(done * 100));
    }
    parts[1] =
        fmt::format("{} {}{}", grouped(state.records), state.unit, state.records == 1 ? "" : "s");
    const Seconds spent = elapsed;
    if (spent >= measurable) {
        const double rate = static_cast<double>(state.records) / spent.count();
        parts[2] = fmt::format("{}/s", grouped(static_cast<std::uint64_t>(rate)));
        if (done > 0) {
            parts[3] = duration_text(spent.count() * (1 - done) / done) + " left";
        }
    }
    std::string line;
    for (const auto& part : parts) {
        if (part.empty()) {
            continue;
        }
        if (line.size() + gap.size() + part.size() > width) {
            break;
        }
        line.append(gap).append(part);
    }
    return line;
}

ProgressOutput standard_error_output() {
    const char* terminal = std::getenv("TERM");
    const bool dumb = terminal != nullptr && std::string_view{terminal} == "dumb";
    const bool is_terminal = ::isatty(STDERR_FILENO) == 1 && !dumb;
    return {
        .kind = is_terminal ? ProgressOutput::Kind::terminal : ProgressOutput::Kind::plain,
        .width = is_terminal ? standard_error_width : [] { return default_width; },
        .write =
            [](std::string_view text) {
                std::fwrite(text.data(), 1, text.size(), stderr);
                std::fflush(stderr);
            }
    };
}

Progress::Progress(const Clock& clock, ProgressOutput output)
    : clock_{&clock}, output_{std::move(output)}, started_{clock.now()}, due_{started_} {
    due_ += output_.kind == ProgressOutput::Kind::terminal ? Instant::duration{terminal_interval}
                                                           : Instant::duration{plain_interval};
}

Progress::~Progress() {
    clear();
}

void Progress::update(const ProgressState& state) {
    const bool terminal = output_.kind == ProgressOutput::Kind::terminal;
    const Instant::duration interval =
        terminal ? Instant::duration{terminal_interval} : Instant::duration{plain_interval};
    const Instant now = clock_->now();
    // A clock set back must not silence us until it has caught up.
    if (now < due_ && due_ - now <= interval) {
        return;
    }
    due_ = now + interval;
    const auto elapsed = std::max(now - started_, Instant::duration::zero());
    if (!terminal) {
        output_.write(render_progress(state, elapsed, output_.width()) + "\n");
        return;
    }
    // The last column stays free: many terminals wrap once it is written to.
    const auto width = output_.width();
    const auto line = render_progress(state, elapsed, std::max<std::size_t>(width, 1) - 1);
    const auto erased = std::min(shown_columns_, width) - std::min(line.size(), shown_columns_);
    output_.write("\r" + line + std::string(erased, ' '));
    shown_columns_ = line.size();
}

void Progress::clear() {
    if (shown_columns_ > 0) {
        output_.write("\r" + std::string(shown_columns_, ' ') + "\r");
        shown_columns_ = 0;
    }
}

}  // namespace footfall::cli
