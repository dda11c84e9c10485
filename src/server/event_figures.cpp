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
    "Records read of the topic ingress: accepted as events, or rejected into events.dlq; "
    "read_refused: those rejected because they said who read what (reading_ingress).";
constexpr const char* failures_name = "footfall_rule_condition_failures_total";
constexpr const char* failures_help =
    "How often a rule's own condition failed, rather than hold or not.";

}  // namespace

EventFigures::EventFigures(deployment::EventParts& parts, metrics::Metrics& metrics)
    : parts_{&parts}, figures_{metrics} {
    update();
}

/// On a cluster, where lanes come and go.
void EventFigures::update_cluster(
    std::size_t judged_lanes, const deployment::ClusterFigures& cluster
) {
    constexpr const char* name = "footfall_lanes";
    constexpr const char* help = "Lanes that this process has, by what it does with them.";
    figures_.set(name, help, judged_lanes, "role", "guard");
    figures_.set(name, help, cluster.followed_lanes, "role", "project");
    figures_.raise(
        "footfall_events_projected_total",
        "Judged events that were read from the log and counted.",
        cluster.projected
    );
    if (const auto& ingress = cluster.ingress) {
        figures_.raise(ingress_name, ingress_help, ingress->accepted, "outcome", "accepted");
        figures_.raise(ingress_name, ingress_help, ingress->rejected, "outcome", "rejected");
        figures_.raise(
            ingress_name, ingress_help, ingress->refused_reads, "outcome", "read_refused"
        );
    }
    if (cluster.published) {
        figures_.raise(
            "footfall_events_published_total",
            "Judged events that were written to the topic judged.json.",
            *cluster.published
        );
    }
}

void EventFigures::update() {
    const intake::Intake::Figures events = parts_->intake().figures();
    figures_.raise(judged_name, judged_help, events.judged.counted, "verdict", "counted");
    for (const auto& [reason, count] : events.judged.refused) {
        figures_.raise(judged_name, judged_help, count, "verdict", reason);
    }
    figures_.raise(
        "footfall_events_duplicate_total",
        "Events that were there already, and were not taken again.",
        events.judged.duplicates
    );
    figures_.raise(
        "footfall_events_expired_total",
        "Events that went because they were kept long enough.",
        parts_->dropped()
    );
    figures_.raise(
        "footfall_events_expired_ahead_total",
        "Of the events that went, those that say they came later than they did: a clock was ahead.",
        parts_->dropped_ahead()
    );
    figures_.set(
        "footfall_events_overdue_seconds",
        "How long the event had been due that waited longest, of those that went in the last "
        "sweep.",
        static_cast<std::size_t>(parts_->overdue().count())
    );
    if (const auto cluster = parts_->cluster_figures()) {
        update_cluster(events.lanes, *cluster);
    }
    figures_.set(
        "footfall_events_read_again",
        "Events of the log that the last start, or recovery from lost writes, counted again.",
        events.read_again
    );
    figures_.set(
        "footfall_events_start_records_read",
        "Records of the log that the last start, or recovery from lost writes, read, those for "
        "the memory of rules included; none after a clean stop.",
        events.read
    );
    figures_.set(
        "footfall_events_unstored",
        "Events whose rows are on their way to the store.",
        events.unstored
    );
    figures_.raise(
        "footfall_events_ids_looked_up_total",
        "Ids of events that were looked for in the store; the filter of known ids spares the "
        "others.",
        events.ids_looked_up
    );
    for (const guard::Rule& rule : parts_->intake().context().rules->rules()) {
        if (const auto* const condition = std::get_if<guard::ConditionRule>(&rule.kind)) {
            figures_.raise(
                failures_name, failures_help, condition->when.failures(), "rule", rule.name
            );
        }
    }
    update_shared_rates();
}

void EventFigures::update_shared_rates() {
    if (parts_->shared_rates() == nullptr) {
        return;
    }
    const guard_redis::RedisRates::Figures rates = parts_->shared_rates()->figures();
    figures_.raise(
        "footfall_shared_rates_asks_total", "Batches that asked what others counted.", rates.asks
    );
    figures_.raise(
        "footfall_shared_rates_answers_total", "Of them, were answered by Redis.", rates.answers
    );
    figures_.raise(
        "footfall_shared_rates_failures_total",
        "Times that Redis did not answer, or not in time.",
        rates.failures
    );
    figures_.raise(
        "footfall_shared_rates_told_total", "Counts that others can know of.", rates.told
    );
    figures_.raise(
        "footfall_shared_rates_dropped_total",
        "Counts that others will never know of, since Redis was away for too long.",
        rates.dropped
    );
    figures_.raise(
        "footfall_shared_rates_away_seconds_total",
        "Time that rules on rates went without Redis.",
        static_cast<std::uint64_t>(std::chrono::floor<std::chrono::seconds>(rates.away).count())
    );
}

}  // namespace footfall::server
