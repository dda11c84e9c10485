#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "people/former_readers.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::people {

/// Whether what a person reads is shared. `off` withdraws all that was shared; `paused`, which is
/// called private, leaves what was shared, and what is read meanwhile leaves nothing.
enum class Reading : std::uint8_t { off, shared, paused };

/// To whom a reader appears: to whoever lists them, or only to those whom they list themselves.
enum class Audience : std::uint8_t { anyone, friends };

/// "off", "shared", "private".
std::string_view name_of(Reading reading);
/// "anyone", "friends".
std::string_view name_of(Audience audience);

/// Absent: no such name.
std::optional<Reading> reading_named(std::string_view name);
std::optional<Audience> audience_named(std::string_view name);

/// What a person says about their reading. A plain value.
struct Consent {
    Reading reading = Reading::off;
    std::optional<Instant> until = {};    ///< When a pause ends, by itself; absent: it does not.
    std::vector<std::string> sites = {};  ///< Hosts, with those below them; empty: all.
    Audience to = Audience::anyone;

    friend bool operator==(const Consent&, const Consent&) = default;
};

/// What holds at `now`: a pause whose end has come is none.
Consent effective(Consent consent, Instant now);

/// Whether `host` is one of these sites, or below one of them; any is, if there are none.
bool is_on_sites(std::string_view host, const std::vector<std::string>& sites);

/// A person as the store has them.
struct Person {
    std::string actor;
    Consent consent = {};
    Instant since{};       ///< When they began to share; 1970 while they are off.
    Instant changed_at{};  ///< When they last said something; 1970: never.
    /// How many friends they list; absent: it was not looked at.
    std::optional<std::size_t> friends = {};
};

inline constexpr std::size_t friends_max = 5'000;
inline constexpr std::size_t sites_max = 100;  ///< Of one person.

/// What somebody says of a person: first their consent, then what is taken back. Friends are
/// replaced first, then added, then removed.
struct Said {
    std::string actor;
    std::optional<Consent> consent = {};
    std::optional<TakeBack> take_back = {};
    std::optional<std::vector<std::string>> friends = {};
    std::vector<std::string> add = {};
    std::vector<std::string> remove = {};
};

}  // namespace footfall::people
