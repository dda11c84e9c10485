#include "net/ready_poll.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <span>
#include <sys/epoll.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace footfall::net {
namespace {

/// So many are told before others on the thread have their turn.
constexpr std::size_t events_max = 128;

}  // namespace

Result<std::unique_ptr<ReadyPoll>> ReadyPoll::open(const runtime::IoExecutor& executor) {
    const int descriptor = ::epoll_create1(EPOLL_CLOEXEC);
    if (descriptor < 0) {
        return fail(
            ErrorKind::unavailable,
            fmt::format(
                "cannot wait for clients: {}; see ulimit -n, which limits open files",
                std::generic_category().message(errno)
            )
        );
    }
    return std::unique_ptr<ReadyPoll>{new ReadyPoll{Descriptor{executor, descriptor}}};
}

void ReadyPoll::start(std::weak_ptr<const void> owner) {
    descriptor_.async_wait(
        Descriptor::wait_read,
        [this, owner = std::move(owner)](const boost::system::error_code& error) mutable {
            if (const auto alive = owner.lock(); alive && !error) {
                tell();
                start(std::move(owner));
            }
        }
    );
}

bool ReadyPoll::watch(const Socket& socket, Watcher& watcher) {
    epoll_event event{
        .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.ptr = &watcher}
    };
    const int poll = descriptor_.native_handle();
    return ::epoll_ctl(poll, EPOLL_CTL_ADD, socket.descriptor(), &event) == 0;
}

void ReadyPoll::unwatch(const Socket& socket) {
    ::epoll_ctl(descriptor_.native_handle(), EPOLL_CTL_DEL, socket.descriptor(), nullptr);
}

void ReadyPoll::tell() {
    std::array<epoll_event, events_max> events;  // NOLINT: written in the next line
    const int count = ::epoll_wait(descriptor_.native_handle(), events.data(), events_max, 0);
    for (const epoll_event& event :
         std::span{events}.first(static_cast<std::size_t>(std::max(count, 0)))) {
        const bool hung_up = (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
        static_cast<Watcher*>(event.data.ptr)
            ->ready(
                {.readable = hung_up || (event.events & EPOLLIN) != 0,
                 .writable = hung_up || (event.events & EPOLLOUT) != 0,
                 .hung_up = hung_up}
            );
    }
}

}  // namespace footfall::net
