#include "event_stream.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

namespace footfall::cluster_test {
namespace {

constexpr std::uint64_t batch_events = 20;
constexpr std::uint64_t objects = 40;
/// A server that was killed tells nobody when it is back.
constexpr std::chrono::milliseconds retry_pause{20};

std::string object_of(std::uint64_t event) {
    return fmt::format("object-{}", event % objects);
}

std::string batch_from(std::uint64_t first) {
    std::string lines;
    for (std::uint64_t event = first; event < first + batch_events; ++event) {
        lines += fmt::format(
            R"({{"id":"e{}","action":"view","object":"{}","actor":"a{}"}})"
            "\n",
            event,
            object_of(event),
            event
        );
    }
    return lines;
}

/// Whether the server took them all. It may be away, or be starting.
bool send(http_server::Client& client, const std::string& batch) {
    const auto answer = client.send(
        http_server::Method::post,
        "/api/v1/events",
        batch,
        {{"Content-Type", "application/x-ndjson"}}
    );
    return answer && answer->status == 200 &&
           answer->body.starts_with(fmt::format(R"({{"accepted":{},)", batch_events));
}

}  // namespace

EventStream::EventStream(const test_support::FootfallProcess& server)
    : server_{&server}, thread_{[this](const std::stop_token& stop) { run(stop); }} {}

EventStream::~EventStream() {
    stop();
}

void EventStream::stop() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void EventStream::run(const std::stop_token& stop) {
    std::optional<http_server::Client> client{server_->client(std::chrono::seconds{10})};
    while (!stop.stop_requested()) {
        const std::string batch = batch_from(acknowledged_);
        while (!send(*client, batch)) {
            ++failures_;
            std::this_thread::sleep_for(retry_pause);  // tidy-allow(sleep): it may be killed
            client.emplace(server_->client(std::chrono::seconds{10}));
        }
        acknowledged_ += batch_events;
    }
}

std::map<std::string, std::uint64_t> EventStream::of_objects() const {
    std::map<std::string, std::uint64_t> counts;
    for (std::uint64_t event = 0; event < acknowledged_; ++event) {
        ++counts[object_of(event)];
    }
    return counts;
}

}  // namespace footfall::cluster_test
