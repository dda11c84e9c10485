#include "metrics/figures.h"

#include <algorithm>

namespace footfall::metrics {

void Figures::raise(
    std::string_view name,
    std::string_view help,
    std::uint64_t total,
    std::string_view label,
    std::string_view value
) {
    const std::lock_guard lock{mutex_};
    std::uint64_t& told = told_[{std::string{name}, std::string{value}}];
    const Counter counter = label.empty() ? metrics_->counter(name, help)
                                          : metrics_->counter(name, help, {{label, value}});
    // Two who ask at once may come with the older total last.
    counter.add(static_cast<double>(std::max(total, told) - told));
    told = std::max(total, told);
}

void Figures::set(
    std::string_view name,
    std::string_view help,
    std::size_t figure,
    std::string_view label,
    std::string_view value
) {
    const Gauge gauge =
        label.empty() ? metrics_->gauge(name, help) : metrics_->gauge(name, help, {{label, value}});
    gauge.set(static_cast<double>(figure));
}

}  // namespace footfall::metrics
