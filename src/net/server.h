#pragma once

#include "foundation/result.h"
#include "net/connection_count.h"
#include "net/gate.h"
#include "net/patience.h"
#include "net/protocol.h"
#include "runtime/io_threads.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace footfall::net {

class ConnectionSet;

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;  ///< 0: any free one.
    /// The setting by which people choose both, for the error: "--listen ADDRESS:PORT".
    std::string chosen_with = "its settings";
    std::size_t connections_max = 10'000;
    Patience patience;
};

/// Serves a protocol: one listening socket (SO_REUSEPORT) and one set of connections on each io
/// thread, a limit on all of them together, and an end that lets them finish. A connection stays on
/// the thread that accepted it.
///
/// start() and drain() once each, from the thread that owns it, while `threads` run. `threads`
/// outlives it; `gate`, and what the protocols use, outlive the contexts of `threads`, where a
/// connection that was cut off may still wait.
class Server {
public:
    /// Called once for each io thread, by start().
    using MakeProtocol = std::function<std::unique_ptr<Protocol>()>;

    /// `gate`: where connections wait, null if none does.
    Server(runtime::IoThreads& threads, Gate* gate, ServerOptions options);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Binds and listens; answers the port. `conflict`: the port is taken, and how to choose
    /// another.
    Result<std::uint16_t> start(const MakeProtocol& make_protocol);

    /// Takes no new connections, lets each answer what it has begun, and closes it; waits for that
    /// at most `patience`. Answers how many were cut off.
    std::size_t drain(std::chrono::milliseconds patience);

    /// Calls `function` for the connections of each io thread, there, one after the other, and
    /// waits for it.
    void on_each_thread(const std::function<void(ConnectionSet&)>& function);

private:
    Result<void> check_address_free(std::uint16_t& port) const;

    runtime::IoThreads* threads_;
    Gate* gate_;
    const ServerOptions options_;
    const std::shared_ptr<ConnectionCount> connections_;
    std::vector<std::shared_ptr<ConnectionSet>> sets_;  // one an io thread
};

}  // namespace footfall::net
