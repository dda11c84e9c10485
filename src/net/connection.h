#pragma once

#include "net/connection_set.h"
#include "net/input_buffer.h"
#include "net/loop.h"
#include "net/ready_poll.h"
#include "net/socket.h"
#include "net/timer_wheel.h"

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

namespace footfall::net {

/// What a connection has to send: sent() makes it less, and empty at last.
template <class T>
concept Unsent = requires(T& output, std::size_t count) {
    { output.empty() } -> std::same_as<bool>;
    { output.unsent() } -> std::convertible_to<std::string_view>;
    output.sent(count);
};

/// One client, without what its bytes mean: it receives and sends, waits for the client or the
/// gate, and gives the client the time that Patience says. A protocol derives from it and adds its
/// loop, "read once, answer every complete request in the buffer, write once", a Loop as its last
/// member:
///
///     while (may_read(input().empty()) && take(co_await reading())) {
///         // ... answer what is complete in input(), take() it from there
///         Written written = write(output);
///         while (written == Written::some && co_await writable()) {
///             written = write(output);
///         }
///         if (written != Written::all) {
///             break;
///         }
///     }
///     if (may_linger(false)) {
///         while (!has_lingered(co_await reading())) {
///         }
///     }
///     close();
///
/// The loop is resumed in the very call that brings what it waits for. Nothing here allocates but
/// the input. A client that is idle loses its memory after five seconds. Owned by its set; one io
/// thread.
class Connection : public ReadyPoll::Watcher, public TimerWheel::Entry {
public:
    Connection(Socket socket, ConnectionSet& set) : socket_{std::move(socket)}, set_{&set} {}

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// It was counted when its client was accepted, and is not any more.
    virtual ~Connection() { set_->context().connections->leave(); }

    /// Starts the loop, once. When that has ended the set destroys the connection.
    virtual void start() = 0;

    void loop_ended() noexcept { set_->retire(*this); }

    const Socket& socket() const { return socket_; }

    void ready(Readiness readiness) final;

    /// Its turn to read on, for which it asked (ConnectionSet::take_turn).
    void read_on();

    /// What the set tells its connections.
    void deadline_passed();

    void gate_decided() { std::exchange(at_gate_, {}).resume(); }

    void drain();

    /// Cuts the connection: whatever waits for the client goes on, and finds that it is gone.
    void close();

protected:
    enum class Written { all, some, failed };

    using Done = std::move_only_function<void(bool)>;

    /// Memory that an idle client does not need is given back; the input already is.
    virtual void give_memory_back() {}

    /// Draining has begun, or the connection is closed: ends what waits for neither client nor gate
    /// nor an answer, a pause between two parts of a stream.
    virtual void end_pause() {}

    /// The client sends no more, or the connection is closed: work for it may end.
    virtual void end_work() {}

    ConnectionSet& set() const { return *set_; }

    InputBuffer& input() { return input_; }

    const InputBuffer& input() const { return input_; }

    bool closed() const { return closed_; }

    /// Whether the client ended its side: it may have left, or wait for its answers.
    bool hung_up() const { return hung_up_; }

    /// Whether there is a reason to read on, and how long the client may take: idle if it has not
    /// begun a request.
    bool may_read(bool idle);

    /// Suspends until bytes have come; take() keeps them. If there may be some already it waits for
    /// its turn: who sends without end must not keep others waiting.
    auto reading() {
        struct Awaiter {
            Connection* connection;

            bool await_ready() const noexcept { return connection->closed_; }

            void await_suspend(std::coroutine_handle<> loop) const {
                connection->reader_ = loop;
                if (connection->readable_) {
                    connection->set_->take_turn(*connection);
                }
            }

            Socket::Transfer await_resume() const {
                return connection->closed_ ? Socket::Transfer{.failed = true}
                                           : std::exchange(connection->received_, {});
            }
        };

        return Awaiter{this};
    }

    /// Adds what reading() brought to the input. False: the client is gone, or was cut off.
    bool take(Socket::Transfer received);

    /// The request that has begun is so large altogether, and gets the time for it.
    void expect(std::size_t bytes);

    /// A request was answered: the next one has a time of its own.
    void request_ended() {
        pacing_ = false;
        expected_bytes_ = 0;
    }

    /// What is waited for now is not the client's business.
    void stop_clock() {
        pacing_ = false;
        TimerWheel::clear(*this);
    }

    /// Suspends until the gate has decided `position`.
    auto decided(std::uint64_t position) {
        struct Awaiter {
            Connection* connection;
            std::uint64_t position;

            bool await_ready() const noexcept { return false; }

            void await_suspend(std::coroutine_handle<> loop) const {
                connection->at_gate_ = loop;
                connection->set_->wait_at_gate(position, *connection);
            }

            void await_resume() const noexcept {}
        };

        stop_clock();
        return Awaiter{this, position};
    }

    /// Sends as much as the system takes.
    template <Unsent Output>
    Written write(Output& output) {
        while (!output.empty()) {
            const Socket::Transfer sent = socket_.send(output.unsent());
            if (sent.failed) {
                return Written::failed;
            }
            if (sent.would_wait) {
                if (!std::exchange(blocked_, true)) {
                    begin_transfer(output.unsent().size());
                }
                return Written::some;
            }
            output.sent(sent.bytes);
            if (blocked_) {
                pace(sent.bytes);
            }
        }
        if (std::exchange(blocked_, false)) {
            pacing_ = false;
        }
        return Written::all;
    }

    /// Calls `done` when the client takes more: true, or cannot: false.
    void when_writable(Done done) { writer_ = std::move(done); }

    /// Suspends until then.
    auto writable() {
        return until_called<bool>([this](auto done) { when_writable(done); });
    }

    /// Before closing: whether unread bytes are on their way (`refused`: what the client sends is
    /// not wanted). Closing now would reset the connection, and the client might never see the
    /// answer; so read until has_lingered(), for at most a MiB and five seconds.
    bool may_linger(bool refused);
    bool has_lingered(Socket::Transfer received);

private:
    bool receive();
    void end_waiting();
    std::uint64_t ticks_for(std::size_t bytes) const;
    void begin_transfer(std::size_t bytes);
    void begin_pace();
    void pace(std::size_t bytes);

    Socket socket_;
    ConnectionSet* set_;
    InputBuffer input_;
    std::coroutine_handle<> reader_;   ///< The loop, while it waits for bytes.
    Socket::Transfer received_;        ///< What it then gets.
    Done writer_;                      ///< Waits until the client takes more; true: it may.
    std::coroutine_handle<> at_gate_;  ///< The loop, while it waits there.
    std::size_t expected_bytes_ = 0;   ///< Of the request that arrives, as far as it is known.
    std::uint64_t pace_ends_ = 0;      ///< The tick by which the whole has to be through.
    std::size_t paced_bytes_ = 0;      ///< Sent or taken by the client since begin_pace().
    std::size_t lingered_bytes_ = 0;
    bool readable_ = false;  ///< There may be more to read.
    bool hung_up_ = false;   ///< It stays so: the client sends no more.
    bool pacing_ = false;    ///< A request has begun to arrive, and its time runs.
    bool blocked_ = false;   ///< The client is slow to take the output, and its time runs.
    bool idle_ = false;      ///< Waits for the first byte of a request.
    bool released_ = false;  ///< Has waited for it so long that its memory was given back.
    bool closed_ = false;
};

}  // namespace footfall::net
