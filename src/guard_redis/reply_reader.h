#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::guard_redis {

/// One answer of Redis, lists within lists as one list: so many pieces, each a text. A plain value.
class Reply {
public:
    std::size_t size() const { return pieces_.size(); }

    std::string_view operator[](std::size_t at) const {
        return std::string_view{bytes_}.substr(pieces_[at].begin, pieces_[at].size);
    }

    /// It, or one of its pieces, is an error; `error` is the first.
    bool failed() const { return failed_; }

    std::string_view error() const { return (*this)[error_at_]; }

private:
    friend class ReplyReader;

    struct Piece {
        std::size_t begin = 0;
        std::size_t size = 0;
    };

    std::string bytes_;
    std::vector<Piece> pieces_;
    std::size_t error_at_ = 0;
    bool failed_ = false;
};

/// Makes answers of the bytes that Redis sent: hiredis' parser, without an allocation for each
/// piece. Refuses lists of more than 65,536 pieces. Not thread-safe.
class ReplyReader {
public:
    ReplyReader();
    ReplyReader(const ReplyReader&) = delete;
    ReplyReader& operator=(const ReplyReader&) = delete;
    ~ReplyReader();

    /// `unavailable`: this cannot be Redis. Nothing more can be read then.
    Result<void> feed(std::string_view bytes);

    /// The next answer, until the next call; null: it is not there as a whole.
    Result<const Reply*> next();

private:
    struct Parser;

    std::unique_ptr<Parser> parser_;
    Reply reply_;
};

}  // namespace footfall::guard_redis
