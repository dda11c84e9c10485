#include "load/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace footfall::load {
namespace {

constexpr std::size_t buffer_bytes = 256 << 10;
constexpr std::size_t events_at_once = 256;

/// As many connections as are asked for need as many descriptors; the default is 1024.
void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

}  // namespace

Result<std::unique_ptr<Generator>> Generator::open(
    const GeneratorOptions& options, const Protocol& protocol
) {
    raise_descriptor_limit();
    std::unique_ptr<Generator> generator{new Generator{options, protocol}};
    TRY_VOID(generator->connect_all());
    return generator;
}

Generator::Generator(const GeneratorOptions& options, const Protocol& protocol)
    : options_{options},
      protocol_{&protocol},
      epoll_{::epoll_create1(EPOLL_CLOEXEC)},
      states_(options.connections),
      ready_(options.connections),
      buffer_(buffer_bytes) {}

Generator::~Generator() {
    ::close(epoll_);
}

Nanoseconds Generator::now() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

Result<void> Generator::connect_all() {
    connections_.reserve(options_.connections);
    for (std::size_t index = 0; index < options_.connections; ++index) {
        TRY_VOID(connections_.emplace_back(options_.depth).open(options_.endpoint));
        watch(index, EPOLL_CTL_ADD, false);
        make_ready(index);
    }
    return {};
}

Result<void> Generator::run(Workload& workload) {
    // The kernel may end a wait 50 us late otherwise, which a schedule of 100,000 a second shows.
    ::prctl(PR_SET_TIMERSLACK, 1UL);  // NOLINT(cppcoreguidelines-pro-type-vararg)
    std::array<epoll_event, events_at_once> events{};
    for (;;) {
        const Nanoseconds turn = now();
        workload.tick(turn);
        TRY_VOID(fill(turn, workload));
        if ((workload.all_sent() && in_flight_ == 0) || workload.gives_up(turn)) {
            std::ranges::for_each(connections_, [&](auto& each) { lose_all(each, workload); });
            return {};
        }
        const Nanoseconds wait = std::max<Nanoseconds>(workload.wake(ready_count_ > 0) - now(), 0);
        const timespec timeout{.tv_sec = wait / 1'000'000'000, .tv_nsec = wait % 1'000'000'000};
        const int count = ::epoll_pwait2(epoll_, events.data(), events_at_once, &timeout, nullptr);
        if (count < 0 && errno != EINTR) {
            return fail(ErrorKind::unavailable, fmt::format("epoll: {}", std::strerror(errno)));
        }
        for (int at = 0; at < count; ++at) {
            const epoll_event& event = events[static_cast<std::size_t>(at)];
            TRY_VOID(handle(event.data.u64, event.events, workload));
        }
    }
}

Result<void> Generator::handle(std::size_t index, std::uint32_t events, Workload& workload) {
    Connection& connection = connections_[index];
    Nanoseconds read_at = 0;
    if ((events & ~std::uint32_t{EPOLLOUT}) != 0) {
        const auto received = connection.receive(
            *protocol_,
            buffer_,
            [&](const Ticket& ticket, const Answer& answer) {
                --in_flight_;
                read_at = read_at == 0 ? now() : read_at;
                workload.answered(ticket, answer, read_at);
            }
        );
        if (received == Connection::Received::gone) {
            return reopen(index, workload);
        }
        if (received == Connection::Received::broken) {
            return fail(
                ErrorKind::corrupt,
                "the server answers something else than it was asked for; is it what --server says?"
            );
        }
        if (!connection.full()) {
            make_ready(index);
        }
    }
    if ((events & EPOLLOUT) != 0) {
        TRY_VOID(flush(index, workload));
    }
    return fill(read_at == 0 ? now() : read_at, workload);
}

/// Gives requests that are due to connections with room, the one that has waited longest first.
Result<void> Generator::fill(Nanoseconds now, Workload& workload) {
    while (ready_count_ > 0) {
        const std::size_t index = ready_[ready_first_];
        Connection& connection = connections_[index];
        const std::size_t before = connection.in_flight();
        while (!connection.full()) {
            const std::optional<Ticket> ticket = workload.next(now, connection.out());
            if (!ticket) {
                break;
            }
            connection.asked(*ticket);
        }
        in_flight_ += connection.in_flight() - before;
        const bool nothing_due = !connection.full();
        if (connection.in_flight() > before) {
            states_[index].ready = false;
            ready_first_ = (ready_first_ + 1) % ready_.size();
            --ready_count_;
            if (!connection.full()) {
                make_ready(index);
            }
            TRY_VOID(flush(index, workload));
        }
        if (nothing_due) {
            break;
        }
    }
    return {};
}

Result<void> Generator::flush(std::size_t index, Workload& workload) {
    Connection& connection = connections_[index];
    if (!connection.write()) {
        return reopen(index, workload);
    }
    if (connection.has_unwritten() != states_[index].waits_to_write) {
        states_[index].waits_to_write = connection.has_unwritten();
        watch(index, EPOLL_CTL_MOD, connection.has_unwritten());
    }
    return {};
}

void Generator::lose_all(Connection& connection, Workload& workload) {
    while (connection.in_flight() > 0) {
        --in_flight_;
        workload.lost(connection.take_oldest());
    }
}

Result<void> Generator::reopen(std::size_t index, Workload& workload) {
    Connection& connection = connections_[index];
    lose_all(connection, workload);
    if (auto opened = connection.open(options_.endpoint); !opened) {
        return std::unexpected(
            with_context(opened.error(), "the server closed a connection and takes no other")
        );
    }
    states_[index].waits_to_write = false;
    watch(index, EPOLL_CTL_ADD, false);
    make_ready(index);
    return {};
}

void Generator::watch(std::size_t index, int operation, bool writable) {
    epoll_event event{};
    event.events = EPOLLIN | (writable ? EPOLLOUT : 0U);
    event.data.u64 = index;
    ::epoll_ctl(epoll_, operation, connections_[index].descriptor(), &event);
}

void Generator::make_ready(std::size_t index) {
    if (!states_[index].ready) {
        states_[index].ready = true;
        ready_[(ready_first_ + ready_count_) % ready_.size()] = index;
        ++ready_count_;
    }
}

}  // namespace footfall::load
