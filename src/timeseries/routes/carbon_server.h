#pragma once

#include "api/store_gate.h"
#include "foundation/address.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/seldom_log.h"
#include "net/server.h"
#include "runtime/io_threads.h"
#include "storage/store.h"
#include "timeseries/time_series.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace footfall::timeseries::routes {

/// Why a line was not taken, or its point: Refusal, and these.
enum class LineTrouble : std::uint8_t { malformed, too_long, store };

inline constexpr std::size_t line_troubles = 3;

/// "malformed", "too_long", "store".
std::string_view name_of(LineTrouble trouble);

/// What all connections of Carbon share. Thread-safe.
struct CarbonContext {
    CarbonContext(TimeSeries& into, const Clock& the_clock, storage::Store& the_store)
        : series{&into}, clock{&the_clock}, store{&the_store}, gate{the_store} {}

    TimeSeries* series;
    const Clock* clock;
    storage::Store* store;
    api::StoreGate gate;
    std::atomic<storage::CommitPosition> last = 0;  ///< That was waited for.
    std::array<std::atomic<std::uint64_t>, line_troubles> refused{};
    SeldomLog troubles{std::chrono::seconds{10}};
};

/// Takes points as Carbon does, as lines over TCP, on a thread of its own. There are no answers:
/// what is wrong is counted, and the log has an example every ten seconds. Of a sender no more is
/// read before what he sent is durable, so nothing piles up; a line without its end waits for it.
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

    std::uint64_t refused(LineTrouble why) const {
        return context_.refused[static_cast<std::size_t>(why)].load(std::memory_order_relaxed);
    }

private:
    storage::Store* store_;
    CarbonContext context_;
    runtime::IoThreads threads_{1};
    std::unique_ptr<net::Server> server_;
    bool listening_ = false;
    bool stopped_ = false;
};

}  // namespace footfall::timeseries::routes
