#pragma once

#include "load/connection.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace footfall::load {

/// What a Generator sends, and who is told of the answers. Called by one thread.
class Workload {
public:
    Workload() = default;
    Workload(const Workload&) = delete;
    Workload& operator=(const Workload&) = delete;
    virtual ~Workload() = default;

    /// Appends the next request to `out`, if one is due.
    virtual std::optional<Ticket> next(Nanoseconds now, std::string& out) = 0;
    virtual void answered(const Ticket& ticket, const Answer& answer, Nanoseconds now) = 0;
    /// No answer came, since the connection went away or the workload gave up: nobody knows whether
    /// it was done.
    virtual void lost(const Ticket& ticket) = 0;
    /// Called at least whenever wake() said so, and often.
    virtual void tick(Nanoseconds now) = 0;
    /// When tick() has something to do though no answer has come, and next() if there is room to
    /// send.
    virtual Nanoseconds wake(bool has_room) const = 0;
    /// Whether nothing more will be sent: the Generator ends once all is answered.
    virtual bool all_sent() const = 0;
    /// Whether to end although answers are missing.
    virtual bool gives_up(Nanoseconds now) const = 0;
};

struct GeneratorOptions {
    Endpoint endpoint;
    std::size_t connections = 64;
    std::size_t depth = 1;  ///< Requests in flight on a connection, at most.
};

/// Moves the requests of a Workload over many connections and its answers back: one epoll loop on
/// the calling thread, all requests of a connection that are due in one write. Costs the client
/// about what the kernel costs. Not thread-safe.
class Generator {
public:
    /// Opens all connections; `unavailable` if the server does not take them.
    static Result<std::unique_ptr<Generator>> open(
        const GeneratorOptions& options, const Protocol& protocol
    );

    ~Generator();
    Generator(const Generator&) = delete;
    Generator& operator=(const Generator&) = delete;

    /// Runs a workload to its end. A connection that the server closed is opened again and its
    /// requests are lost; `unavailable` when that fails, `corrupt` when an answer cannot be
    /// understood.
    Result<void> run(Workload& workload);

    static Nanoseconds now();

private:
    Generator(const GeneratorOptions& options, const Protocol& protocol);

    Result<void> connect_all();
    Result<void> handle(std::size_t index, std::uint32_t events, Workload& workload);
    void lose_all(Connection& connection, Workload& workload);
    Result<void> reopen(std::size_t index, Workload& workload);
    Result<void> fill(Nanoseconds now, Workload& workload);
    Result<void> flush(std::size_t index, Workload& workload);
    void watch(std::size_t index, int operation, bool writable);
    void make_ready(std::size_t index);

    struct State {
        bool ready = false;  ///< Stands in ready_.
        bool waits_to_write = false;
    };

    const GeneratorOptions options_;
    const Protocol* protocol_;
    int epoll_ = -1;
    std::vector<Connection> connections_;
    std::vector<State> states_;
    std::vector<std::size_t> ready_;  ///< A ring of connections with room, each at most once.
    std::size_t ready_first_ = 0;
    std::size_t ready_count_ = 0;
    std::vector<char> buffer_;
    std::size_t in_flight_ = 0;
};

}  // namespace footfall::load
