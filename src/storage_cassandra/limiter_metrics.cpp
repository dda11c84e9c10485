#include "storage_cassandra/limiter_metrics.h"

#include <utility>

namespace footfall::storage_cassandra {
namespace {

metrics::Counter decreases(
    metrics::Metrics& metrics, std::string_view kind, std::string_view reason
) {
    return metrics.counter(
        "footfall_cassandra_limit_decreases_total",
        "How often fewer requests were allowed at once, by why: requests failed, or queued there.",
        {{"kind", kind}, {"reason", reason}}
    );
}

void add_new(const metrics::Counter& counter, std::uint64_t& told, std::uint64_t now) {
    counter.add(static_cast<double>(now - std::exchange(told, now)));
}

}  // namespace

LimiterMetrics::LimiterMetrics(std::string_view kind, metrics::Metrics& metrics)
    : limit_{metrics.gauge(
          "footfall_cassandra_limit",
          "Requests that may be on their way at once, as Cassandra bears it.",
          {{"kind", kind}}
      )},
      in_flight_{metrics.gauge(
          "footfall_cassandra_in_flight", "Requests that are on their way.", {{"kind", kind}}
      )},
      failed_{decreases(metrics, kind, "failed")},
      queued_{decreases(metrics, kind, "queued")},
      speculations_{metrics.counter(
          "footfall_cassandra_speculations_total",
          "How often a second node was asked since the first one was slow.",
          {{"kind", kind}}
      )} {}

void LimiterMetrics::tell(const Limiter& limiter) {
    limit_.set(static_cast<double>(limiter.limit()));
    in_flight_.set(static_cast<double>(limiter.in_flight()));
    add_new(failed_, told_failed_, limiter.decreases(Limiter::Cause::failed));
    add_new(queued_, told_queued_, limiter.decreases(Limiter::Cause::queued));
    add_new(speculations_, told_speculations_, limiter.speculations());
}

}  // namespace footfall::storage_cassandra
