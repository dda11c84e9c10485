#pragma once

#include "foundation/result.h"
#include "guard_redis/reply_reader.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace footfall::guard_redis {

using Deadline = std::chrono::steady_clock::time_point;

/// One connection to Redis. After a failure it is of no use any more. Not thread-safe.
class Connection {
public:
    /// Is given each answer and its number. What it fails with, exchange() fails with.
    using OnReply = std::function<Result<void>(std::size_t number, const Reply& reply)>;

    /// `address` is numeric, so that no name has to be looked up in time. Fails with `timed_out`,
    /// or `unavailable`.
    static Result<std::unique_ptr<Connection>> open(
        const std::string& address, std::uint16_t port, Deadline deadline
    );

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    /// Sends commands, as many as answers are wanted, all at once, and waits for these. `timed_out`
    /// at the deadline; `unavailable` when the connection broke, or the answers are more than
    /// 64 MiB. Then some of the commands may have been carried out.
    Result<void> exchange(
        std::string_view commands, std::size_t replies, Deadline deadline, const OnReply& on_reply
    );

private:
    explicit Connection(int socket) : socket_{socket} {}

    Result<void> send_all(std::string_view bytes, Deadline deadline);
    Result<void> wait_for(short events, Deadline deadline);

    int socket_;
    ReplyReader reader_;
};

/// Whether this is an address that Connection::open() takes.
bool is_numeric_address(const std::string& address);

}  // namespace footfall::guard_redis
