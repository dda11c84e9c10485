#pragma once

#include "foundation/result.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::tokens::routes {

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

/// How many lines of a batch are not blank.
std::size_t count_token_lines(std::string_view body);

/// Reads NDJSON lines {"object":"..","token":"..","ttl":60}, some at a time, so that a large batch
/// need not keep a thread from others. ttl may be missing, other fields are passed over, blank
/// lines too; a bad line is rejected by itself. Not thread-safe.
class TokenLineReader {
public:
    /// `body` must outlive the reader.
    explicit TokenLineReader(std::string_view body);
    ~TokenLineReader();
    TokenLineReader(const TokenLineReader&) = delete;
    TokenLineReader& operator=(const TokenLineReader&) = delete;

    bool done() const { return left_.empty(); }

    /// The next lines, at most so many, good and rejected together.
    TokenLines next(std::size_t lines_max);

private:
    struct Parser;

    std::string_view left_;
    std::size_t number_ = 0;  ///< Of the last line taken.
    std::unique_ptr<Parser> parser_;
};

}  // namespace footfall::tokens::routes
