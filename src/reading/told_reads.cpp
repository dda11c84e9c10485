#include "reading/told_reads.h"

#include "foundation/varint.h"

#include <cstdint>
#include <utility>

namespace footfall::reading {

std::string text_of(const std::vector<ToldRead>& reads) {
    std::string text;
    for (const ToldRead& each : reads) {
        append_varint(zigzag(each.quarter), text);
        append_varint(each.url.size(), text);
        text += each.url;
    }
    return text;
}

std::vector<ToldRead> told_reads(std::string_view text) {
    std::vector<ToldRead> reads;
    while (!text.empty()) {
        std::uint64_t quarter = 0;
        std::uint64_t length = 0;
        if (!take_varint(text, quarter) || !take_varint(text, length) || length > text.size()) {
            return {};
        }
        reads.push_back(
            {.url = std::string{text.substr(0, length)},
             .quarter = static_cast<QuarterOfTime>(from_zigzag(quarter))}
        );
        text.remove_prefix(length);
    }
    return reads;
}

}  // namespace footfall::reading
