#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace footfall::guard_redis {

/// A redis-server (Debian's package of that name) of a test's own, in memory, on a free port of
/// this machine. It dies with this object, by its own process id, and also when the test's thread
/// that started it ends. Not thread-safe. A CHECK fails when it does not come up.
class RedisServer {
public:
    /// Starts it, and waits until it answers.
    RedisServer();
    ~RedisServer();
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;

    static const std::string& address();

    std::uint16_t port() const { return port_; }

    /// Ends it at once (SIGKILL), with all that it knew.
    void kill();

    /// Starts it again, on its port and knowing nothing.
    void start();

    /// It stands still (SIGSTOP): connections are taken, and nothing is answered.
    void pause();
    void resume();

private:
    bool come_up();

    std::uint16_t port_ = 0;
    pid_t pid_ = -1;
};

/// A port that nobody has at the moment.
std::uint16_t free_port();

}  // namespace footfall::guard_redis
