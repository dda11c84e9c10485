#pragma once

#include "foundation/result.h"
#include "net/socket.h"
#include "runtime/io_threads.h"

#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include <memory>

namespace footfall::net {

/// What has become of a socket.
struct Readiness {
    bool readable = false;
    bool writable = false;
    bool hung_up = false;  ///< The other side sends no more: readable from now on, for ever.
};

/// Tells who works with a socket when it has become ready: once for each change (EPOLLET), so one
/// registration lasts as long as the socket and whoever was told moves bytes until the system has
/// no more. A read that brought less than was asked for has shown that (epoll(7)).
///
/// A poll in Asio's poll: for all sockets that are ready together Asio runs one handler. A request
/// then costs a read and a write, and no call that only finds out that nothing more is there.
///
/// On the thread of the executor only.
class ReadyPoll {
public:
    class Watcher {
    public:
        virtual void ready(Readiness readiness) = 0;

    protected:
        ~Watcher() = default;
    };

    /// `unavailable` when the system has no more descriptors.
    static Result<std::unique_ptr<ReadyPoll>> open(const runtime::IoExecutor& executor);

    ReadyPoll(const ReadyPoll&) = delete;
    ReadyPoll& operator=(const ReadyPoll&) = delete;
    ~ReadyPoll() = default;

    /// Begins to tell, for as long as `owner`, who owns this, lives.
    void start(std::weak_ptr<const void> owner);

    /// Tells `watcher`, now what holds already, until unwatch(). False: the system keeps no more.
    /// Events that were under way then may still be told, in the handler that runs; so a watcher is
    /// destroyed in another.
    bool watch(const Socket& socket, Watcher& watcher);

    /// Ends watch(); to be called before the socket is closed. Closing alone does not end it where
    /// another thread has forked: the system goes on to tell until the child has closed it, too.
    void unwatch(const Socket& socket);

private:
    using Descriptor = boost::asio::posix::basic_stream_descriptor<runtime::IoExecutor>;

    explicit ReadyPoll(Descriptor descriptor) : descriptor_{std::move(descriptor)} {}

    void tell();

    Descriptor descriptor_;
};

}  // namespace footfall::net
