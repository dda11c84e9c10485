#include "intake/publisher.h"

#include "events/verdict.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <utility>
#include <variant>

namespace footfall::intake {
namespace {

/// How long a turn waits for records.
constexpr std::chrono::milliseconds publish_patience{100};
/// What waits longer for its topic is tried again.
constexpr std::chrono::seconds published_patience{35};

}  // namespace

Publisher::Publisher(Topics topics, journal::LogId log, Render render)
    : topics_{std::move(topics)},
      log_{log},
      render_{std::move(render)},
      turns_{"publisher", runtime::Urgency::work, [this] { return turn(); }} {}

Publisher::~Publisher() {
    stop();
}

void Publisher::stop() {
    turns_.stop();
    topics_.judged->leave();
}

Result<void> Publisher::turn() {
    TRY(const auto records, topics_.judged->poll(publish_patience));
    auto sources = sources_;
    storage::CommitPosition last = 0;
    std::uint64_t published = 0;
    for (const journal::SharedRecord& each : records) {
        TRY(events::LogRecord record, events::read_record(each.value));
        auto* const judged = std::get_if<events::JudgedEvent>(&record);
        if (judged == nullptr || sources[each.lane].repeats(*judged)) {
            continue;
        }
        const FoundEvent event{
            .log = log_, .lane = each.lane, .offset = each.offset, .judged = std::move(*judged)
        };
        TRY(last, publish(event));
        ++published;
    }
    if (last > 0) {
        TRY_VOID(journal::wait_durable(*topics_.json, last, published_patience));
    }
    if (!records.empty()) {
        topics_.judged->done();
    }
    sources_ = std::move(sources);
    published_ += published;
    return {};
}

Result<storage::CommitPosition> Publisher::publish(const FoundEvent& event) {
    std::string json;
    render_(event, json);
    // Who judged without a log of events before it has no other place.
    const std::string source = fmt::format("{}", event.judged.source.value_or(event.offset));
    const std::string offset = fmt::format("{}", event.offset);
    const std::array<journal::Header, 3> headers{{
        {"content-type", "application/json"},
        {"footfall-source", source},
        {"footfall-offset", offset},
    }};
    return topics_.json->write(
        event.lane, {.value = json, .key = event.judged.event.object, .headers = headers}
    );
}

}  // namespace footfall::intake
