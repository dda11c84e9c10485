#include "metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <map>

namespace footfall::metrics {
namespace {

prometheus::Labels owned_labels(Labels labels) {
    prometheus::Labels owned;
    for (const auto& [name, value] : labels) {
        owned.emplace(name, value);
    }
    return owned;
}

}  // namespace

void Counter::add(double amount) const {
    counter_->Increment(amount);
}

void Gauge::set(double value) const {
    gauge_->Set(value);
}

void Gauge::add(double amount) const {
    gauge_->Increment(amount);
}

void Histogram::observe(double value) const {
    histogram_->Observe(value);
}

Metrics::Metrics() : registry_{std::make_unique<prometheus::Registry>()} {}

Metrics::~Metrics() = default;

Counter Metrics::counter(std::string_view name, std::string_view help, Labels labels) {
    auto& family = prometheus::BuildCounter()
                       .Name(std::string{name})
                       .Help(std::string{help})
                       .Register(*registry_);
    return Counter{family.Add(owned_labels(labels))};
}

Gauge Metrics::gauge(std::string_view name, std::string_view help, Labels labels) {
    auto& family = prometheus::BuildGauge()
                       .Name(std::string{name})
                       .Help(std::string{help})
                       .Register(*registry_);
    return Gauge{family.Add(owned_labels(labels))};
}

Histogram Metrics::histogram(
    std::string_view name, std::string_view help, const std::vector<double>& bounds, Labels labels
) {
    auto& family = prometheus::BuildHistogram()
                       .Name(std::string{name})
                       .Help(std::string{help})
                       .Register(*registry_);
    return Histogram{family.Add(owned_labels(labels), bounds)};
}

std::string Metrics::text() const {
    return prometheus::TextSerializer{}.Serialize(registry_->Collect());
}

std::vector<Sample> Metrics::samples() const {
    std::vector<Sample> samples;
    for (const prometheus::MetricFamily& family : registry_->Collect()) {
        for (const prometheus::ClientMetric& metric : family.metric) {
            Sample& sample = samples.emplace_back(Sample{.name = family.name, .labels = {}});
            for (const prometheus::ClientMetric::Label& label : metric.label) {
                sample.labels.emplace_back(label.name, label.value);
            }
            if (family.type == prometheus::MetricType::Histogram) {
                sample.value = static_cast<double>(metric.histogram.sample_count);
                for (const auto& bucket : metric.histogram.bucket) {
                    sample.buckets.emplace_back(bucket.upper_bound, bucket.cumulative_count);
                }
            } else {
                sample.value = family.type == prometheus::MetricType::Counter ? metric.counter.value
                                                                              : metric.gauge.value;
            }
        }
    }
    return samples;
}

std::vector<double> duration_bounds() {
    return {
        0.00005,
        0.0001,
        0.0002,
        0.0005,
        0.001,
        0.002,
        0.005,
        0.01,
        0.02,
        0.05,
        0.1,
        0.2,
        0.5,
        1,
        2,
        5,
        10
    };
}

}  // namespace footfall::metrics
