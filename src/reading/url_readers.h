#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "people/day_keys.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::reading {

/// So many quarter-hours since 1970.
using QuarterOfTime = std::int32_t;

inline constexpr QuarterOfTime quarters_a_day = 96;

QuarterOfTime quarter_of(Instant instant);
people::UtcDay day_of(QuarterOfTime quarter);
Instant begin_of(QuarterOfTime quarter);

/// One record's change of who read a URL.
struct UrlRead {
    std::uint64_t offset = 0;
    std::uint64_t reader = 0;  ///< people::Reader::number.
    QuarterOfTime quarter = 0;
};

/// The same with the URL's hash.
struct ReadOfUrl {
    std::uint64_t url = 0;
    UrlRead read;
};

/// As projecting::WriteBehind keeps what waits, by the hash of the URL.
struct UrlCell {
    using Key = std::uint64_t;
    using Change = UrlRead;

    static std::size_t heap_bytes(Key /*key*/) { return 0; }

    static std::uint64_t offset_of(const Change& change) { return change.offset; }
};

/// Appends readers with their quarters: what read_url.readers holds, and owners answer.
void append_reads(std::span<const UrlRead> reads, std::string& bytes);

/// Appends to `reads` what append_reads() wrote, without offsets. `corrupt` when it is none.
Result<void> take_reads(std::string_view bytes, std::vector<UrlRead>& reads);

}  // namespace footfall::reading
