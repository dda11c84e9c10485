#pragma once

#include "metrics/metrics.h"
#include "net/memory_budget.h"

#include <array>
#include <cstddef>

namespace footfall::http_server {

/// By which a request comes in. Those who have to show nothing have memory of their own, so that
/// they cannot take it from those who had to.
enum class Door { open, trusted };

/// How much memory requests may take that are arriving or being handled, and answers that are
/// leaving, by their door. Connections that have begun no request, or one that is refused, count as
/// open. In bytes.
struct MemoryLimits {
    struct OfDoor {
        std::size_t requests;
        std::size_t answers;
    };

    OfDoor open;
    OfDoor trusted;

    /// For a program that is given so many bytes: half of them in all, of which the open door has a
    /// quarter; but for the trusted one at least a request of the largest body and an answer of
    /// that size.
    static MemoryLimits of(std::size_t program_bytes, std::size_t body_bytes_max);
};

/// The budgets of a server. Thread-safe.
class Memory {
public:
    /// Counted are the bytes of a connection beyond these, of requests and of answers each.
    static constexpr std::size_t free_bytes = 2 << 10;

    static std::size_t counted(std::size_t bytes) { return bytes > free_bytes ? bytes : 0; }

    Memory(MemoryLimits limits, metrics::Metrics& metrics);

    /// One of them, with what is said of it.
    struct Budget {
        net::MemoryBudget bytes;
        metrics::Gauge held;
        metrics::Counter refused;  ///< Requests that found it used up.
    };

    Budget& requests(Door door) { return door == Door::open ? open_requests_ : trusted_requests_; }

    Budget& answers(Door door) { return door == Door::open ? open_answers_ : trusted_answers_; }

    /// Has the gauges say what is held now.
    void tell() const;

    /// What is held of all.
    std::size_t held() const;

private:
    std::array<const Budget*, 4> all() const {
        return {&open_requests_, &open_answers_, &trusted_requests_, &trusted_answers_};
    }

    Budget open_requests_;
    Budget open_answers_;
    Budget trusted_requests_;
    Budget trusted_answers_;
};

}  // namespace footfall::http_server
