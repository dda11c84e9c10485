#include "server/setting_readers.h"

#include "foundation/address.h"
#include "foundation/parse_number.h"
#include "guard_redis/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace footfall::server {
namespace {

/// Longer is for ever.
constexpr std::chrono::seconds longest_keep = std::chrono::days{36'500};

/// "512MiB" or "2 GiB", at most 2^20 of these; absent: it is no such size.
std::optional<std::uint64_t> size_of(std::string_view digits) {
    std::uint64_t unit = 0;
    if (digits.ends_with("MiB")) {
        unit = 1 << 20;
    } else if (digits.ends_with("GiB")) {
        unit = 1 << 30;
    }
    digits.remove_suffix(std::min<std::size_t>(digits.size(), 3));
    while (digits.ends_with(' ')) {
        digits.remove_suffix(1);
    }
    const auto number = parse_unsigned(digits);
    return unit == 0 || !number || *number > (1 << 20) ? std::nullopt
                                                       : std::optional{*number * unit};
}

}  // namespace

std::unexpected<Error> wrong(const Setting& setting, std::string_view what) {
    return fail(
        ErrorKind::invalid_input, fmt::format("{}: \"{}\": {}", setting.origin, setting.text, what)
    );
}

bool are_addresses(std::string_view text) {
    for (const auto part : std::views::split(text, ',')) {
        const auto node = split_address({part.begin(), part.end()});
        if (!node || node->port == 0) {
            return false;
        }
    }
    return !text.empty();
}

Result<void> read_listen(const Setting& setting, Configuration& configuration) {
    auto listen = parse_address(setting.text);
    if (!listen) {
        return wrong(setting, "listen takes ADDRESS:PORT, for example 127.0.0.1:8080");
    }
    configuration.address = std::move(listen->address);
    configuration.port = listen->port;
    return {};
}

Result<void> read_sync(const Setting& setting, Configuration& configuration) {
    if (setting.text == "always") {
        configuration.sync_interval.reset();
        return {};
    }
    std::string_view digits = setting.text;
    const bool milliseconds = digits.ends_with("ms");
    digits.remove_suffix(milliseconds ? 2 : 0);
    const auto number = parse_unsigned(digits);
    if (!milliseconds || !number || *number < 1 || *number > 60'000) {
        return wrong(
            setting, "sync takes always, or an interval from 1ms to 60000ms, for example 200ms"
        );
    }
    configuration.sync_interval = std::chrono::milliseconds{static_cast<std::int64_t>(*number)};
    return {};
}

Result<void> read_memory(const Setting& setting, Configuration& configuration) {
    const auto size = size_of(setting.text);
    if (!size || *size < (64 << 20)) {
        return wrong(setting, "memory takes a size of at least 64MiB, for example 512MiB or 2GiB");
    }
    configuration.memory_bytes = *size;
    return {};
}

Result<void> read_backup_directory(const Setting& setting, Configuration& configuration) {
    configuration.backup_directory = setting.text == "none" ? "" : setting.text;
    return {};
}

/// The key itself is read when the first backup is made, and each time anew; the server looks at it
/// once when it starts, to say what is wrong with it.
Result<void> read_backup_encryption_key(const Setting& setting, Configuration& configuration) {
    configuration.backup_encryption_key = setting.text == "none" ? "" : setting.text;
    return {};
}

Result<void> read_backup_rate(const Setting& setting, Configuration& configuration) {
    const auto size = size_of(setting.text);
    if (!size || *size == 0) {
        return wrong(setting, "backup_rate takes a size a second, for example 50MiB or 1GiB");
    }
    configuration.backup_rate = *size;
    return {};
}

Result<void> read_backup_every(const Setting& setting, Configuration& configuration) {
    if (setting.text == "none") {
        configuration.backup_every.reset();
        return {};
    }
    constexpr std::chrono::seconds least = std::chrono::minutes{1};
    const auto every = parse_duration(setting.text);
    if (!every || *every < least || *every > longest_keep) {
        return wrong(setting, "backup_every takes none, or 1m to 36500d, for example 24h");
    }
    configuration.backup_every = every;
    return {};
}

Result<void> read_backup_keep(const Setting& setting, Configuration& configuration) {
    if (setting.text == "all") {
        configuration.backup_keep.reset();
        return {};
    }
    constexpr std::size_t most = 1'000'000;
    const auto keep = parse_unsigned(setting.text);
    if (!keep || *keep == 0 || *keep > most) {
        return wrong(setting, "backup_keep takes all, or a number of backups from 1 to 1000000");
    }
    configuration.backup_keep = keep;
    return {};
}

Result<void> read_backup_history(const Setting& setting, Configuration& configuration) {
    if (setting.text == "none") {
        configuration.backup_history = 0;
        return {};
    }
    const auto size = size_of(setting.text);
    if (!size || *size < (1 << 20)) {
        return wrong(
            setting, "backup_history takes none, or a size of at least 1MiB, for example 4GiB"
        );
    }
    configuration.backup_history = *size;
    return {};
}

Result<void> read_threads(const Setting& setting, Configuration& configuration) {
    const auto number = parse_unsigned(setting.text);
    if (!number || *number > 256) {
        return wrong(setting, "threads takes a number from 1 to 256, or 0 for one a core");
    }
    configuration.threads = *number;
    return {};
}

Result<void> read_data(const Setting& setting, Configuration& configuration) {
    if (setting.text.empty()) {
        return wrong(setting, "data takes a directory");
    }
    configuration.data = setting.text;
    return {};
}

Result<void> read_rules(const Setting& setting, Configuration& configuration) {
    if (setting.text.empty()) {
        return wrong(setting, "rules takes a file");
    }
    configuration.rules = setting.text;
    return {};
}

Result<void> read_redis(const Setting& setting, Configuration& configuration) {
    if (setting.text.empty()) {
        configuration.redis.reset();
        return {};
    }
    auto place = parse_address(setting.text);
    if (!place || place->port == 0 || !guard_redis::is_numeric_address(place->address)) {
        return wrong(
            setting, "redis takes ADDRESS:PORT, the address in numbers, for example 10.0.0.1:6379"
        );
    }
    configuration.redis = {.address = std::move(place->address), .port = place->port};
    return {};
}

Result<void> read_keep_events(const Setting& setting, Configuration& configuration) {
    if (setting.text == "forever") {
        configuration.keep_events.reset();
        return {};
    }
    constexpr std::chrono::seconds least = std::chrono::minutes{1};
    const auto keep = parse_duration(setting.text);
    if (!keep || *keep < least || *keep > longest_keep) {
        return wrong(setting, "keep_events takes forever, or 1m to 36500d, for example 90d");
    }
    configuration.keep_events = keep;
    return {};
}

Result<void> read_keep_addresses(const Setting& setting, Configuration& configuration) {
    if (setting.text == "forever") {
        configuration.keep_addresses.reset();
        return {};
    }
    const auto keep = parse_duration(setting.text);
    if (!keep || *keep > longest_keep) {
        return wrong(
            setting, "keep_addresses takes forever, or a time to 36500d, for example 7d or 0s"
        );
    }
    configuration.keep_addresses = keep;
    return {};
}

/// Networks, with commas or spaces between.
Result<void> read_trusted_proxies(const Setting& setting, Configuration& configuration) {
    std::string lines = setting.text;
    std::ranges::replace_if(lines, [](char sign) { return sign == ',' || sign == ' '; }, '\n');
    Result<guard::NetworkSet> networks = guard::NetworkSet::read(lines);
    if (!networks) {
        return wrong(setting, "trusted_proxies takes networks, for example 127.0.0.1, 10.0.0.0/8");
    }
    configuration.trusted_proxies = *std::move(networks);
    return {};
}

/// Origins, with commas or spaces between.
Result<void> read_sites(const Setting& setting, Configuration& configuration) {
    std::string_view left = setting.text;
    while (!left.empty()) {
        const std::size_t end = std::min(left.find_first_of(", "), left.size());
        const std::string_view site = left.substr(0, end);
        left.remove_prefix(std::min(end + 1, left.size()));
        if (site.empty()) {
            continue;
        }
        const std::size_t host = site.find("://");
        const bool is_http = site.starts_with("http://") || site.starts_with("https://");
        if (!is_http || host + 3 >= site.size() || site.substr(host + 3).contains('/')) {
            return wrong(
                setting, "sites takes origins, for example https://example.org, without a path"
            );
        }
        configuration.sites.emplace_back(site);
    }
    return {};
}

}  // namespace footfall::server
