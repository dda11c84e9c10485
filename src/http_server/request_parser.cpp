#include "http_server/request_parser.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

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

/// Beast's parser for one request, writing what it finds into `texts`.
class OneRequest final : public http::basic_parser<true> {
public:
    explicit OneRequest(Texts& texts) : texts_{&texts} {}

private:
    void on_request_impl(http::verb verb, BeastView, BeastView target, int, error_code&) override {
        texts_->method = method_of(verb);
        texts_->target = texts_->keep(target);
    }

    void on_response_impl(int, BeastView, int, error_code&) override {}

    void on_field_impl(http::field field, BeastView name, BeastView value, error_code&) override {
        if (field == http::field::expect && boost::beast::iequals(value, "100-continue")) {
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

    void on_chunk_header_impl(std::uint64_t, BeastView, error_code&) override {}

    std::size_t on_chunk_body_impl(std::uint64_t, BeastView bytes, error_code&) override {
        texts_->body.append(bytes.data(), bytes.size());
        return bytes.size();
    }

    void on_finish_impl(error_code&) override {}

    Texts* texts_;
};

}  // namespace

class RequestParser::Impl {
public:
    explicit Impl(ParserLimits limits) : limits_{limits} { reset(); }

    State feed(std::string_view bytes, std::size_t& taken) {
        taken = 0;
        while (taken < bytes.size() || parser_->is_done()) {
            if (parser_->is_done()) {
                assemble();
                return State::complete;
            }
            error_code error;
            const std::size_t used = parser_->put(
                boost::asio::buffer(bytes.data() + taken, bytes.size() - taken), error
            );
            taken += used;
            started_ = started_ || !bytes.empty();
            if (error == http::error::need_more) {
                return State::need_more;
            }
            if (error) {
                describe(error);
                return State::failed;
            }
            if (used == 0 && !parser_->is_done()) {
                return State::need_more;
            }
        }
        return State::need_more;
    }

    void reset() {
        texts_.clear();
        if (texts_.body.capacity() > kept_body_bytes) {
            texts_.body = {};  // a large body must not stay with an idle connection
        }
        started_ = false;
        parser_.emplace(texts_);
        parser_->eager(true);
        parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
        parser_->body_limit(limits_.body_bytes);
    }

    Request request_;
    Texts texts_;
    std::optional<OneRequest> parser_;
    bool started_ = false;
    int status_ = 400;
    std::string problem_;

private:
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

    void describe(const error_code& error) {
        if (error == http::error::body_limit) {
            status_ = 413;
            problem_ = "the body is larger than the " + std::to_string(limits_.body_bytes) +
                       " bytes allowed";
        } else if (error == http::error::header_limit) {
            status_ = 431;
            problem_ = "the header is larger than the " + std::to_string(limits_.header_bytes) +
                       " bytes allowed";
        } else {
            status_ = 400;
            problem_ = "not an HTTP/1.1 request: " + error.message();
        }
    }

    const ParserLimits limits_;
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
    return impl_->parser_->keep_alive();
}

bool RequestParser::wants_continue() const {
    return impl_->texts_.expects_continue && impl_->parser_->is_header_done() &&
           !impl_->parser_->is_done();
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

void RequestParser::reset() {
    impl_->reset();
}

}  // namespace footfall::http_server
