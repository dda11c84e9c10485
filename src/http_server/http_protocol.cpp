#include "http_server/http_protocol.h"

#include "http_server/connection.h"
#include "http_server/output.h"
#include "http_server/problem.h"

#include <fmt/format.h>

#include <utility>

namespace footfall::http_server {

HttpProtocol::HttpProtocol(HttpContext context)
    : context_{std::move(context)}, common_lines_{http_server::common_lines()} {}

std::unique_ptr<net::Connection> HttpProtocol::connect(
    net::Socket socket, std::string peer, net::ConnectionSet& set
) {
    return std::make_unique<Connection>(std::move(socket), std::move(peer), set, *this);
}

std::string HttpProtocol::turn_away() {
    context_.refused_connections.add();
    const Response answer = problem(503, "overloaded", "too many connections; try again later");
    return fmt::format(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: {}\r\nRetry-After: 1\r\nContent-Length: "
        "{}\r\nConnection: "
        "close\r\n\r\n{}",
        answer.content_type,
        answer.body.size(),
        answer.body
    );
}

void HttpProtocol::second_passed() {
    common_lines_ = http_server::common_lines();
}

}  // namespace footfall::http_server
