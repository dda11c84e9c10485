#include "server/backup_text.h"

#include "events/rfc3339.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

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

void add_key(CLI::App& verb, backup::Address& address) {
    verb.add_option(
            "--encryption-key",
            address.key_file,
            "A file with the key that they are encrypted with, 64 hexadecimal digits"
    )
        ->type_name("FILE");
}

void add_address(CLI::App& verb, backup::Address& from) {
    verb.add_option("--from", from.place, "Where backups are, a directory or s3://BUCKET/PREFIX")
        ->required()
        ->type_name("PLACE");
    add_key(verb, from);
}

void RestoredBackup::add_to(CLI::App& verb) {
    add_address(verb, from);
    CLI::Option* const named =
        verb.add_option("--backup", name, "This one; the newest where it is left out")
            ->type_name("NAME");
    verb.add_option("--time", time, "As it was at this moment, of any between two backups")
        ->type_name("TIME")
        ->excludes(named);
}

Result<std::optional<Instant>> RestoredBackup::moment() const {
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
