#include "intake/ingress.h"

#include "events/event_json.h"
#include "events/read_by.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace footfall::intake {
namespace {

/// How long a turn waits for records.
constexpr std::chrono::milliseconds ingress_patience{100};
/// What waits longer for its log is tried again: other processes should not wait for this one.
constexpr std::chrono::seconds append_patience{35};
/// What is larger cannot be kept in events.dlq, where the reasons need some room, too.
constexpr std::size_t record_bytes_max = journal::MessageWriter::message_bytes_max - (64 << 10);

std::unexpected<Rejection> invalid(std::string detail, std::string field = {}) {
    return std::unexpected(Rejection{
        .type = "/problems/invalid-input", .detail = std::move(detail), .field = std::move(field)
    });
}

bool is_too_large(const journal::SharedRecord& record) {
    return record.key.size() + record.value.size() > record_bytes_max;
}

std::string place_id(const journal::SharedRecord& record, journal::LogId log) {
    const std::int64_t time = record.time ? record.time->time_since_epoch().count() : 0;
    return fmt::format("ingress-{:016x}-{}-{}-{}", log, record.lane, record.offset, time);
}

}  // namespace

std::expected<events::Event, Rejection> read_foreign(
    const journal::SharedRecord& record, journal::LogId log, Instant arrival, ForeignReads reads
) {
    if (is_too_large(record)) {
        return std::unexpected(Rejection{
            .type = "/problems/body-too-large",
            .detail = fmt::format(
                "the record is too large: key and value have {} bytes, more than the {} allowed",
                record.key.size() + record.value.size(),
                record_bytes_max
            ),
            .field = {},
            .left_out = "it is too large"
        });
    }
    if (record.is_binary_cloudevent) {
        return invalid(
            "CloudEvents are read in structured mode, with content-type "
            "application/cloudevents+json, not in binary mode"
        );
    }
    const std::size_t begin = record.value.find_first_not_of(" \t\r\n");
    if (begin == std::string::npos || record.value[begin] != '{') {
        return invalid("a record is one event: a JSON object");
    }
    const bool is_envelope = record.content_type.starts_with("application/cloudevents+json");
    auto reader = events::EventReader::open(
        record.value,
        is_envelope ? events::EventForm::cloudevent : events::EventForm::json,
        record.time.value_or(arrival)
    );
    if (!reader) {
        return invalid(reader.error().message);
    }
    events::ReadEvents read = reader->next(1);
    if (read.good.empty()) {
        return read.rejected.empty()
                   ? invalid("a record is one event: a JSON object")
                   : invalid(read.rejected.front().detail, read.rejected.front().field);
    }
    events::Event event = std::move(read.good.front());
    if (reads == ForeignReads::refused && event.action == events::read_action &&
        !event.actor.empty()) {
        return std::unexpected(Rejection{
            .type = "/problems/invalid-input",
            .detail =
                "a read that names its actor would lie in clear in this topic: send it to POST "
                "/api/v1/events, or let whoever runs this set reading_ingress",
            .field = "action",
            .left_out = "it says who read what",
            .says_who_read = true
        });
    }
    if (event.id.empty()) {
        event.id = place_id(record, log);
    }
    return event;
}

Ingress::Ingress(Topics topics, LogCollector& collector, const Clock& clock, ForeignReads reads)
    : topics_{std::move(topics)},
      collector_{&collector},
      clock_{&clock},
      reads_{reads},
      turns_{"ingress", runtime::Urgency::work, [this] { return turn(); }} {}

Ingress::~Ingress() {
    stop();
}

void Ingress::stop() {
    turns_.stop();
    topics_.events->leave();
}

Result<void> Ingress::turn() {
    TRY(const auto records, topics_.events->poll(ingress_patience));
    if (records.empty()) {
        return {};
    }
    Arrived arrived{.events = {}, .arrival = clock_->now()};
    arrived.events.reserve(records.size());
    std::vector<std::pair<const journal::SharedRecord*, Rejection>> rejected;
    for (const journal::SharedRecord& record : records) {
        auto event = read_foreign(record, topics_.events->id(), arrived.arrival, reads_);
        if (event) {
            arrived.events.push_back(*std::move(event));
        } else {
            rejected.emplace_back(&record, std::move(event).error());
        }
    }
    const std::uint64_t accepted = arrived.events.size();
    if (accepted > 0) {
        TRY(const storage::CommitPosition position, collector_->append(std::move(arrived)));
        TRY_VOID(journal::wait_durable(collector_->writer(), position, append_patience));
    }
    // Last, for each try keeps them once more.
    storage::CommitPosition last = 0;
    for (const auto& [record, why] : rejected) {
        TRY(last, reject(*record, why));
    }
    if (last > 0) {
        TRY_VOID(journal::wait_durable(*topics_.rejected, last, append_patience));
    }
    topics_.events->done();
    accepted_ += accepted;
    const auto reads = static_cast<std::uint64_t>(
        std::ranges::count_if(rejected, [](const auto& each) { return each.second.says_who_read; })
    );
    rejected_ += rejected.size() - reads;
    refused_reads_ += reads;
    return {};
}

Result<storage::CommitPosition> Ingress::reject(
    const journal::SharedRecord& record, const Rejection& why
) {
    const bool whole = why.left_out.empty();
    const std::string value = whole ? "whole" : "left out, " + why.left_out;
    const std::string lane = fmt::format("{}", record.lane);
    const std::string offset = fmt::format("{}", record.offset);
    const std::array<journal::Header, 7> headers{{
        {"footfall-problem", why.type},
        {"footfall-detail", why.detail},
        {"footfall-field", why.field},
        {"footfall-topic", topics_.events->name()},
        {"footfall-partition", lane},
        {"footfall-offset", offset},
        {"footfall-value", value},
    }};
    return topics_.rejected->write(
        record.lane % topics_.rejected->lanes(),
        {.value = whole ? std::string_view{record.value} : std::string_view{},
         .key = whole ? std::string_view{record.key} : std::string_view{},
         .headers = headers}
    );
}

}  // namespace footfall::intake
