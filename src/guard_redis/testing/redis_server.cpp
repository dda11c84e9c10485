#include "guard_redis_testing/redis_server.h"

#include "foundation/check.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <netinet/in.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace footfall::guard_redis {
namespace {

constexpr std::chrono::milliseconds between_looks{2};

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// Whether it answers "PONG".
bool answers(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    bool answered = false;
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        constexpr std::string_view ping = "PING\r\n";
        std::array<char, 64> answer{};
        answered = ::send(socket, ping.data(), ping.size(), MSG_NOSIGNAL) > 0 &&
                   ::recv(socket, answer.data(), answer.size(), 0) > 0 &&
                   std::string_view{answer.data()}.starts_with("+PONG");
    }
    ::close(socket);
    return answered;
}

pid_t start_process(std::uint16_t port) {
    const std::string port_text = fmt::to_string(port);
    const char* const words[] = {
        "redis-server", "--bind", "127.0.0.1", "--port", port_text.c_str(), "--save", "", nullptr
    };
    const pid_t pid = ::fork();
    CHECK(pid >= 0, "fork");
    if (pid == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            ::dup2(nowhere, stream);
        }
        ::execvp(words[0], const_cast<char* const*>(words));
        ::_exit(127);
    }
    return pid;
}

}  // namespace

std::uint16_t free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    const bool bound =
        ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    CHECK(bound, "a free port");
    ::close(socket);
    return ntohs(address.sin_port);
}

const std::string& RedisServer::address() {
    static const std::string loopback = "127.0.0.1";
    return loopback;
}

RedisServer::RedisServer() {
    for (int tries = 0; tries < 3; ++tries) {
        port_ = free_port();
        if (come_up()) {
            return;
        }
    }
    CHECK(false, "redis-server does not start: is the package redis-server installed?");
}

RedisServer::~RedisServer() {
    kill();
}

void RedisServer::kill() {
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
        pid_ = -1;
    }
}

void RedisServer::start() {
    kill();
    CHECK(come_up(), "redis-server does not start again on its port", port_);
}

void RedisServer::pause() {
    ::kill(pid_, SIGSTOP);
}

void RedisServer::resume() {
    ::kill(pid_, SIGCONT);
}

bool RedisServer::come_up() {
    pid_ = start_process(port_);
    const auto patience_ends = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!answers(port_)) {
        if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
            pid_ = -1;  // the port was taken meanwhile
            return false;
        }
        if (std::chrono::steady_clock::now() > patience_ends) {
            kill();
            return false;
        }
        std::this_thread::sleep_for(between_looks);  // tidy-allow(sleep): it has no event
    }
    return true;
}

}  // namespace footfall::guard_redis
