#pragma once

#include "foundation/result.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::api {

/// One good line of a batch of tokens.
struct TokenLine {
    std::size_t line;  ///< From 1.
    std::string object;
    std::string token;
    std::optional<std::chrono::seconds> ttl;
};

/// A line that was not taken, and why.
struct RejectedLine {
    std::size_t line;
    std::string type;
    std::string detail;
};

struct TokenLines {
    std::vector<TokenLine> good;
    std::vector<RejectedLine> rejected;
};

/// Reads NDJSON lines {"object":"..","token":"..","ttl":60}; ttl may be missing, other fields are
/// passed over, empty lines too. A bad line is rejected by itself. `invalid_input` when there are
/// more than `lines_max`. Pure.
Result<TokenLines> read_token_lines(std::string_view body, std::size_t lines_max);

}  // namespace footfall::api
