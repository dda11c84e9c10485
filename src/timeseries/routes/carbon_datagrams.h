#pragma once

#include "foundation/address.h"
#include "foundation/result.h"
#include "net/datagram_socket.h"
#include "runtime/turns.h"
#include "storage/store.h"
#include "timeseries_routes/carbon_context.h"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

namespace footfall::timeseries::routes {

/// Takes points as Carbon does, as lines in datagrams (UDP), on a thread of its own that others
/// come before. Nobody waits for an answer, so a sender cannot be made to wait: what comes while
/// the store is busy, or while 200,000 points are not durable yet, stays with the system, which
/// drops what it has no room for. That is counted.
///
/// start() and stop() once each, from one thread; the context outlives it.
class CarbonDatagrams {
public:
    explicit CarbonDatagrams(CarbonContext& context) : context_{&context} {}

    CarbonDatagrams(const CarbonDatagrams&) = delete;
    CarbonDatagrams& operator=(const CarbonDatagrams&) = delete;

    ~CarbonDatagrams() { stop(); }

    /// `conflict`: the port is taken.
    Result<void> start(const AddressAndPort& address, std::string_view chosen_with);

    /// Takes no more, and waits until the store has decided about what was taken. Idempotent.
    void stop();

private:
    /// How many points the store has not decided about. Shared with its callbacks.
    struct Undecided {
        std::mutex mutex;
        std::condition_variable decided;
        std::uint64_t points = 0;  // guarded by mutex
    };

    runtime::Turns::Pause turn(net::DatagramSocket& socket);
    bool may_take() const;
    void take(std::span<const std::string_view> datagrams);
    void watch(const Taken& taken);

    CarbonContext* context_;
    const std::shared_ptr<Undecided> undecided_ = std::make_shared<Undecided>();
    std::uint64_t dropped_ = 0;             ///< As far as it is counted.
    std::optional<runtime::Turns> thread_;  // with the socket; last: it ends before what it uses
};

}  // namespace footfall::timeseries::routes
