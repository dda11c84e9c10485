#include "http_server/request_parser.h"

#include "foundation/check.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace footfall::http_server {
namespace {

namespace http = boost::beast::http;
using boost::system::error_code;
using BeastView = boost::beast::string_view;

Method method_of(http::verb verb) {
    switch (verb) {
        case http::verb::get:
            return Method::get;
        case http::verb::head:
            return Method::head;
        case http::verb::put:
            return Method::put;
        case http::verb::post:
            return Method::post;
        case http::verb::delete_:
            return Method::del;
        case http::verb::options:
            return Method::options;
        default:
            return Method::other;
    }
}

constexpr std::size_t kept_body_bytes = 64 << 10;
/// No valid chunked body ends in fewer bytes: "0\r\n\r\n".
constexpr std::size_t chunked_end_bytes = 5;

/// Where a text lies in the buffer of header texts: offsets, since the buffer may move while it
/// grows.
struct Span {
    std::size_t start;
    std::size_t length;
};

/// Texts of the request, kept for reuse from one request to the next.
struct Texts {
    std::string header;
    std::string body;
    Span target{};
    std::vector<std::pair<Span, Span>> fields;
    Method method = Method::other;
    bool is_http_1_1 = false;
    bool expects_continue = false;

    Span keep(BeastView text) {
        const Span span{.start = header.size(), .length = text.size()};
        header.append(text.data(), text.size());
        return span;
    }

    std::string_view view(Span span) const {
        return std::string_view{header}.substr(span.start, span.length);
    }

    void clear() {
        header.clear();
        body.clear();
        fields.clear();
        expects_continue = false;
    }
};

/// Beast's parser for one request, writing what it finds into `texts`. Stricter where Beast leaves
/// the length of a body open to a second reading.
class OneRequest final : public http::basic_parser<true> {
public:
    explicit OneRequest(Texts& texts) : texts_{&texts} {}

    /// What comes next is the line before a chunk, or the end of the body.
    bool is_between_chunks() const { return chunked() && chunk_left_ == 0; }

private:
    void on_request_impl(http::verb verb, BeastView, BeastView target, int version, error_code&)
        override {
        texts_->method = method_of(verb);
        texts_->is_http_1_1 = version == 11;
        texts_->target = texts_->keep(target);
    }

    void on_response_impl(int, BeastView, int, error_code&) override {}

    void on_field_impl(http::field field, BeastView name, BeastView value, error_code& error)
        override {
        if (is_header_done()) {
            return;  // a trailer, which nobody who looked at the header has seen
        }
        if (field == http::field::transfer_encoding &&
            (!texts_->is_http_1_1 || !boost::beast::iequals(value, "chunked"))) {
            error = http::error::bad_transfer_encoding;
            return;
        }
        if (field == http::field::expect && texts_->is_http_1_1 &&
            boost::beast::iequals(value, "100-continue")) {
            texts_->expects_continue = true;
        }
        const Span kept_name = texts_->keep(name);
        texts_->fields.emplace_back(kept_name, texts_->keep(value));
    }

    void on_header_impl(error_code&) override {}

    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}

    std::size_t on_body_impl(BeastView bytes, error_code&) override {
        texts_->body.append(bytes.data(), bytes.size());
        return bytes.size();
    }

    void on_chunk_header_impl(std::uint64_t size, BeastView, error_code&) override {
        chunk_left_ = size;
    }

    std::size_t on_chunk_body_impl(std::uint64_t, BeastView bytes, error_code&) override {
        texts_->body.append(bytes.data(), bytes.size());
        chunk_left_ -= bytes.size();
        return bytes.size();
    }

    void on_finish_impl(error_code&) override {}

    Texts* texts_;
    std::uint64_t chunk_left_ = 0;
};

/// Whether a quoted text in the line before a chunk has no end there. Beast would look for the end
/// in what follows, and count the chunk's size anew each time.
bool has_unclosed_quote(std::string_view bytes) {
    const std::size_t start = bytes.starts_with("\r\n") ? 2 : 0;  // what ends the chunk before
    const std::size_t end = bytes.find("\r\n", start);
    if (end == std::string_view::npos) {
        return false;
    }
    const std::string_view line = bytes.substr(start, end - start);
    return std::ranges::count(line, '"') % 2 != 0 || line.contains('\\');
}

/// Whether a header line goes on in the next one (obs-fold), which not everybody reads alike.
bool folds_a_line(std::string_view header) {
    return header.find("\r\n ") != std::string_view::npos ||
           header.find("\r\n\t") != std::string_view::npos;
}

}  // namespace

class RequestParser::Impl {
public:
    explicit Impl(ParserLimits limits) : limits_{limits} { reset(); }

    State feed(std::string_view bytes, std::size_t& taken) {
        taken = 0;
        started_ = started_ || !bytes.empty();
        if (!beast().is_header_done()) {
            const State state = read_header(bytes, taken);
            if (state != State::complete) {
                return state;
            }
        }
        while (!beast().is_done()) {
            const State state = read_body_step(bytes.substr(taken), taken);
            if (state != State::complete) {
                return state;
            }
        }
        assemble();
        return State::complete;
    }

    void reset() {
        begin();
        if (texts_.body.capacity() > kept_body_bytes) {
            std::string{}.swap(texts_.body);  // it must not stay with an idle connection
        }
        started_ = false;
    }

    /// Beast's parser for the current request.
    OneRequest& beast() {
        CHECK(beast_.has_value(), "begin() made one");
        return *beast_;
    }

    Request request_;
    Texts texts_;
    bool started_ = false;
    int status_ = 400;
    std::string problem_;

private:
    void begin() {
        texts_.clear();
        OneRequest& fresh = beast_.emplace(texts_);
        fresh.header_limit(std::numeric_limits<std::uint32_t>::max());  // ours is stricter
        fresh.body_limit(limits_.body_bytes);
    }

    /// Complete: the header is. Beast sees an incomplete header from its start each time: given in
    /// pieces, it would count each piece against the limit by itself.
    State read_header(std::string_view bytes, std::size_t& taken) {
        const std::string_view seen = bytes.substr(0, limits_.header_bytes);
        error_code error;
        const std::size_t used = beast().put(boost::asio::buffer(seen), error);
        if (error == http::error::need_more && seen.size() < limits_.header_bytes) {
            begin();
            return State::need_more;
        }
        if (!error && folds_a_line(seen.substr(0, used))) {
            error = http::error::bad_obs_fold;
        }
        if (error) {
            return refuse(error);
        }
        taken = used;
        return State::complete;
    }

    /// Complete: it got on; there may be more to do. A line between two chunks may be as long as a
    /// header; body bytes come by here in steps of that size.
    State read_body_step(std::string_view bytes, std::size_t& taken) {
        // With less, Beast 1.81 stops the program: an assertion about the last chunk.
        if (bytes.empty() || (beast().chunked() && bytes.size() < chunked_end_bytes)) {
            return State::need_more;
        }
        const std::string_view seen = bytes.substr(0, limits_.header_bytes);
        if (beast().is_between_chunks() && has_unclosed_quote(seen)) {
            return refuse(http::error::bad_chunk_extension);
        }
        error_code error;
        taken += beast().put(boost::asio::buffer(seen), error);
        if (error == http::error::need_more && seen.size() < limits_.header_bytes) {
            return State::need_more;
        }
        return error ? refuse(error) : State::complete;
    }

    void assemble() {
        request_.method = texts_.method;
        const std::string_view target = texts_.view(texts_.target);
        const std::size_t question = std::min(target.find('?'), target.size());
        request_.path = target.substr(0, question);
        request_.query = target.substr(std::min(question + 1, target.size()));
        request_.body = texts_.body;
        request_.rest = {};
        request_.headers.clear();
        for (const auto& [name, value] : texts_.fields) {
            request_.headers.emplace_back(texts_.view(name), texts_.view(value));
        }
    }

    State refuse(const error_code& error) {
        if (error == http::error::body_limit) {
            status_ = 413;
            problem_ = "the body is larger than the " + std::to_string(limits_.body_bytes) +
                       " bytes allowed";
        } else if (error == http::error::need_more) {
            status_ = 431;
            problem_ = "the header is larger than the " + std::to_string(limits_.header_bytes) +
                       " bytes allowed";
        } else {
            status_ = 400;
            problem_ = "not an HTTP/1.1 request: " + error.message();
        }
        return State::failed;
    }

    const ParserLimits limits_;
    std::optional<OneRequest> beast_;
};

RequestParser::RequestParser(ParserLimits limits) : impl_{std::make_unique<Impl>(limits)} {}

RequestParser::~RequestParser() = default;

RequestParser::State RequestParser::feed(std::string_view bytes, std::size_t& taken) {
    return impl_->feed(bytes, taken);
}

Request& RequestParser::request() {
    return impl_->request_;
}

const Request& RequestParser::request() const {
    return impl_->request_;
}

bool RequestParser::keep_alive() const {
    return impl_->beast().keep_alive();
}

bool RequestParser::is_http_1_1() const {
    return impl_->texts_.is_http_1_1;
}

bool RequestParser::wants_continue() const {
    return impl_->texts_.expects_continue && impl_->beast().is_header_done() &&
           !impl_->beast().is_done();
}

bool RequestParser::started() const {
    return impl_->started_;
}

int RequestParser::status() const {
    return impl_->status_;
}

std::string_view RequestParser::problem() const {
    return impl_->problem_;
}

std::size_t RequestParser::memory_bytes() const {
    return impl_->texts_.header.capacity() + impl_->texts_.body.capacity();
}

void RequestParser::reset() {
    impl_->reset();
}

}  // namespace footfall::http_server
