#include "timeseries_routes/own_metrics.h"

#include "foundation/log.h"
#include "storage/blocking.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace footfall::timeseries::routes {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view own_prefix = "footfall_";

/// More and the store would be too slow for anything.
constexpr std::chrono::seconds patience{5};

bool is_plain(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-' || byte == '_';
}

/// A value of a label as a part of a name.
std::string part_of(std::string_view value) {
    std::string part{value.empty() ? std::string_view{"none"} : value};
    std::ranges::replace_if(part, std::not_fn(is_plain), '_');
    return part;
}

std::string name_of(const metrics::Sample& sample) {
    std::string name = sample.name;
    if (name.starts_with(own_prefix)) {
        name.erase(0, own_prefix.size());
    }
    for (const auto& [label, value] : sample.labels) {
        name.append(".").append(part_of(value));
    }
    return name;
}

/// How many observations there are up to each bound that were not there before.
std::vector<std::pair<double, double>> since(
    const std::vector<std::pair<double, std::uint64_t>>& before,
    const std::vector<std::pair<double, std::uint64_t>>& now
) {
    std::vector<std::pair<double, double>> counts;
    counts.reserve(now.size());
    for (std::size_t at = 0; at < now.size(); ++at) {
        const std::uint64_t old = at < before.size() ? before[at].second : 0;
        counts.emplace_back(now[at].first, static_cast<double>(now[at].second - old));
    }
    return counts;
}

/// The value below which that share of the observations is; absent: there are none.
std::optional<double> quantile(const std::vector<std::pair<double, double>>& counts, double share) {
    if (counts.empty() || counts.back().second <= 0) {
        return std::nullopt;
    }
    const double rank = share * counts.back().second;
    double lower = 0;
    double below = 0;
    for (const auto& [upper, count] : counts) {
        if (count >= rank && count > below) {
            // Of what is above all bounds nothing else is known.
            return std::isinf(upper) ? lower
                                     : lower + (upper - lower) * (rank - below) / (count - below);
        }
        lower = std::isinf(upper) ? lower : upper;
        below = count;
    }
    return lower;
}

}  // namespace

OwnMetrics::OwnMetrics(
    TimeSeries& series, const Clock& clock, storage::Store& store, std::string name, Samples samples
)
    : series_{&series},
      clock_{&clock},
      store_{&store},
      beginning_{"footfall." + std::move(name) + "."},
      samples_{std::move(samples)} {}

void OwnMetrics::start() {
    thread_.emplace("own metrics", runtime::Urgency::background, [this](const std::stop_token&) {
        return turn();
    });
}

std::chrono::milliseconds OwnMetrics::turn() {
    const Instant now = clock_->now();
    const Instant at = std::chrono::floor<std::chrono::duration<std::int64_t, std::ratio<10>>>(now);
    const auto pause = std::chrono::ceil<milliseconds>(at + every - now);
    if (last_ == at) {
        return pause;
    }
    last_ = at;
    const auto points = points_at(std::chrono::floor<milliseconds>(at.time_since_epoch()).count());
    if (const Result<void> written = write(points); !written) {
        troubles_.say(
            LogLevel::warning, "own metrics of a moment are not kept: " + written.error().message
        );
    }
    return pause;
}

Result<void> OwnMetrics::write(const std::vector<NamedPoint>& points) {
    TRY(const Taken taken, series_->write(points));
    TRY_VOID(storage::wait_durable(*store_, taken.position, patience));
    series_->count_durable(taken.points);
    return {};
}

std::vector<NamedPoint> OwnMetrics::points_at(std::int64_t time) {
    std::vector<NamedPoint> points;
    const auto add = [&](std::string name, double value) {
        points.push_back(
            {.name = beginning_ + std::move(name), .point = {.time = time, .value = value}}
        );
    };
    for (metrics::Sample& sample : samples_()) {
        std::string name = name_of(sample);
        if (sample.buckets.empty()) {
            add(std::move(name), sample.value);
            continue;
        }
        add(name + ".count", sample.value);
        Buckets& before = before_[name];
        const auto counts = since(before, sample.buckets);
        if (const auto half = quantile(counts, 0.5)) {
            add(name + ".p50", *half);
        }
        if (const auto most = quantile(counts, 0.99)) {
            add(name + ".p99", *most);
        }
        before = std::move(sample.buckets);
    }
    return points;
}

}  // namespace footfall::timeseries::routes
