#pragma once

#include "foundation/clock.h"
#include "people/reader.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::people {

/// What of all that somebody shared so far.
enum class Taken : std::uint8_t { all, url, site, since };

/// What a person takes back of what they shared until then.
struct TakeBack {
    Taken taken = Taken::all;
    std::string text = {};  ///< A canonical URL, or a host, which stands for those below it, too.
    /// A fact goes if its latest read is not before. Facts know quarter-hours: it is as if its own
    /// had just begun.
    Instant since{};
};

/// Who takes back a part is another reader from then on, and the former reader stays for the rest:
/// so that what is read again later is told from what was taken back, whatever arrives when. A
/// URL and a site stand there as hashes under the reader's key, so that nobody finds them in a row.
struct FormerReader {
    Reader reader;
    Instant at{};  ///< When they became another one.
    Taken taken = Taken::url;
    std::uint64_t hash = 0;  ///< Of the URL or site.
    Instant since{};

    friend bool operator==(const FormerReader&, const FormerReader&) = default;
};

/// So many a person may have: what is left of them is told again once nothing more was taken back
/// for ten minutes.
inline constexpr std::size_t former_readers_max = 64;

/// `what` must not be all.
FormerReader former_reader(const Reader& reader, Instant at, const TakeBack& what);

/// Whether a read of that time, of any reader up to this one, was taken back when it became a
/// former one. `url`: canonical.
bool hides(const FormerReader& former, std::string_view url, Instant time);

/// When the person last read the URL, of what is left: `times` are the latest reads under each of
/// the former readers, the oldest first, and behind them under the present one. Absent: nothing is.
std::optional<Instant> left_of(
    std::span<const FormerReader> formers,
    std::string_view url,
    std::span<const std::optional<Instant>> times
);

}  // namespace footfall::people
