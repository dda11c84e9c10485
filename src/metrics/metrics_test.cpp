#include "metrics/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace footfall::metrics {
namespace {

using testing::HasSubstr;

TEST(Metrics, are_written_in_the_prometheus_text_format) {
    Metrics metrics;
    metrics.counter("footfall_test_total", "Things counted.", {{"kind", "a"}}).add(2);
    metrics.gauge("footfall_test_bytes", "Bytes held.").set(7);
    metrics.histogram("footfall_test_seconds", "Time taken.", {0.1, 1}).observe(0.5);
    const std::string text = metrics.text();
    EXPECT_THAT(text, HasSubstr("# HELP footfall_test_total Things counted.\n"));
    EXPECT_THAT(text, HasSubstr("footfall_test_total{kind=\"a\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("footfall_test_bytes 7\n"));
    EXPECT_THAT(text, HasSubstr("footfall_test_seconds_bucket{le=\"0.1\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("footfall_test_seconds_bucket{le=\"1\"} 1\n"));
}

TEST(Metrics, the_same_name_and_labels_are_the_same_metric) {
    Metrics metrics;
    metrics.counter("footfall_test_total", "Things counted.", {{"kind", "a"}}).add(1);
    metrics.counter("footfall_test_total", "Things counted.", {{"kind", "a"}}).add(1);
    EXPECT_THAT(metrics.text(), HasSubstr("footfall_test_total{kind=\"a\"} 2\n"));
}

TEST(Metrics, are_told_as_numbers) {
    Metrics metrics;
    metrics.counter("footfall_test_total", "Things counted.", {{"kind", "a"}}).add(2);
    metrics.gauge("footfall_test_bytes", "Bytes held.").set(7);
    const Histogram histogram = metrics.histogram("footfall_test_seconds", "Time.", {0.1, 1});
    histogram.observe(0.5);
    histogram.observe(0.01);
    std::map<std::string, Sample> samples;
    for (Sample& each : metrics.samples()) {
        samples[each.name] = std::move(each);
    }
    using Pairs = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(samples["footfall_test_total"].value, 2);
    EXPECT_EQ(samples["footfall_test_total"].labels, (Pairs{{"kind", "a"}}));
    EXPECT_EQ(samples["footfall_test_bytes"].value, 7);
    const Sample& times = samples["footfall_test_seconds"];
    EXPECT_EQ(times.value, 2);
    ASSERT_GE(times.buckets.size(), 2U);
    EXPECT_EQ(times.buckets[0], (std::pair<double, std::uint64_t>{0.1, 1}));
    EXPECT_EQ(times.buckets[1], (std::pair<double, std::uint64_t>{1, 2}));
}

}  // namespace
}  // namespace footfall::metrics
