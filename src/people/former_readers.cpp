#include "people/former_readers.h"

#include "events/canonical_url.h"
#include "foundation/check.h"
#include "foundation/siphash.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace footfall::people {
namespace {

std::uint64_t hash_under(const ReaderKey& key, std::string_view text) {
    SipKey sip;
    static_assert(sizeof(sip) == sizeof(key));
    std::memcpy(&sip, key.data(), key.size());
    return siphash13(sip, text);
}

/// Also if it is below that site.
bool is_of_site(const FormerReader& former, std::string_view host) {
    while (hash_under(former.reader.key, host) != former.hash) {
        const std::size_t dot = host.find('.');
        if (dot == std::string_view::npos) {
            return false;
        }
        host.remove_prefix(dot + 1);
    }
    return true;
}

}  // namespace

FormerReader former_reader(const Reader& reader, Instant at, const TakeBack& what) {
    CHECK(what.taken != Taken::all, "who takes back all leaves no former reader");
    FormerReader former{.reader = reader, .at = at, .taken = what.taken};
    if (what.taken == Taken::since) {
        constexpr std::chrono::minutes quarter{15};
        former.since = what.since - what.since.time_since_epoch() % quarter;
    } else {
        former.hash = hash_under(reader.key, what.text);
    }
    return former;
}

bool hides(const FormerReader& former, std::string_view url, Instant time) {
    switch (former.taken) {
        case Taken::all:
            return true;
        case Taken::url:
            return hash_under(former.reader.key, url) == former.hash;
        case Taken::site:
            return is_of_site(former, events::site_of(url));
        case Taken::since:
            return time >= former.since;
    }
    return true;
}

std::optional<Instant> left_of(
    std::span<const FormerReader> formers,
    std::string_view url,
    std::span<const std::optional<Instant>> times
) {
    CHECK(times.size() == formers.size() + 1, "a time for each reader");
    std::optional<Instant> latest;
    for (std::size_t at = 0; at < times.size(); ++at) {
        latest = std::max(latest, times[at]);
        if (at < formers.size() && latest && hides(formers[at], url, *latest)) {
            latest.reset();
        }
    }
    return latest;
}

}  // namespace footfall::people
