#pragma once

#include "http_server/client.h"
#include "test_support/child_process.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace footfall::test_support {

/// The real server on a data directory, or what stands for it (store_words), at a free port of
/// 127.0.0.1. It is killed at the end, if it still runs. What goes wrong at start ends the test
/// with what the server said.
class FootfallProcess {
public:
    /// Starts what words() says and waits until it is ready.
    /// Port 0: an own_port().
    explicit FootfallProcess(
        std::string data, std::vector<std::string> flags = {}, std::uint16_t port = 0
    );

    std::uint16_t port() const { return port_; }

    std::string url() const;

    /// A client of its own connection.
    http_server::Client client(std::chrono::seconds timeout = std::chrono::seconds{60}) const;

    ChildProcess& process() { return *process_; }

    /// kill -9; returns when the process is gone.
    void kill();

    /// SIGTERM; answers the exit code.
    int stop(std::chrono::milliseconds patience = std::chrono::seconds{20});

    /// Starts again on the same data directory and port, once the old process is gone.
    void restart();

    /// The same with other flags, from now on.
    void restart(std::vector<std::string> flags);

    /// `serve --listen 127.0.0.1:PORT --data DATA FLAGS...`, or of another store.
    static std::vector<std::string> words(
        const std::string& data, const std::vector<std::string>& flags = {}, std::uint16_t port = 0
    );

    /// Starts without waiting for anything: to be killed while it recovers.
    static ChildProcess launch(
        const std::string& data, const std::vector<std::string>& flags = {}, std::uint16_t port = 0
    );

private:
    void start();

    std::string data_;
    std::vector<std::string> flags_;
    std::uint16_t port_;
    std::unique_ptr<ChildProcess> process_;
};

}  // namespace footfall::test_support
