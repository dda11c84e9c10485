#pragma once

#include "foundation/address.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "net/server.h"
#include "runtime/io_threads.h"
#include "storage/store.h"
#include "timeseries/time_series.h"
#include "timeseries_routes/carbon_context.h"
#include "timeseries_routes/carbon_datagrams.h"

#include <cstdint>
#include <memory>

namespace footfall::timeseries::routes {

/// Takes points as Carbon does, as lines over TCP, on a thread of its own, and in datagrams of the
/// same port (carbon_datagrams.h). There are no answers: what is wrong is counted, and the log has
/// an example every ten seconds. Over TCP a sender is read on once what he sent is durable, and
/// then all that came meanwhile is written at once, 50,000 points at most: nothing piles up. A line
/// without its end waits for it.
///
/// start() and stop() once each, from one thread, while the store is open; what it is made of
/// outlives it.
class CarbonServer {
public:
    CarbonServer(TimeSeries& series, const Clock& clock, storage::Store& store);
    CarbonServer(const CarbonServer&) = delete;
    CarbonServer& operator=(const CarbonServer&) = delete;

    ~CarbonServer() { stop(); }

    /// Answers the port. `conflict`: it is taken.
    Result<std::uint16_t> start(const AddressAndPort& address);

    /// Takes no more, and waits for what was taken to be durable. Idempotent.
    void stop();

    std::uint64_t refused(LineTrouble why) const { return context_.refused(why); }

private:
    CarbonContext context_;
    runtime::IoThreads threads_{1};
    std::unique_ptr<net::Server> server_;
    CarbonDatagrams datagrams_{context_};
    bool listening_ = false;
    bool stopped_ = false;
};

}  // namespace footfall::timeseries::routes
