#include "server/event_figures.h"

#include <chrono>
#include <cstdint>
#include <variant>

namespace footfall::server {
namespace {

constexpr const char* judged_name = "footfall_events_judged_total";
constexpr const char* judged_help = "Events taken, by what was decided: counted, or the reason.";
constexpr const char* ingress_name = "footfall_ingress_records_total";
constexpr const char* ingress_help =
    "Records read of the topic ingress: accepted as events, or rejected into events.dlq.";
constexpr const char* failures_name = "footfall_rule_condition_failures_total";
constexpr const char* failures_help =
    "How often a rule's own condition failed, rather than hold or not.";

}  // namespace

EventFigures::EventFigures(cli::EventParts& parts, metrics::Metrics& metrics)
    : parts_{&parts},
      metrics_{&metrics},
      read_again_{metrics.gauge(
          "footfall_events_read_again",
          "Events of the log that the last start, or recovery from lost writes, counted again."
      )},
      unstored_{metrics.gauge(
          "footfall_events_unstored", "Events whose rows are on their way to the store."
      )},
      objects_{metrics.gauge("footfall_view_objects", "Objects of views in memory.")},
      waiting_{metrics.gauge("footfall_view_waiting", "Events of views that wait for their rows.")},
      bytes_{metrics.gauge("footfall_view_bytes", "Memory that views take.")},
      unsaved_{metrics.gauge(
          "footfall_view_unsaved", "Objects of views with changes that are not durable."
      )} {
    update();
}

/// On a cluster, where they come and go.
void EventFigures::lanes(std::size_t of_guard) {
    const auto of_projections = parts_->followed_lanes();
    if (!of_projections) {
        return;
    }
    constexpr const char* name = "footfall_lanes";
    constexpr const char* help = "Lanes that this process has, by what it does with them.";
    metrics_->gauge(name, help, {{"role", "guard"}}).set(static_cast<double>(of_guard));
    metrics_->gauge(name, help, {{"role", "project"}}).set(static_cast<double>(*of_projections));
}

/// To a total that only ever grows.
void EventFigures::raise(
    const char* name,
    const char* help,
    std::uint64_t total,
    const char* label,
    const std::string& value
) {
    std::uint64_t& told = told_[{name, value}];
    const metrics::Counter counter = label == nullptr
                                         ? metrics_->counter(name, help)
                                         : metrics_->counter(name, help, {{label, value}});
    counter.add(static_cast<double>(total - told));
    told = total;
}

void EventFigures::update() {
    const std::lock_guard lock{mutex_};
    const intake::Intake::Figures events = parts_->intake().figures();
    raise(judged_name, judged_help, events.judged.counted, "verdict", "counted");
    for (const auto& [reason, count] : events.judged.refused) {
        raise(judged_name, judged_help, count, "verdict", reason);
    }
    raise(
        "footfall_events_duplicate_total",
        "Events that were there already, and were not taken again.",
        events.judged.duplicates
    );
    raise(
        "footfall_events_expired_total",
        "Events that went because they were kept long enough.",
        parts_->dropped()
    );
    lanes(events.lanes);
    if (const auto projected = parts_->projected()) {
        raise(
            "footfall_events_projected_total",
            "Judged events that were read from the log and counted.",
            *projected
        );
    }
    if (const auto ingress = parts_->ingress()) {
        raise(ingress_name, ingress_help, ingress->accepted, "outcome", "accepted");
        raise(ingress_name, ingress_help, ingress->rejected, "outcome", "rejected");
    }
    if (const auto published = parts_->published()) {
        raise(
            "footfall_events_published_total",
            "Judged events that were written to the topic judged.json.",
            *published
        );
    }
    read_again_.set(static_cast<double>(events.read_again));
    unstored_.set(static_cast<double>(events.unstored));
    for (const guard::Rule& rule : parts_->intake().bench().rules->rules()) {
        if (const auto* const condition = std::get_if<guard::ConditionRule>(&rule.kind)) {
            raise(failures_name, failures_help, condition->when.failures(), "rule", rule.name);
        }
    }
    update_shared_rates();
    const views::Views::Figures views = parts_->views().figures();
    raise("footfall_view_rows_written_total", "Rows of views written.", views.rows_written);
    raise("footfall_view_rows_read_total", "Rows of views read into memory.", views.rows_read);
    raise(
        "footfall_view_evictions_total",
        "Objects whose counts left memory to make room.",
        views.evicted
    );
    objects_.set(static_cast<double>(views.objects));
    waiting_.set(static_cast<double>(views.waiting));
    bytes_.set(static_cast<double>(views.bytes));
    unsaved_.set(static_cast<double>(views.unsaved));
}

void EventFigures::update_shared_rates() {
    if (parts_->shared_rates() == nullptr) {
        return;
    }
    const guard_redis::RedisRates::Figures rates = parts_->shared_rates()->figures();
    raise(
        "footfall_shared_rates_asks_total", "Batches that asked what others counted.", rates.asks
    );
    raise("footfall_shared_rates_answers_total", "Of them, were answered by Redis.", rates.answers);
    raise(
        "footfall_shared_rates_failures_total",
        "Times that Redis did not answer, or not in time.",
        rates.failures
    );
    raise("footfall_shared_rates_told_total", "Counts that others can know of.", rates.told);
    raise(
        "footfall_shared_rates_dropped_total",
        "Counts that others will never know of, since Redis was away for too long.",
        rates.dropped
    );
    raise(
        "footfall_shared_rates_away_seconds_total",
        "Time that rules on rates went without Redis.",
        static_cast<std::uint64_t>(std::chrono::floor<std::chrono::seconds>(rates.away).count())
    );
}

}  // namespace footfall::server
