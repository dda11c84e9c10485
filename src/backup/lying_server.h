#pragma once

// For the tests: somebody's server that says it has S3's interface, and answers what a test says.

#include "foundation/check.h"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace footfall::backup {

/// One connection at a time, one request a connection. `answer` is given the request line, and runs
/// on a thread of the server.
class LyingServer {
public:
    using Answer = std::function<std::string(std::string_view request_line)>;

    explicit LyingServer(Answer answer) : answer_{std::move(answer)} {
        sockaddr_in address{.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
        socklen_t size = sizeof address;
        auto* const generic = reinterpret_cast<sockaddr*>(&address);
        CHECK(::bind(listening_, generic, size) == 0, "an address of this machine");
        CHECK(::listen(listening_, 16) == 0, "connections come");
        CHECK(::getsockname(listening_, generic, &size) == 0, "its port is known");
        port_ = ntohs(address.sin_port);
        thread_ = std::jthread{[this] { serve(); }};
    }

    LyingServer(const LyingServer&) = delete;
    LyingServer& operator=(const LyingServer&) = delete;

    ~LyingServer() {
        ::shutdown(listening_, SHUT_RDWR);  // ends the wait for the next connection
        thread_.join();
        ::close(listening_);
    }

    std::string url() const { return fmt::format("http://127.0.0.1:{}", port_); }

    static std::string answer(
        std::string_view status, std::string_view body, std::string_view headers = ""
    ) {
        return fmt::format(
            "HTTP/1.1 {}\r\nConnection: close\r\nContent-Length: {}\r\n{}\r\n{}",
            status,
            body.size(),
            headers,
            body
        );
    }

private:
    void serve() {
        for (;;) {
            const int socket = ::accept(listening_, nullptr, nullptr);
            if (socket < 0) {
                return;
            }
            const std::string request = read_request(socket);
            const std::string said = answer_(request.substr(0, request.find("\r\n")));
            for (std::string_view left = said; !left.empty();) {
                const ssize_t sent = ::send(socket, left.data(), left.size(), MSG_NOSIGNAL);
                left.remove_prefix(sent < 0 ? left.size() : static_cast<std::size_t>(sent));
            }
            ::close(socket);
        }
    }

    /// With its body, which is thrown away.
    static std::string read_request(int socket) {
        constexpr std::string_view end = "\r\n\r\n";
        constexpr std::string_view length = "Content-Length: ";
        std::string request;
        std::size_t wanted = std::string::npos;
        std::array<char, 65'536> bytes{};
        while (request.size() < wanted) {
            const ssize_t count = ::recv(socket, bytes.data(), bytes.size(), 0);
            if (count <= 0) {
                break;
            }
            request.append(bytes.data(), static_cast<std::size_t>(count));
            const std::size_t head = request.find(end);
            if (wanted == std::string::npos && head != std::string::npos) {
                const std::size_t at = request.find(length);
                wanted = head + end.size() +
                         (at < head ? std::stoull(request.substr(at + length.size(), 20)) : 0);
            }
        }
        return request;
    }

    const Answer answer_;
    const int listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    std::uint16_t port_ = 0;
    std::jthread thread_;
};

}  // namespace footfall::backup
