#include "http_server/server.h"

#include "foundation/log.h"
#include "http_server/connection_set.h"
#include "http_server/problem.h"
#include "net/connection_count.h"
#include "net/memory_budget.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <fmt/format.h>

#include <future>
#include <sys/socket.h>
#include <utility>

namespace footfall::http_server {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;
using runtime::Task;
using Acceptor = boost::asio::basic_socket_acceptor<tcp, runtime::IoExecutor>;
using Accepted = boost::asio::basic_stream_socket<tcp, runtime::IoExecutor>;
using ReusePort = boost::asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

constexpr std::chrono::milliseconds pause_after_failure{100};

Result<tcp::endpoint> endpoint_of(const ServerOptions& options) {
    error_code error;
    const auto address = boost::asio::ip::make_address(options.address, error);
    if (error) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "\"{}\" is no IP address to listen on; for example 127.0.0.1 or 0.0.0.0",
                options.address
            )
        );
    }
    return tcp::endpoint{address, options.port};
}

Result<Acceptor> listen_on(const runtime::IoExecutor& executor, const tcp::endpoint& endpoint) {
    Acceptor acceptor{executor};
    error_code error;
    acceptor.open(endpoint.protocol(), error);
    if (!error) {
        acceptor.set_option(tcp::acceptor::reuse_address{true}, error);
    }
    if (!error) {
        acceptor.set_option(ReusePort{true}, error);
    }
    if (!error) {
        acceptor.bind(endpoint, error);
    }
    if (!error) {
        acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
    }
    if (error) {
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "cannot listen on {}:{}: {}",
                endpoint.address().to_string(),
                endpoint.port(),
                error.message()
            )
        );
    }
    return acceptor;
}

/// Says "too many connections" to a client we cannot serve, without waiting for it.
void turn_away(Accepted& socket) {
    const Response answer = problem(503, "overloaded", "too many connections; try again later");
    const std::string text = fmt::format(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: {}\r\nRetry-After: 1\r\nContent-Length: "
        "{}\r\nConnection: "
        "close\r\n\r\n{}",
        answer.content_type,
        answer.body.size(),
        answer.body
    );
    error_code error;
    socket.non_blocking(true, error);
    socket.write_some(boost::asio::buffer(text), error);
}

/// Hands a client over to the set. Asio does not watch it any more.
void admit(Accepted accepted, ConnectionSet& set) {
    error_code error;
    const auto remote = accepted.remote_endpoint(error);
    std::string peer = error ? std::string{} : remote.address().to_string();
    accepted.set_option(tcp::no_delay{true}, error);
    accepted.non_blocking(true, error);
    const int descriptor = accepted.release(error);
    set.admit(net::Socket{error ? -1 : descriptor}, std::move(peer));
}

Task<> accept_connections(
    std::shared_ptr<Acceptor> acceptor, std::shared_ptr<ConnectionSet> set, metrics::Counter refused
) {
    Timer pause{set->executor()};
    for (;;) {
        error_code error;
        Accepted accepted =
            co_await acceptor->async_accept(boost::asio::redirect_error(runtime::use_task, error));
        if (error == boost::asio::error::operation_aborted || set->draining()) {
            co_return;
        }
        if (error) {
            // The client left, or descriptors ran out: then the next one would fail at once, too.
            pause.expires_after(pause_after_failure);
            co_await pause.async_wait(boost::asio::redirect_error(runtime::use_task, error));
            continue;
        }
        if (!set->context().connections->enter()) {
            refused.add();
            turn_away(accepted);
            continue;
        }
        admit(std::move(accepted), *set);
    }
}

/// Runs `function` on the set's thread and waits for it.
template <class Function>
void on_thread(ConnectionSet& set, Function function) {
    std::promise<void> done;
    boost::asio::post(set.executor(), [&] {
        function();
        done.set_value();
    });
    done.get_future().wait();
}

}  // namespace

Server::Server(
    runtime::IoThreads& threads,
    const Router& router,
    net::Gate& gate,
    metrics::Metrics& metrics,
    ServerOptions options
)
    : threads_{&threads},
      router_{&router},
      gate_{&gate},
      options_{std::make_shared<const ServerOptions>(std::move(options))},
      requests_{metrics.counter("footfall_http_requests_total", "Requests answered.")},
      refused_connections_{metrics.counter(
          "footfall_http_connections_refused_total",
          "Connections turned away because the limit was reached."
      )},
      connections_{std::make_shared<net::ConnectionCount>(options_->connections_max)},
      bodies_{std::make_shared<net::MemoryBudget>(options_->bodies_bytes_max)} {}

Server::~Server() = default;

/// With SO_REUSEPORT a second program could bind the same port unnoticed and take half the
/// connections: so the address is bound once without it. A port of 0 is replaced by the one the
/// system chose.
Result<void> Server::check_address_free(std::uint16_t& port) const {
    TRY(const tcp::endpoint endpoint, endpoint_of(*options_));
    boost::asio::io_context context;
    tcp::acceptor probe{context};
    error_code error;
    probe.open(endpoint.protocol(), error);
    if (!error) {
        probe.set_option(tcp::acceptor::reuse_address{true}, error);
    }
    if (!error) {
        probe.bind(endpoint, error);
    }
    if (!error) {
        probe.listen(1, error);
    }
    if (error) {
        return fail(
            ErrorKind::conflict,
            fmt::format(
                "cannot listen on {}:{}: {}. Choose another with --listen ADDRESS:PORT, or 0 as "
                "the port for any free one.",
                options_->address,
                options_->port,
                error.message()
            )
        );
    }
    port = probe.local_endpoint().port();
    return {};
}

Result<std::uint16_t> Server::start() {
    std::uint16_t port = 0;
    TRY_VOID(check_address_free(port));
    TRY(tcp::endpoint endpoint, endpoint_of(*options_));
    endpoint.port(port);
    for (std::size_t index = 0; index < threads_->size(); ++index) {
        const runtime::IoExecutor executor = threads_->context(index).get_executor();
        TRY(Acceptor acceptor, listen_on(executor, endpoint));
        TRY(std::unique_ptr<net::ReadyPoll> poll, net::ReadyPoll::open(executor));
        sets_.push_back(std::make_shared<ConnectionSet>(
            executor,
            std::move(poll),
            ConnectionContext{
                .router = router_,
                .gate = gate_,
                .options = options_,
                .requests = requests_,
                .connections = connections_,
                .bodies = bodies_
            }
        ));
        auto shared = std::make_shared<Acceptor>(std::move(acceptor));
        sets_.back()->keep_acceptor([shared] {
            error_code error;
            shared->close(error);
        });
        runtime::spawn(executor, "ticks", ConnectionSet::run_ticks(sets_.back()));
        runtime::spawn(
            executor, "accept", accept_connections(shared, sets_.back(), refused_connections_)
        );
    }
    return port;
}

std::size_t Server::drain(std::chrono::milliseconds patience) {
    for (const auto& set : sets_) {
        on_thread(*set, [&set] { set->start_draining(); });
    }
    const std::size_t cut_off = connections_->wait_for_none(patience);
    for (const auto& set : sets_) {
        on_thread(*set, [&set] { set->close_all(); });
    }
    return cut_off;
}

runtime::AccountAudit Server::audit_bodies() {
    runtime::AccountAudit audit;
    for (const auto& set : sets_) {
        on_thread(*set, [&] {
            audit.counted += set->budgeted_bytes();
            audit.booked = bodies_->used();
        });
    }
    return audit;
}

}  // namespace footfall::http_server
