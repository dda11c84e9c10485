#pragma once

#include "metrics/metrics.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::metrics {

/// Figures that are fetched when metrics are asked for, so that nobody who counts waits for them:
/// totals and gauges, each told by its name, and made with the first. Thread-safe. `metrics` must
/// outlive it.
class Figures {
public:
    explicit Figures(Metrics& metrics) : metrics_{&metrics} {}

    /// Raises a counter to a total that only ever grows; `label` and `value`: its one label, if it
    /// has one.
    void raise(
        std::string_view name,
        std::string_view help,
        std::uint64_t total,
        std::string_view label = {},
        std::string_view value = {}
    );

    /// Sets a gauge.
    void set(
        std::string_view name,
        std::string_view help,
        std::size_t figure,
        std::string_view label = {},
        std::string_view value = {}
    );

private:
    /// A name and the value of its one label, which may be empty.
    using Name = std::pair<std::string, std::string>;

    Metrics* metrics_;
    std::mutex mutex_;
    std::map<Name, std::uint64_t> told_;  ///< What counters stand at; guarded by mutex_.
};

}  // namespace footfall::metrics
