#include "net/connection_set.h"

#include "foundation/check.h"
#include "net/connection.h"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

#include <algorithm>
#include <functional>
#include <ranges>
#include <utility>

namespace footfall::net {

using boost::system::error_code;

ConnectionSet::ConnectionSet(
    const runtime::IoExecutor& executor,
    std::unique_ptr<ReadyPoll> poll,
    std::unique_ptr<Protocol> protocol,
    ConnectionContext context
)
    : executor_{executor},
      poll_{std::move(poll)},
      protocol_{std::move(protocol)},
      context_{std::move(context)},
      timer_{executor} {}

ConnectionSet::~ConnectionSet() = default;

runtime::Task<> ConnectionSet::run_ticks(std::shared_ptr<ConnectionSet> self) {
    self->poll_->start(self);
    while (!self->draining_ || !self->connections_.empty()) {
        self->timer_.expires_after(std::chrono::seconds{1});
        error_code error;
        co_await self->timer_.async_wait(boost::asio::redirect_error(runtime::use_task, error));
        self->protocol_->second_passed();
        self->wheel_.advance([](TimerWheel::Entry& entry) {
            static_cast<Connection&>(entry).deadline_passed();
        });
    }
}

void ConnectionSet::admit(Socket socket, std::string peer) {
    std::unique_ptr<Connection> connection =
        protocol_->connect(std::move(socket), std::move(peer), *this);
    Connection& admitted = *connection;
    if (!poll_->watch(admitted.socket(), admitted)) {
        return;  // and with it the client is gone
    }
    connections_.emplace(&admitted, std::move(connection));
    admitted.start();
}

void ConnectionSet::take_turn(Connection& connection) {
    turns_.push_back(&connection);
    if (turns_.size() == 1) {
        boost::asio::post(executor_, [weak = weak_from_this()] {
            if (const auto set = weak.lock()) {
                set->give_turns();
            }
        });
    }
}

void ConnectionSet::give_turns() {
    for (Connection* const connection : std::exchange(turns_, {})) {
        connection->read_on();
    }
}

void ConnectionSet::retire(Connection& connection) {
    boost::asio::post(executor_, [self = shared_from_this(), &connection] {
        std::erase(self->turns_, &connection);
        self->connections_.erase(&connection);
    });
}

void ConnectionSet::wait_at_gate(std::uint64_t position, Connection& connection) {
    waiting_.push_back({.position = position, .connection = &connection});
    std::ranges::push_heap(waiting_, std::greater{});
    if ((!asked_ || position < *asked_) && !std::exchange(will_ask_, true)) {
        // Once this thread has answered whatever has come in: a block of writes costs the same
        // however many of them are in it, and nobody begins one before somebody asks.
        boost::asio::post(executor_, [weak = weak_from_this()] {
            if (const auto set = weak.lock()) {
                set->ask_for_lowest();
            }
        });
    }
}

void ConnectionSet::ask_for_lowest() {
    will_ask_ = false;
    if (!waiting_.empty() && (!asked_ || waiting_.front().position < *asked_)) {
        ask_gate(waiting_.front().position);
    }
}

/// One question for all who wait: the answer to the lowest position comes with the block of writes
/// that most of them wait for, and costs one wake-up of this thread.
void ConnectionSet::ask_gate(std::uint64_t position) {
    CHECK(context_.gate != nullptr, "a protocol that waits at the gate is given one", position);
    asked_ = position;
    context_.gate->when_decided(position, [set = weak_from_this(), executor = executor_, position] {
        boost::asio::post(executor, [set, position] {
            if (const auto alive = set.lock()) {
                alive->gate_decided(position);
            }
        });
    });
}

void ConnectionSet::gate_decided(std::uint64_t position) {
    if (asked_ == position) {
        asked_.reset();
    }
    std::vector<Connection*> told = std::exchange(told_, {});
    while (!waiting_.empty() && (waiting_.front().position <= position ||
                                 context_.gate->open(waiting_.front().position))) {
        told.push_back(waiting_.front().connection);
        std::ranges::pop_heap(waiting_, std::greater{});
        waiting_.pop_back();
    }
    // Asked first, since those who are told go on, and may wait again.
    if (!waiting_.empty() && !asked_) {
        ask_gate(waiting_.front().position);
    }
    for (Connection* connection : told) {
        connection->gate_decided();
    }
    told.clear();
    told_ = std::move(told);
}

void ConnectionSet::start_draining() {
    draining_ = true;
    stop_accepting_();
    for (Connection* connection : all()) {
        connection->drain();
    }
}

void ConnectionSet::close_all() {
    for (Connection* connection : all()) {
        connection->close();
    }
}

std::vector<Connection*> ConnectionSet::all() const {
    const auto keys = std::views::keys(connections_);
    return {keys.begin(), keys.end()};
}

}  // namespace footfall::net
