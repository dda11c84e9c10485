// Any bytes as the body of POST /api/v1/counter. Properties: what is taken can be stored (names and
// tokens within their bounds), every line is either taken, rejected or blank, and a body read in
// parts reads as the whole does.
#include "foundation/check.h"
#include "foundation/names.h"
#include "foundation/utf8.h"
#include "tokens/names.h"
#include "tokens_routes/token_lines.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using footfall::tokens::routes::TokenLine;
using footfall::tokens::routes::TokenLineReader;
using footfall::tokens::routes::TokenLines;

namespace {

void check_sound(const TokenLines& lines) {
    std::size_t last = 0;
    for (const TokenLine& line : lines.good) {
        CHECK(line.line > last, "line numbers ascend", line.line, last);
        last = line.line;
        CHECK(footfall::check_name("object name", line.object), "a name that cannot be stored");
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
    const TokenLines whole = TokenLineReader{body}.next(size + 1);
    check_sound(whole);
    CHECK(
        whole.good.size() + whole.rejected.size() ==
            footfall::tokens::routes::count_token_lines(body),
        "a line is neither taken nor rejected"
    );
    TokenLineReader reader{body};
    std::size_t good = 0;
    std::size_t rejected = 0;
    while (!reader.done()) {
        const TokenLines part = reader.next(3);
        good += part.good.size();
        rejected += part.rejected.size();
    }
    CHECK(good == whole.good.size(), "lines depend on how they are read");
    CHECK(rejected == whole.rejected.size(), "rejections depend on how they are read");
    return 0;
}
