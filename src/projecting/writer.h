#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::projecting {

/// Who writes a row that sums or unites events: a lane of a log. 8 bytes of the log's id and 2 of
/// the lane, the highest first.
inline std::string writer_of(std::uint64_t log_id, std::size_t lane) {
    std::string writer;
    for (int shift = 56; shift >= 0; shift -= 8) {
        writer.push_back(static_cast<char>(log_id >> shift & 0xff));
    }
    writer.push_back(static_cast<char>(lane >> 8 & 0xff));
    writer.push_back(static_cast<char>(lane & 0xff));
    return writer;
}

/// What writer_of() was made of.
struct Writer {
    std::uint64_t log = 0;
    std::uint32_t lane = 0;
};

/// Absent: these bytes are no writer.
inline std::optional<Writer> writer_in(std::string_view bytes) {
    constexpr std::size_t log_bytes = 8;
    constexpr std::size_t lane_bytes = 2;
    if (bytes.size() != log_bytes + lane_bytes) {
        return std::nullopt;
    }
    std::uint64_t number = 0;
    Writer writer;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        number = number << 8 | static_cast<unsigned char>(bytes[at]);
        if (at + 1 == log_bytes) {
            writer.log = std::exchange(number, 0);
        }
    }
    writer.lane = static_cast<std::uint32_t>(number);
    return writer;
}

}  // namespace footfall::projecting
