#include "api/gzip_body.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace footfall::api {
namespace {

std::string gzip(std::string text) {
    z_stream stream{};
    constexpr int window_bits = 15 + 16;
    EXPECT_EQ(
        deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY),
        Z_OK
    );
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(text.data());
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

constexpr std::size_t bytes_max = 1 << 20;

/// The body, or the status it is refused with.
std::string decoded(std::string_view body, std::string_view encoding = "gzip") {
    http_server::Request request;
    request.body = body;
    request.known.content_encoding = encoding;
    std::string unpacked;
    const auto text = decoded_body(request, bytes_max, unpacked);
    EXPECT_LE(unpacked.size(), bytes_max + 1);
    return text ? std::string{*text} : std::to_string(text.error().status);
}

TEST(GzipBody, is_unpacked_up_to_the_limit) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{70'000}, bytes_max}) {
        const std::string text(size, 'x');
        EXPECT_TRUE(decoded(gzip(text)) == text) << size;
    }
    EXPECT_EQ(decoded(gzip(std::string(bytes_max + 1, 'x'))), "413");
    EXPECT_EQ(decoded(gzip(std::string(100 * bytes_max, 'x'))), "413");
}

TEST(GzipBody, may_have_several_members) {
    EXPECT_EQ(decoded(gzip("ab") + gzip("") + gzip("c")), "abc");
    EXPECT_EQ(decoded(gzip(std::string(bytes_max, 'x')) + gzip("y")), "413");
}

TEST(GzipBody, that_is_none_or_damaged_is_refused) {
    const std::string whole = gzip("a text to be damaged");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_EQ(decoded(whole.substr(0, size)), "400") << size;
    }
    EXPECT_EQ(decoded("plain text"), "400");
    EXPECT_EQ(decoded(whole + "more"), "400");
    std::string flipped = whole;
    flipped[flipped.size() / 2] ^= 1;
    EXPECT_EQ(decoded(flipped), "400");
}

TEST(GzipBody, of_no_encoding_is_taken_as_it_is_and_of_another_refused) {
    EXPECT_EQ(decoded("plain", ""), "plain");
    EXPECT_EQ(decoded("plain", "br"), "415");
}

}  // namespace
}  // namespace footfall::api
