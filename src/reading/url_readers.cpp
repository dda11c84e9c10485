#include "reading/url_readers.h"

#include "foundation/varint.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace footfall::reading {
namespace {

using Quarters = std::chrono::duration<std::int32_t, std::ratio<900>>;

}  // namespace

QuarterOfTime quarter_of(Instant instant) {
    return std::chrono::floor<Quarters>(instant).time_since_epoch().count();
}

people::UtcDay day_of(QuarterOfTime quarter) {
    const QuarterOfTime down = quarter < 0 ? quarters_a_day - 1 : 0;
    return (quarter - down) / quarters_a_day;
}

Instant begin_of(QuarterOfTime quarter) {
    return Instant{Quarters{quarter}};
}

void append_reads(std::span<const UrlRead> reads, std::string& bytes) {
    for (const UrlRead& each : reads) {
        bytes.append(reinterpret_cast<const char*>(&each.reader), sizeof(each.reader));
        append_varint(zigzag(each.quarter), bytes);
    }
}

Result<void> take_reads(std::string_view bytes, std::vector<UrlRead>& reads) {
    while (!bytes.empty()) {
        UrlRead read;
        std::uint64_t quarter = 0;
        if (bytes.size() >= sizeof(read.reader)) {
            std::memcpy(&read.reader, bytes.data(), sizeof(read.reader));
            bytes.remove_prefix(sizeof(read.reader));
            if (take_varint(bytes, quarter)) {
                read.quarter = static_cast<QuarterOfTime>(from_zigzag(quarter));
                reads.push_back(read);
                continue;
            }
        }
        return fail(ErrorKind::corrupt, "who read a URL is damaged");
    }
    return {};
}

}  // namespace footfall::reading
