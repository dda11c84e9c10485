#pragma once

#include "cli/event_parts.h"
#include "metrics/metrics.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace footfall::server {

/// What /metrics says of events and views. Nobody who counts waits for it: figures are fetched when
/// they are asked for. Thread-safe. `parts` and `metrics` must outlive it.
class EventFigures {
public:
    EventFigures(cli::EventParts& parts, metrics::Metrics& metrics);

    /// Brings the metrics up to date.
    void update();

private:
    /// A name and the value of its one label, which may be empty.
    using Name = std::pair<std::string, std::string>;

    void lanes(std::size_t of_guard);
    void raise(
        const char* name,
        const char* help,
        std::uint64_t total,
        const char* label = nullptr,
        const std::string& value = {}
    );

    void update_shared_rates();

    cli::EventParts* parts_;
    metrics::Metrics* metrics_;
    metrics::Gauge read_again_;
    metrics::Gauge unstored_;
    metrics::Gauge objects_;
    metrics::Gauge waiting_;
    metrics::Gauge bytes_;
    metrics::Gauge unsaved_;
    std::mutex mutex_;
    std::map<Name, std::uint64_t> told_;  ///< What counters stand at; guarded by mutex_.
};

}  // namespace footfall::server
