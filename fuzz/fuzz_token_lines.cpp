// Any bytes as the body of POST /api/v1/counter. Properties: what is taken can be stored (names and
// tokens within their bounds), every line is either taken, rejected or blank, and a body cut at a
// line end reads as its two parts do.
#include "api/token_lines.h"
#include "foundation/check.h"
#include "foundation/utf8.h"
#include "tokens/names.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using footfall::api::read_token_lines;
using footfall::api::TokenLine;
using footfall::api::TokenLines;

namespace {

constexpr std::size_t no_limit = 1'000'000;

void check_sound(const TokenLines& lines) {
    std::size_t last = 0;
    for (const TokenLine& line : lines.good) {
        CHECK(line.line > last, "line numbers ascend", line.line, last);
        last = line.line;
        CHECK(
            footfall::tokens::check_name("object name", line.object), "a name that cannot be stored"
        );
        CHECK(footfall::tokens::check_token(line.token), "a token that cannot be stored");
        CHECK(!line.ttl || line.ttl->count() > 0, "a ttl of nothing");
    }
    for (const auto& rejected : lines.rejected) {
        CHECK(footfall::is_utf8(rejected.detail), "a reason that JSON cannot carry");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view body{reinterpret_cast<const char*>(data), size};
    const auto whole = read_token_lines(body, no_limit);
    CHECK(whole, "only too many lines are refused as a whole");
    check_sound(*whole);
    const std::size_t cut = body.find('\n', size / 2);
    if (cut != std::string_view::npos) {
        const auto first = read_token_lines(body.substr(0, cut + 1), no_limit);
        const auto second = read_token_lines(body.substr(cut + 1), no_limit);
        CHECK(first && second, "parts of a good body are good");
        CHECK(
            first->good.size() + second->good.size() == whole->good.size(),
            "lines depend on their neighbours"
        );
        CHECK(
            first->rejected.size() + second->rejected.size() == whole->rejected.size(),
            "rejections depend on their neighbours"
        );
    }
    return 0;
}
