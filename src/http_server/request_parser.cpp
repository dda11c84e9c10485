#include "http_server/request_parser.h"

#include "foundation/check.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

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

constexpr std::size_t kept_body_bytes = 4 << 10;
/// No valid chunked body ends in fewer bytes: "0\r\n\r\n".
constexpr std::size_t chunked_end_bytes = 5;

/// What Beast's parser finds: views into the bytes it was given, until somebody keeps them.
struct Found {
    Request request;
    std::string_view target;
    std::string body;  ///< Of a body that came in pieces.
    bool is_http_1_1 = false;
    bool expects_continue = false;

    void clear() {
        request.headers.clear();
        request.known = {};
        request.body = {};
        request.length = 0;
        request.placeholders = {};
        body.clear();
        expects_continue = false;
    }
};

std::string_view view_of(BeastView text) {
    return {text.data(), text.size()};
}

/// Beast's parser for one request. Stricter where Beast leaves the length of a body open to a
/// second reading.
class OneRequest final : public http::basic_parser<true> {
public:
    explicit OneRequest(Found& found) : found_{&found} {}

    /// What comes next is the line before a chunk, or the end of the body.
    bool is_between_chunks() const { return chunked() && chunk_left_ == 0; }

    /// Where the header lies that is parsed next: what Beast hands over from elsewhere was folded.
    void expect_header_in(std::string_view bytes) { header_end_ = bytes.data() + bytes.size(); }

private:
    void on_request_impl(http::verb verb, BeastView, BeastView target, int version, error_code&)
        override {
        found_->request.method = method_of(verb);
        found_->is_http_1_1 = version == 11;
        found_->target = view_of(target);
    }

    void on_response_impl(int, BeastView, int, error_code&) override {}

    void on_field_impl(http::field field, BeastView name, BeastView value, error_code& error)
        override {
        if (is_header_done()) {
            return;  // a trailer, which nobody who looked at the header has seen
        }
        if (is_folded(view_of(name), view_of(value))) {
            error = http::error::bad_obs_fold;
            return;
        }
        note(field, view_of(value), error);
        found_->request.headers.emplace_back(view_of(name), view_of(value));
    }

    /// Whether the value goes on in the next line (obs-fold), which not everybody reads alike:
    /// Beast hands over a text of its own then, or has passed the end of a line.
    bool is_folded(std::string_view name, std::string_view value) const {
        const std::string_view rest{name.data() + name.size(), header_end_};
        if (std::less{}(value.data(), rest.data()) || std::less{}(header_end_, value.data())) {
            return true;
        }
        const auto gap = static_cast<std::size_t>(value.data() - rest.data());
        return rest.substr(0, gap).contains('\n');
    }

    void note(http::field field, std::string_view value, error_code& error) {
        Request::Known& known = found_->request.known;
        switch (field) {
            case http::field::host:
                known.host = known.hosts++ == 0 ? value : known.host;
                break;
            case http::field::origin:
                known.origin = known.origin.empty() ? value : known.origin;
                break;
            case http::field::accept:
                known.accept = known.accept.empty() ? value : known.accept;
                break;
            case http::field::content_encoding:
                known.content_encoding =
                    known.content_encoding.empty() ? value : known.content_encoding;
                break;
            case http::field::transfer_encoding:
                if (!found_->is_http_1_1 || !boost::beast::iequals(value, "chunked")) {
                    error = http::error::bad_transfer_encoding;
                }
                break;
            case http::field::expect:
                found_->expects_continue =
                    found_->expects_continue ||
                    (found_->is_http_1_1 && boost::beast::iequals(value, "100-continue"));
                break;
            default:
                break;
        }
    }

    void on_header_impl(error_code&) override {}

    void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
        length_ = length.value_or(0);
    }

    std::size_t on_body_impl(BeastView bytes, error_code&) override {
        if (bytes.size() == length_) {
            found_->request.body = view_of(bytes);
        } else {
            found_->request.body = found_->body.append(bytes.data(), bytes.size());
        }
        return bytes.size();
    }

    void on_chunk_header_impl(std::uint64_t size, BeastView, error_code&) override {
        chunk_left_ = size;
    }

    std::size_t on_chunk_body_impl(std::uint64_t, BeastView bytes, error_code&) override {
        found_->request.body = found_->body.append(bytes.data(), bytes.size());
        chunk_left_ -= bytes.size();
        return bytes.size();
    }

    void on_finish_impl(error_code&) override {}

    Found* found_;
    const char* header_end_ = nullptr;
    std::uint64_t length_ = 0;
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

/// Takes the host out of a target like "http://host/path?query" (RFC 9112, 3.2.2). False: it has
/// none.
bool take_host(std::string_view& target, std::string_view& host) {
    constexpr std::string_view slashes = "://";
    const std::size_t scheme_bytes = target.find(slashes);
    const std::string_view scheme = target.substr(0, scheme_bytes);
    if (scheme_bytes == std::string_view::npos ||
        (!boost::beast::iequals(scheme, "http") && !boost::beast::iequals(scheme, "https"))) {
        return true;  // a target without a host, or none that we know
    }
    const std::string_view rest = target.substr(scheme.size() + slashes.size());
    const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    host = rest.substr(0, end);
    target = rest.substr(end);
    return !host.empty();
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
            if (state == State::need_more) {
                keep_header();
            }
            if (state != State::complete) {
                return state;
            }
        }
        return State::complete;
    }

    void reset() {
        begin();
        header_ = {};
        if (found_.body.capacity() > kept_body_bytes) {
            std::string{}.swap(found_.body);  // it must not stay with an idle connection
        }
        started_ = false;
    }

    /// Exactly so many: a text that grows by itself takes twice what it had.
    void reserve_body(std::size_t bytes) {
        if (bytes > found_.body.capacity()) {
            std::string larger;
            larger.reserve(bytes);
            larger.append(found_.body);
            found_.body.swap(larger);
            found_.request.body = found_.body;
        }
    }

    void release() {
        std::string{}.swap(kept_header_);
        std::string{}.swap(found_.body);
        std::exchange(found_.request.headers, {});
    }

    std::size_t memory_bytes() const {
        return kept_header_.capacity() + found_.body.capacity() +
               found_.request.headers.capacity() * sizeof(found_.request.headers.front());
    }

    /// Beast's parser for the current request.
    OneRequest& beast() {
        CHECK(beast_.has_value(), "begin() made one");
        return *beast_;
    }

    Found found_;
    bool started_ = false;
    int status_ = 400;
    std::string_view problem_type_;
    std::string problem_;

private:
    void begin() {
        found_.clear();
        OneRequest& fresh = beast_.emplace(found_);
        fresh.header_limit(std::numeric_limits<std::uint32_t>::max());  // ours is stricter
        fresh.body_limit(limits_.body_bytes);
    }

    /// Complete: the header is. Beast sees an incomplete header from its start each time: given in
    /// pieces, it would count each piece against the limit by itself.
    State read_header(std::string_view bytes, std::size_t& taken) {
        const std::string_view seen = bytes.substr(0, limits_.header_bytes);
        error_code error;
        beast().expect_header_in(seen);
        const std::size_t used = beast().put(boost::asio::buffer(seen), error);
        if (error == http::error::need_more && seen.size() < limits_.header_bytes) {
            begin();
            return State::need_more;
        }
        if (error == http::error::need_more) {
            return refuse_length(seen);
        }
        if (error) {
            return refuse(error);
        }
        taken = used;
        header_ = seen.substr(0, used);
        found_.request.length = beast().content_length().value_or(0);
        return divide_target();
    }

    /// Complete: it got on; there may be more to do. A line between two chunks may be as long as a
    /// header; chunked bytes come by here in steps of that size.
    State read_body_step(std::string_view bytes, std::size_t& taken) {
        // With less, Beast 1.81 stops the program: an assertion about the last chunk.
        if (bytes.empty() || (beast().chunked() && bytes.size() < chunked_end_bytes)) {
            return State::need_more;
        }
        const std::string_view seen =
            beast().chunked() ? bytes.substr(0, limits_.header_bytes) : bytes;
        if (beast().is_between_chunks() && has_unclosed_quote(seen)) {
            return refuse(http::error::bad_chunk_extension);
        }
        error_code error;
        taken += beast().put(boost::asio::buffer(seen), error);
        if (error == http::error::need_more && seen.size() < limits_.header_bytes) {
            return State::need_more;
        }
        if (error == http::error::need_more) {
            return refuse_length("\r\n");
        }
        return error ? refuse(error) : State::complete;
    }

    State divide_target() {
        Request& request = found_.request;
        std::string_view target = found_.target;
        if (!target.starts_with('/') && !take_host(target, request.known.host)) {
            return refuse(http::error::bad_target);
        }
        const std::size_t question = std::min(target.find('?'), target.size());
        request.path = target.substr(0, question);
        request.path = request.path.empty() ? "/" : request.path;
        request.query = target.substr(std::min(question + 1, target.size()));
        return State::complete;
    }

    /// The caller's bytes of the header go away before the request is complete: has all views point
    /// into a copy.
    void keep_header() {
        if (header_.empty()) {
            return;
        }
        kept_header_.assign(header_);
        const auto keep = [this](std::string_view& text) {
            // "/" for an empty path is ours
            if (!text.empty() && !std::less{}(text.data(), header_.data()) &&
                std::less{}(text.data(), header_.data() + header_.size())) {
                const auto start = static_cast<std::size_t>(text.data() - header_.data());
                text = std::string_view{kept_header_}.substr(start, text.size());
            }
        };
        Request& request = found_.request;
        for (std::string_view* text :
             {&request.path,
              &request.query,
              &request.known.host,
              &request.known.origin,
              &request.known.accept,
              &request.known.content_encoding}) {
            keep(*text);
        }
        for (auto& [name, value] : request.headers) {
            keep(name);
            keep(value);
        }
        header_ = {};
    }

    /// `seen` is as long as a header may be, and no header. Within the first line it is the target
    /// that is too long.
    State refuse_length(std::string_view seen) {
        const bool in_target = !seen.contains("\r\n");
        status_ = in_target ? 414 : 431;
        problem_type_ = in_target ? "target-too-long" : "header-too-large";
        problem_ = in_target ? "the request line" : "the header";
        problem_ +=
            " is larger than the " + std::to_string(limits_.header_bytes) + " bytes allowed";
        return State::failed;
    }

    State refuse(const error_code& error) {
        if (error == http::error::body_limit) {
            status_ = 413;
            problem_type_ = "body-too-large";
            problem_ = "the body is larger than the " + std::to_string(limits_.body_bytes) +
                       " bytes allowed";
        } else {
            status_ = 400;
            problem_type_ = "malformed-request";
            problem_ = "not an HTTP/1.1 request: " + error.message();
        }
        return State::failed;
    }

    const ParserLimits limits_;
    std::optional<OneRequest> beast_;
    std::string_view header_;  ///< The header's bytes at the caller's; empty: kept, or none yet.
    std::string kept_header_;
};

RequestParser::RequestParser(ParserLimits limits) : impl_{std::make_unique<Impl>(limits)} {}

RequestParser::~RequestParser() = default;

RequestParser::State RequestParser::feed(std::string_view bytes, std::size_t& taken) {
    return impl_->feed(bytes, taken);
}

Request& RequestParser::request() {
    return impl_->found_.request;
}

const Request& RequestParser::request() const {
    return impl_->found_.request;
}

bool RequestParser::keep_alive() const {
    return impl_->beast().keep_alive();
}

bool RequestParser::is_http_1_1() const {
    return impl_->found_.is_http_1_1;
}

bool RequestParser::wants_continue() const {
    return impl_->found_.expects_continue && impl_->beast().is_header_done() &&
           !impl_->beast().is_done();
}

bool RequestParser::has_header() const {
    return impl_->beast().is_header_done();
}

bool RequestParser::has_length() const {
    return impl_->beast().content_length().has_value();
}

bool RequestParser::started() const {
    return impl_->started_;
}

int RequestParser::status() const {
    return impl_->status_;
}

std::string_view RequestParser::problem_type() const {
    return impl_->problem_type_;
}

std::string_view RequestParser::problem() const {
    return impl_->problem_;
}

std::size_t RequestParser::body_bytes() const {
    return impl_->found_.body.size();
}

std::size_t RequestParser::body_room() const {
    return impl_->found_.body.capacity();
}

void RequestParser::reserve_body(std::size_t bytes) {
    impl_->reserve_body(bytes);
}

std::size_t RequestParser::memory_bytes() const {
    return impl_->memory_bytes();
}

void RequestParser::reset() {
    impl_->reset();
}

void RequestParser::release() {
    impl_->release();
}

}  // namespace footfall::http_server
