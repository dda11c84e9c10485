#include "people/person.h"

#include <algorithm>
#include <array>
#include <utility>

namespace footfall::people {
namespace {

constexpr std::array<std::string_view, 3> reading_names{"off", "shared", "private"};
constexpr std::array<std::string_view, 2> audience_names{"anyone", "friends"};

template <class Value, std::size_t count>
std::optional<Value> value_named(
    const std::array<std::string_view, count>& names, std::string_view name
) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
        return std::nullopt;
    }
    return static_cast<Value>(found - names.begin());
}

}  // namespace

std::string_view name_of(Reading reading) {
    return reading_names[std::to_underlying(reading)];
}

std::string_view name_of(Audience audience) {
    return audience_names[std::to_underlying(audience)];
}

std::optional<Reading> reading_named(std::string_view name) {
    return value_named<Reading>(reading_names, name);
}

std::optional<Audience> audience_named(std::string_view name) {
    return value_named<Audience>(audience_names, name);
}

Consent effective(Consent consent, Instant now) {
    if (consent.reading == Reading::paused && consent.until && *consent.until <= now) {
        consent.reading = Reading::shared;
        consent.until.reset();
    }
    return consent;
}

bool is_on_sites(std::string_view host, const std::vector<std::string>& sites) {
    return sites.empty() || std::ranges::any_of(sites, [host](const std::string& site) {
               return host.ends_with(site) &&
                      (host.size() == site.size() || host[host.size() - site.size() - 1] == '.');
           });
}

}  // namespace footfall::people
