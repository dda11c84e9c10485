#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
class Registry;
}  // namespace prometheus

namespace footfall::metrics {

using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Only ever grows. A handle, cheap to copy; thread-safe; lives no longer than its Metrics.
class Counter {
public:
    explicit Counter(prometheus::Counter& counter) : counter_{&counter} {}

    void add(double amount = 1) const;

private:
    prometheus::Counter* counter_;
};

/// Goes up and down. As Counter.
class Gauge {
public:
    explicit Gauge(prometheus::Gauge& gauge) : gauge_{&gauge} {}

    void set(double value) const;

    /// By `amount`, which may be below 0.
    void add(double amount) const;

private:
    prometheus::Gauge* gauge_;
};

/// Counts observations in buckets. As Counter.
class Histogram {
public:
    explicit Histogram(prometheus::Histogram& histogram) : histogram_{&histogram} {}

    void observe(double value) const;

private:
    prometheus::Histogram* histogram_;
};

/// One figure, as it stands.
struct Sample {
    std::string name;
    std::vector<std::pair<std::string, std::string>> labels;
    double value = 0;  ///< Of a histogram how many observations there were.
    /// Of a histogram: upper bounds, ascending, and how many observations are not above each.
    std::vector<std::pair<double, std::uint64_t>> buckets = {};
};

/// What the program says of itself, in the Prometheus text format (prometheus-cpp keeps it). Made
/// once in `server` and handed down; modules ask for their handles when they are constructed, never
/// on a hot path. Names follow the Prometheus rules: footfall_<what>_<unit>[_total]. Thread-safe.
class Metrics {
public:
    Metrics();
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    /// Asking again for the same name and labels answers the same metric.
    Counter counter(std::string_view name, std::string_view help, Labels labels = {});
    Gauge gauge(std::string_view name, std::string_view help, Labels labels = {});
    /// `bounds`: upper bounds of the buckets, ascending.
    Histogram histogram(
        std::string_view name,
        std::string_view help,
        const std::vector<double>& bounds,
        Labels labels = {}
    );

    /// Everything, in the text exposition format 0.0.4.
    std::string text() const;

    /// The same as numbers.
    std::vector<Sample> samples() const;

private:
    std::unique_ptr<prometheus::Registry> registry_;
};

/// Bucket bounds in seconds for durations from 50 us to 10 s.
std::vector<double> duration_bounds();

}  // namespace footfall::metrics
