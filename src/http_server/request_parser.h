#pragma once

#include "http_server/request.h"

#include <cstddef>
#include <memory>
#include <string_view>

namespace footfall::http_server {

struct ParserLimits {
    std::size_t header_bytes = 8 << 10;  ///< Of the whole header, and of a line between two chunks.
    std::size_t body_bytes = 16 << 20;
};

/// Reads one HTTP/1.1 request after the other from a stream of bytes: bounded in header and body,
/// strict about framing (Beast's parser, and what it leaves open is refused: folded lines, transfer
/// codings other than "chunked"). How the bytes are cut makes no difference. Not thread-safe. After
/// `failed` the stream cannot be read on.
class RequestParser {
public:
    enum class State {
        need_more,  ///< The request is not complete; less than a header's limit is left untaken.
        complete,   ///< request() is one request; bytes not taken belong to the next.
        failed,     ///< status() says how to answer; close afterwards.
    };

    explicit RequestParser(ParserLimits limits);
    ~RequestParser();
    RequestParser(const RequestParser&) = delete;
    RequestParser& operator=(const RequestParser&) = delete;

    /// Takes from `bytes` what belongs to the current request. Header bytes are only taken once the
    /// whole header is there (and the lines between chunks likewise), so the caller keeps what was
    /// not taken and gives it again with more behind it. A request that is complete at once is not
    /// copied: its views point into `bytes`.
    State feed(std::string_view bytes, std::size_t& taken);

    /// The complete request; valid until reset(), and as long as the bytes that completed it stay
    /// where they are.
    Request& request();
    const Request& request() const;

    bool keep_alive() const;

    /// Not HTTP/1.0: the client understands chunks, and a connection stays open unless said
    /// otherwise.
    bool is_http_1_1() const;

    /// The header is there, the client waits for "100 Continue", and the body's size is acceptable.
    bool wants_continue() const;

    /// Whether the header is there: request() is known but for its body.
    bool has_header() const;

    /// Whether the header says how long the body is (Request::length).
    bool has_length() const;

    /// Whether any byte of a request was taken.
    bool started() const;

    /// After failed: 400, 413, 414 or 431, the type of the problem, and what was wrong, for a
    /// person.
    int status() const;
    std::string_view problem_type() const;
    std::string_view problem() const;

    /// How much of the current request's body was copied here; one that is complete at once is not.
    std::size_t body_bytes() const;

    /// For how much of it there is room here.
    std::size_t body_room() const;

    /// So much of the current request's body will be copied here: makes the room for it at once.
    void reserve_body(std::size_t bytes);

    /// What the texts of this and earlier requests occupy.
    std::size_t memory_bytes() const;

    /// Starts the next request.
    void reset();

    /// Between two requests: gives back the memory that is kept for the next.
    void release();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace footfall::http_server
