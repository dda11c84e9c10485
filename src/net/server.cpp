#include "net/server.h"

#include "net/connection_count.h"
#include "net/connection_set.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <fmt/format.h>

#include <future>
#include <sys/socket.h>
#include <utility>

namespace footfall::net {
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

/// Tells a client that cannot be served what the protocol says to it, without waiting for it.
void turn_away(Accepted& socket, const std::string& text) {
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
    set.admit(Socket{error ? -1 : descriptor}, std::move(peer));
}

Task<> accept_connections(std::shared_ptr<Acceptor> acceptor, std::shared_ptr<ConnectionSet> set) {
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
            turn_away(accepted, set->protocol().turn_away());
            continue;
        }
        admit(std::move(accepted), *set);
    }
}

}  // namespace

Server::Server(runtime::IoThreads& threads, Gate* gate, ServerOptions options)
    : threads_{&threads},
      gate_{gate},
      options_{std::move(options)},
      connections_{std::make_shared<ConnectionCount>(options_.connections_max)} {}

Server::~Server() = default;

/// With SO_REUSEPORT a second program could bind the same port unnoticed and take half the
/// connections: so the address is bound once without it. A port of 0 is replaced by the one the
/// system chose.
Result<void> Server::check_address_free(std::uint16_t& port) const {
    TRY(const tcp::endpoint endpoint, endpoint_of(options_));
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
                "cannot listen on {}:{}: {}. Choose another with {}, or 0 as the port for any free "
                "one.",
                options_.address,
                options_.port,
                error.message(),
                options_.chosen_with
            )
        );
    }
    port = probe.local_endpoint().port();
    return {};
}

Result<std::uint16_t> Server::start(const MakeProtocol& make_protocol) {
    std::uint16_t port = 0;
    TRY_VOID(check_address_free(port));
    TRY(tcp::endpoint endpoint, endpoint_of(options_));
    endpoint.port(port);
    for (std::size_t index = 0; index < threads_->size(); ++index) {
        const runtime::IoExecutor executor = threads_->context(index).get_executor();
        TRY(Acceptor acceptor, listen_on(executor, endpoint));
        TRY(std::unique_ptr<ReadyPoll> poll, ReadyPoll::open(executor));
        sets_.push_back(std::make_shared<ConnectionSet>(
            executor,
            std::move(poll),
            make_protocol(),
            ConnectionContext{
                .connections = connections_, .gate = gate_, .patience = options_.patience
            }
        ));
        auto shared = std::make_shared<Acceptor>(std::move(acceptor));
        sets_.back()->keep_acceptor([shared] {
            error_code error;
            shared->close(error);
        });
        runtime::spawn(executor, "ticks", ConnectionSet::run_ticks(sets_.back()));
        runtime::spawn(executor, "accept", accept_connections(shared, sets_.back()));
    }
    return port;
}

std::size_t Server::drain(std::chrono::milliseconds patience) {
    on_each_thread([](ConnectionSet& set) { set.start_draining(); });
    const std::size_t cut_off = connections_->wait_for_none(patience);
    on_each_thread([](ConnectionSet& set) { set.close_all(); });
    return cut_off;
}

void Server::on_each_thread(const std::function<void(ConnectionSet&)>& function) {
    for (const auto& set : sets_) {
        std::promise<void> done;
        boost::asio::post(set->executor(), [&] {
            function(*set);
            done.set_value();
        });
        done.get_future().wait();
    }
}

}  // namespace footfall::net
