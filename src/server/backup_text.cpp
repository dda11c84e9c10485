#include "server/backup_text.h"

#include "events/rfc3339.h"

#include <fmt/format.h>

#include <array>

namespace footfall::server {
namespace {

constexpr std::uint64_t megabyte = 1'000'000;

}  // namespace

std::string size_text(std::uint64_t bytes) {
    constexpr std::array<std::string_view, 4> units{"kB", "MB", "GB", "TB"};
    constexpr double step = 1000;
    if (bytes < static_cast<std::uint64_t>(step)) {
        return fmt::format("{} bytes", bytes);
    }
    double size = static_cast<double>(bytes) / step;
    std::size_t unit = 0;
    while (size >= step && unit + 1 < units.size()) {
        size /= step;
        ++unit;
    }
    return fmt::format("{:.1f} {}", size, units.at(unit));
}

Result<std::optional<Instant>> moment_of(std::string_view time) {
    if (time.empty()) {
        return std::nullopt;
    }
    const std::optional<Instant> moment = events::parse_rfc3339(time);
    if (!moment) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "--time takes a moment as RFC 3339 has it, with its zone, for example "
                "2026-11-30T15:04:05.250Z, and not \"{}\"",
                time
            )
        );
    }
    return moment;
}

backup::BeforeStep ByteProgress::before_step() {
    return [this](const backup::Step& step) -> Result<void> {
        progress_.update(
            {.records = step.bytes_done / megabyte,
             .bytes_done = step.bytes_done,
             .bytes_total = step.bytes_total,
             .unit = "megabyte"}
        );
        return {};
    };
}

}  // namespace footfall::server
