#pragma once

#include "net/socket.h"

#include <memory>
#include <string>

namespace footfall::net {

class Connection;
class ConnectionSet;

/// What a server speaks, on one of its io threads: makes the connections there and holds what they
/// share. Owned by their set and destroyed after them; used on that thread only.
class Protocol {
public:
    Protocol() = default;
    Protocol(const Protocol&) = delete;
    Protocol& operator=(const Protocol&) = delete;
    virtual ~Protocol() = default;

    /// A connection for a client that was accepted. `peer` is its address, empty if it is unknown.
    virtual std::unique_ptr<Connection> connect(
        Socket socket, std::string peer, ConnectionSet& set
    ) = 0;

    /// A client comes while the limit of connections is reached: what it is told before it is
    /// closed, in so few bytes that the system takes them at once. Nothing, if that is empty.
    virtual std::string turn_away() { return {}; }

    /// Once a second, before the deadlines of that second.
    virtual void second_passed() {}
};

}  // namespace footfall::net
