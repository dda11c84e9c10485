#include "api/gzip_body.h"

#include "foundation/check.h"
#include "http_server/problem.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <span>

namespace footfall::api {
namespace {

std::unexpected<http_server::Response> refuse(
    int status, std::string_view type, std::string_view detail
) {
    return std::unexpected(http_server::problem(status, type, detail, "Content-Encoding"));
}

bool is_gzip(std::string_view encoding) {
    constexpr auto lower = [](char letter) { return static_cast<char>(letter | 0x20); };
    return std::ranges::equal(encoding, std::string_view{"gzip"}, {}, lower);
}

/// zlib at work on one body, member after member.
class Inflater {
public:
    explicit Inflater(std::string_view packed) {
        constexpr int window_bits = 15;
        constexpr int gzip_only = 16;
        CHECK(inflateInit2(&stream_, window_bits + gzip_only) == Z_OK, "zlib does not start");
        // zlib promises not to write to its input; its C header lacks the const.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream_.avail_in = static_cast<uInt>(packed.size());
    }

    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    ~Inflater() { inflateEnd(&stream_); }

    /// Z_STREAM_END: all members are done; Z_OK: there is more to come than `room` takes; else the
    /// bytes are no gzip. `written` bytes of `room` are filled.
    int fill(std::span<char> room, std::size_t& written) {
        stream_.next_out = reinterpret_cast<Bytef*>(room.data());
        stream_.avail_out = static_cast<uInt>(room.size());
        int outcome = Z_OK;
        while (outcome == Z_OK && stream_.avail_out > 0) {
            outcome = inflate(&stream_, Z_NO_FLUSH);
            if (outcome == Z_STREAM_END && stream_.avail_in > 0) {
                outcome = inflateReset(&stream_);
            }
        }
        written = room.size() - stream_.avail_out;
        return outcome;
    }

private:
    z_stream stream_{};
};

}  // namespace

Asked<std::string_view> decoded_body(
    const http_server::Request& request, std::size_t bytes_max, std::string& unpacked
) {
    const std::string_view encoding = request.known.content_encoding;
    if (encoding.empty()) {
        return request.body;
    }
    if (!is_gzip(encoding)) {
        return refuse(415, "unsupported-encoding", "send the body as it is, or packed with gzip");
    }
    constexpr std::size_t first_room = 64 << 10;
    Inflater inflater{request.body};
    std::size_t size = 0;
    int outcome = Z_OK;
    while (outcome == Z_OK && size <= bytes_max) {
        unpacked.resize(std::min(std::max(first_room, 2 * size), bytes_max + 1));
        std::size_t written = 0;
        outcome = inflater.fill(std::span{unpacked}.subspan(size), written);
        size += written;
    }
    if (size > bytes_max) {
        return refuse(
            413,
            "body-too-large",
            fmt::format("the body is larger than the {} bytes allowed when unpacked", bytes_max)
        );
    }
    if (outcome != Z_STREAM_END) {
        return refuse(400, "invalid-input", "the body is no gzip, or is damaged or cut off");
    }
    unpacked.resize(size);
    return unpacked;
}

}  // namespace footfall::api
