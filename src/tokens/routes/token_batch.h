#pragma once

#include "http_server/router.h"
#include "runtime/blocking_pool.h"
#include "runtime/task.h"
#include "tokens/token_counters.h"

#include <cstddef>
#include <optional>
#include <stop_token>

namespace footfall::tokens::routes {

inline constexpr std::size_t batch_lines_max = 100'000;
/// When unpacked; unpacked or not, a body is limited by the server as well.
inline constexpr std::size_t batch_bytes_max = 16 << 20;

/// POST /api/v1/counter: tokens in NDJSON lines, which may be packed with gzip. On threads of its
/// own: those that answer single PUTs have to be idle most of the time, so that the system runs
/// them at once when something comes. Batches take turns. When the store is about to slow down all
/// writes, batches wait first.
///
/// Thread-safe. `counters` must outlive it.
class TokenBatches {
public:
    /// Of objects on a disk that others wait for, too: who asks for a single one should not find
    /// hundreds before it.
    static constexpr std::size_t loads_from_disk = 16;
    /// Of objects that a network is in front of.
    static constexpr std::size_t loads_from_afar = 256;

    /// So many objects of a batch may be on their way at a time.
    TokenBatches(
        tokens::TokenCounters& counters,
        std::size_t threads,
        std::size_t loads_at_once = loads_from_disk
    );
    TokenBatches(const TokenBatches&) = delete;
    TokenBatches& operator=(const TokenBatches&) = delete;
    ~TokenBatches() = default;

    /// Puts the body's tokens line by line, and answers how many were accepted and which lines were
    /// not. A failure of the store answers for the whole batch; sending it again is safe.
    runtime::Task<> put(http_server::Exchange* exchange);

    /// Refuses what waits for its first turn, and what comes from then on. What is begun goes on.
    /// Idempotent.
    void refuse_waiting() { pool_.refuse_waiting(); }

    /// Lets batches under way end early, as failed, and takes no more. Idempotent.
    void stop();

private:
    class Batch;

    std::optional<http_server::Response> take_turn(Batch& batch, const CounterConfig& config);

    tokens::TokenCounters* counters_;
    const std::size_t loads_at_once_;
    std::stop_source stopping_;
    runtime::BlockingPool pool_;
};

}  // namespace footfall::tokens::routes
