#include "events/canonical_url.h"
#include "foundation/parse_number.h"
#include "server/setting_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace footfall::server {
namespace {

constexpr std::size_t sites_max = 10'000;

/// In lower case and ASCII; empty: it is no host.
std::string host_of(std::string_view text) {
    if (text.find_first_of("/?#@:\\") != std::string_view::npos) {
        return {};
    }
    const std::string article = events::canonical_url(fmt::format("https://{}/", text));
    return std::string{events::site_of(article)};
}

}  // namespace

/// Hosts, with commas or spaces between.
Result<void> read_reading_sites(const Setting& setting, Configuration& configuration) {
    std::string_view left = setting.text;
    std::vector<std::string> sites;
    while (!left.empty()) {
        const std::size_t end = std::min(left.find_first_of(", "), left.size());
        const std::string_view site = left.substr(0, end);
        left.remove_prefix(std::min(end + 1, left.size()));
        if (site.empty()) {
            continue;
        }
        std::string host = host_of(site);
        if (host.empty() || sites.size() == sites_max) {
            return wrong(
                setting,
                "reading_sites takes up to 10,000 hosts, for example news.example, blog.example"
            );
        }
        sites.push_back(std::move(host));
    }
    configuration.reads.sites = std::move(sites);
    return {};
}

Result<void> read_reading_ttl(const Setting& setting, Configuration& configuration) {
    constexpr std::chrono::days longest{366};
    const auto time = parse_duration(setting.text);
    const auto days = time ? std::chrono::floor<std::chrono::days>(*time) : std::chrono::days{0};
    if (!time || days < std::chrono::days{1} || days > longest || days != *time) {
        return wrong(setting, "reading_ttl takes whole days, 1d to 366d, for example 30d");
    }
    configuration.reads.ttl = days;
    return {};
}

Result<void> read_reading_least(const Setting& setting, Configuration& configuration) {
    constexpr std::uint64_t most = 1'000'000;
    const auto number = parse_unsigned(setting.text);
    if (!number || *number < 1 || *number > most) {
        return wrong(setting, "reading_least takes a number of people from 1 to 1000000");
    }
    configuration.reads.least = *number;
    return {};
}

Result<void> read_reading_ingress(const Setting& setting, Configuration& configuration) {
    if (setting.text != "on" && setting.text != "off") {
        return wrong(setting, "reading_ingress takes on or off");
    }
    configuration.reads.ingress = setting.text == "on";
    return {};
}

}  // namespace footfall::server
