#include "metrics/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace footfall::metrics
