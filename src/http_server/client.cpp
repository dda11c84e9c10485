#include "http_server/client.h"

#include "foundation/address.h"
#include "foundation/parse_number.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace footfall::http_server {
namespace {

namespace http = boost::beast::http;
using boost::asio::ip::tcp;
using boost::system::error_code;

constexpr std::uint64_t answer_bytes_max = 256 << 20;

http::verb verb_of(Method method) {
    switch (method) {
        case Method::get:
            return http::verb::get;
        case Method::head:
            return http::verb::head;
        case Method::put:
            return http::verb::put;
        case Method::post:
            return http::verb::post;
        case Method::del:
            return http::verb::delete_;
        case Method::options:
            return http::verb::options;
        case Method::other:
            return http::verb::unknown;
    }
    return http::verb::unknown;
}

std::optional<std::chrono::seconds> seconds_of(std::string_view text) {
    constexpr std::uint64_t day = 86'400;
    const auto seconds = parse_unsigned(text);
    return seconds ? std::optional{std::chrono::seconds{
                         static_cast<std::int64_t>(std::min(*seconds, day))
                     }}
                   : std::nullopt;
}

}  // namespace

Result<ServerUrl> parse_server_url(std::string_view url) {
    const auto wrong = [url] {
        return fail(
            ErrorKind::invalid_input,
            fmt::format("\"{}\" is no server address; it looks like http://127.0.0.1:8080", url)
        );
    };
    constexpr std::string_view scheme = "http://";
    if (!url.starts_with(scheme)) {
        return wrong();
    }
    std::string_view rest = url.substr(scheme.size());
    if (rest.ends_with('/')) {
        rest.remove_suffix(1);
    }
    ServerUrl server;
    const std::size_t colon = rest.rfind(':');
    const bool has_port =
        colon != std::string_view::npos && rest.find(']', colon) == std::string_view::npos;
    server.host = rest.substr(0, has_port ? colon : rest.size());
    if (has_port) {
        const auto split = split_address(rest);
        if (!split || split->port == 0) {
            return wrong();
        }
        server.port = split->port;
    }
    if (server.host.empty() || server.host.find_first_of("/?#@ ") != std::string::npos) {
        return wrong();
    }
    return server;
}

class Client::Impl {
public:
    Impl(ServerUrl server, std::chrono::seconds timeout)
        : server_{std::move(server)}, timeout_{timeout} {}

    Result<ClientResponse> send(const http::request<http::string_body>& request) {
        const bool reused = socket_.has_value();
        Result<ClientResponse> answer = send_once(request);
        if (!answer && reused && answer.error().kind == ErrorKind::unavailable) {
            // The server may have closed the connection while it was idle.
            return send_once(request);
        }
        return answer;
    }

    const ServerUrl& server() const { return server_; }

private:
    /// The connection, opened if it is not.
    Result<tcp::socket*> connect() {
        if (socket_) {
            return &*socket_;
        }
        buffer_.clear();
        tcp::resolver resolver{context_};
        error_code error;
        std::string host = server_.host;
        if (host.starts_with('[') && host.ends_with(']')) {
            host = host.substr(1, host.size() - 2);
        }
        const auto addresses = resolver.resolve(host, std::to_string(server_.port), error);
        tcp::socket socket{context_};
        if (!error) {
            boost::asio::connect(socket, addresses, error);
        }
        if (error) {
            return fail(
                ErrorKind::unavailable,
                fmt::format(
                    "cannot reach http://{}:{}: {}. Is `footfall serve` running there?",
                    server_.host,
                    server_.port,
                    error.message()
                )
            );
        }
        socket.set_option(tcp::no_delay{true}, error);
        return &socket_.emplace(std::move(socket));
    }

    Result<ClientResponse> send_once(const http::request<http::string_body>& request) {
        TRY(tcp::socket* const socket, connect());
        http::response_parser<http::string_body> parser;
        parser.body_limit(answer_bytes_max);
        parser.skip(request.method() == http::verb::head);
        // Both at once: a server that refuses a body answers while it is still being sent.
        error_code write_error = boost::asio::error::would_block;
        error_code read_error = boost::asio::error::would_block;
        http::async_write(*socket, request, [&](error_code error, std::size_t) {
            write_error = error;
        });
        http::async_read(*socket, buffer_, parser, [&](error_code error, std::size_t) {
            read_error = error;
        });
        context_.restart();
        while (read_error == boost::asio::error::would_block && context_.run_one_for(timeout_) > 0
        ) {
        }
        const bool late = read_error == boost::asio::error::would_block;
        const bool reusable = !late && !read_error && !write_error && parser.keep_alive();
        if (!reusable) {
            error_code ignored;
            socket->close(ignored);
            context_.run();
            socket_.reset();
        }
        if (late || read_error) {
            return fail(
                late ? ErrorKind::timed_out : ErrorKind::unavailable,
                fmt::format(
                    "http://{}:{} {}",
                    server_.host,
                    server_.port,
                    late ? fmt::format("did not answer within {} s", timeout_.count())
                         : fmt::format("went away: {}", read_error.message())
                )
            );
        }
        const auto& message = parser.get();
        return ClientResponse{
            .status = static_cast<int>(message.result_int()),
            .content_type = std::string{message[http::field::content_type]},
            .body = message.body(),
            .retry_after = seconds_of(message[http::field::retry_after])
        };
    }

    ServerUrl server_;
    std::chrono::seconds timeout_;
    boost::asio::io_context context_{1};
    std::optional<tcp::socket> socket_;
    boost::beast::flat_buffer buffer_;
};

Client::Client(ServerUrl server, std::chrono::seconds timeout)
    : impl_{std::make_unique<Impl>(std::move(server), timeout)} {}

Client::~Client() = default;
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;

Result<ClientResponse> Client::send(
    Method method,
    std::string_view target,
    std::string_view body,
    const std::vector<std::pair<std::string, std::string>>& headers
) {
    http::request<http::string_body> request{verb_of(method), {target.data(), target.size()}, 11};
    request.set(
        http::field::host, fmt::format("{}:{}", impl_->server().host, impl_->server().port)
    );
    if (!impl_->server().authorization.empty()) {
        request.set(http::field::authorization, impl_->server().authorization);
    }
    for (const auto& [name, value] : headers) {
        request.set(name, value);
    }
    request.body() = body;
    request.prepare_payload();
    return impl_->send(request);
}

std::string percent_encode(std::string_view text) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string encoded;
    encoded.reserve(text.size());
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        const bool unreserved = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
                                (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '.' ||
                                byte == '_' || byte == '~';
        if (unreserved) {
            encoded.push_back(letter);
        } else {
            encoded.push_back('%');
            encoded.push_back(hex[byte >> 4]);
            encoded.push_back(hex[byte & 15]);
        }
    }
    return encoded;
}

}  // namespace footfall::http_server
