#pragma once

#include "http_server/request.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::net {

class Gate;

}  // namespace footfall::net

namespace footfall::http_server {

/// The lines every answer has, with the date: made once a second, not once an answer.
std::string common_lines();

/// What an answer owes to its request.
struct Form {
    bool head_only;
    std::string_view connection;  ///< The Connection header line, if one is needed.
};

/// Answers of one connection on their way out, as bytes, and which of them are held back. Keeps its
/// memory, so answering allocates nothing once it has grown. A plain value for one thread.
class Output {
public:
    bool empty() const { return text_.empty(); }

    std::size_t size() const { return text_.size(); }

    /// What it occupies, sent or not.
    std::size_t memory_bytes() const { return text_.capacity() + held_.capacity() * sizeof(Held); }

    void add(std::string_view text) { text_ += text; }

    void add_answer(const Response& response, Form form, std::string_view common_lines);

    /// All of a header but the framing of the body and the empty line.
    void add_head(
        const Response& response, std::string_view connection, std::string_view common_lines
    );

    /// A piece of a body whose length is not known, which is not empty.
    void add_chunk(std::string_view piece);

    /// The position that decides whether all that is held may leave; 0: nothing is held.
    std::uint64_t held_until() const { return held_until_; }

    /// Once that is decided: leaves what may leave, and puts `unknown()` in the place of each
    /// answer whose gate did not open. Answers how many these were.
    std::size_t settle(
        const net::Gate& gate,
        const std::function<Response()>& unknown,
        std::string_view common_lines
    );

    /// What has not been sent. Nothing may be held.
    std::string_view unsent() const { return std::string_view{text_}.substr(sent_); }

    /// So many more bytes were sent. After the last one the output is empty.
    void sent(std::size_t count);

    /// Gives back the memory of an empty output.
    void release();

private:
    struct Held {
        std::size_t start;
        std::size_t end;
        std::uint64_t position;
        Form form;
    };

    std::string text_;
    std::size_t sent_ = 0;
    std::vector<Held> held_;
    std::uint64_t held_until_ = 0;
};

}  // namespace footfall::http_server
