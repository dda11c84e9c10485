#include "event_sender.h"

#include "events/event_json_write.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

namespace footfall::power {
namespace {

constexpr std::uint64_t objects = 20;
constexpr std::uint64_t batch_events_max = 20;
/// Of so many answers one is lost on its way.
constexpr std::uint64_t answers_a_loss = 100;
constexpr Instant first_moment = std::chrono::sys_days{std::chrono::year{2026} / 11 / 18};
constexpr std::uint64_t seconds_of_events = 3 * 86'400;
/// Of an answer, beside what is counted in it.
constexpr std::string_view duplicates_field = "\"duplicates\":";

std::string object_name(std::uint64_t object) {
    return object == 0 ? "crowd" : fmt::format("page-{}", object);
}

}  // namespace

events::Event event_of(std::uint64_t stream, std::uint64_t number) {
    Random random{stream << 40 | number};
    const bool crowd = random.below(4) == 0;
    const std::uint64_t object = crowd ? 0 : 1 + random.below(objects - 1);
    return {
        .id = fmt::format("s{}-{}", stream, number),
        .time = first_moment + std::chrono::seconds{random.below(seconds_of_events)},
        .action = random.below(6) == 0 ? "click" : "view",
        .object = object_name(object),
        .actor = fmt::format("u{}", random.below(crowd ? 5000 : 3))
    };
}

std::vector<std::string> object_names() {
    std::vector<std::string> names;
    names.reserve(objects);
    for (std::uint64_t object = 0; object < objects; ++object) {
        names.push_back(object_name(object));
    }
    return names;
}

void EventSender::run(http_server::Client client) {
    while (send(client)) {
    }
}

bool EventSender::send(http_server::Client& client) {
    std::uint64_t duplicates = 0;
    if (next_ == end_ && next_ > 0 && random_.below(8) == 0) {
        const std::uint64_t from = random_.below(next_);
        const std::uint64_t before = std::min(next_, from + batch_events_max);
        if (!post(client, from, before, duplicates)) {
            return false;
        }
        if (duplicates != before - from) {
            complaints_.push_back(fmt::format(
                "of {} events of stream {} from {} on, all acknowledged, {} were there",
                before - from,
                stream_,
                from,
                duplicates
            ));
        }
        return true;
    }
    const bool again = next_ < end_;
    end_ = again ? end_ : next_ + 1 + random_.below(batch_events_max);
    if (!post(client, next_, end_, duplicates)) {
        return false;
    }
    if (random_.below(answers_a_loss) == 0) {
        return true;
    }
    if (again) {
        ++(duplicates == 0              ? sent_again_.nothing
           : duplicates == end_ - next_ ? sent_again_.all
                                        : sent_again_.part);
    }
    next_ = end_;
    ++batches_;
    return true;
}

bool EventSender::post(
    http_server::Client& client, std::uint64_t from, std::uint64_t before, std::uint64_t& duplicates
) {
    std::string lines;
    for (std::uint64_t number = from; number < before; ++number) {
        events::append_event_json(event_of(stream_, number), lines);
        lines += '\n';
    }
    const auto answer = client.send(
        http_server::Method::post,
        "/api/v1/events",
        lines,
        {{"Content-Type", "application/x-ndjson"}}
    );
    if (!answer) {
        return false;
    }
    const std::string_view body = answer->body;
    if (answer->status == 503) {
        unknown_ += body.find("/problems/outcome-unknown") != std::string_view::npos ? 1 : 0;
        return false;
    }
    const std::string accepted = fmt::format("{{\"accepted\":{},", before - from);
    const std::size_t at = body.find(duplicates_field);
    if (answer->status != 200 || !body.starts_with(accepted) || at == std::string_view::npos ||
        !body.ends_with("\"rejected\":[]}\n")) {
        complaints_.push_back(
            fmt::format("a batch was answered {} {}", answer->status, answer->body)
        );
        return false;
    }
    const std::string_view number = body.substr(at + duplicates_field.size());
    duplicates = parse_unsigned(number.substr(0, number.find(','))).value_or(before);
    return true;
}

}  // namespace footfall::power
