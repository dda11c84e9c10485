#include "cli/demo_reading.h"

#include "foundation/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::cli {
namespace {

using http_server::Method;
using http_server::percent_encode;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::chrono::hours past{48};
constexpr std::chrono::seconds between_take_backs{25};
constexpr std::chrono::seconds between_pauses{150};
constexpr std::chrono::minutes pause_lasts{5};
constexpr std::size_t remembered_reads = 40;
constexpr std::string_view ndjson = "application/x-ndjson";

std::string person_path(const DemoPerson& person) {
    return "/api/v1/people/" + percent_encode(person.name);
}

}  // namespace

DemoReading::DemoReading(http_server::ServerUrl server, const Clock& clock, std::uint64_t seed)
    : clock_{&clock},
      client_{std::move(server)},
      reads_{seed},
      random_{seed},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

/// The last person's friends are given after the past was sent, so what has them has all of it.
Result<bool> DemoReading::is_set_up() {
    const std::string path = person_path(demo_people().back());
    TRY(const std::string friends, client_.ask(Method::get, path + "/friends"));
    return !friends.contains(R"("count":0)");
}

Result<void> DemoReading::say(std::span<const DemoPerson> people) {
    std::string lines;
    for (const DemoPerson& each : people) {
        lines += each.line();
    }
    TRY_VOID(client_.ask(Method::post, "/api/v1/people", lines, ndjson));
    return {};
}

/// An event that is there already counts once: who was cut short begins again.
Result<void> DemoReading::send_past(const std::stop_token& stop) {
    const Instant now = clock_->now();
    const auto this_hour = std::chrono::floor<std::chrono::hours>(now).time_since_epoch();
    for (auto hour = this_hour - past; hour <= this_hour && !stop.stop_requested(); hour += 1h) {
        std::string lines;
        for (const DemoRead& each : demo_reads_of(hour.count())) {
            lines += each.time < now ? each.event() : "";
        }
        if (!lines.empty()) {
            TRY_VOID(client_.ask(Method::post, "/api/v1/events", lines, ndjson));
        }
    }
    return {};
}

Result<void> DemoReading::set_up(const std::stop_token& stop) {
    TRY(const bool is_there, is_set_up());
    if (is_there) {
        return {};
    }
    const auto people = demo_people();
    TRY_VOID(say(people.first(people.size() - 1)));
    TRY_VOID(send_past(stop));
    return stop.stop_requested() ? Result<void>{} : say(people.last(1));
}

Result<void> DemoReading::send_read() {
    DemoRead read = reads_.next(clock_->now());
    TRY_VOID(client_.ask(Method::post, "/api/v1/events", read.event(), ndjson));
    if (!read.person->is_shown) {
        lately_.push_back(std::move(read));
    }
    if (lately_.size() > remembered_reads) {
        lately_.pop_front();
    }
    return {};
}

/// Somebody's who changed their mind about an article.
Result<void> DemoReading::take_back() {
    if (lately_.empty()) {
        return {};
    }
    const auto read = lately_.begin() + static_cast<std::ptrdiff_t>(random_.below(lately_.size()));
    const std::string target =
        person_path(*read->person) + "/reads?url=" + percent_encode(read->url);
    lately_.erase(read);
    TRY_VOID(client_.ask(Method::del, target));
    return {};
}

Result<void> DemoReading::pause_somebody() {
    const DemoPerson& person = demo_people()[random_.below(demo_people().size())];
    if (person.is_shown || person.reading != "shared") {
        return {};
    }
    const Instant until = clock_->now() + pause_lasts;
    TRY_VOID(client_.ask(Method::put, person_path(person), person.consent(until)));
    return {};
}

void DemoReading::run(const std::stop_token& stop) {
    for (Result<void> done = set_up(stop); !told_if_not("reading", done, stop);
         done = set_up(stop)) {
        if (stop.stop_requested() || done.error().kind == ErrorKind::invalid_input) {
            return;
        }
    }
    const auto start = steady_clock::now();
    auto due = start;
    auto take_back_due = start + between_take_backs;
    auto pause_due = start + between_pauses;
    while (!stop.stop_requested()) {
        told_if_not("reading", send_read(), stop);
        if (steady_clock::now() >= take_back_due) {
            told_if_not("reading", take_back(), stop);
            take_back_due = steady_clock::now() + between_take_backs;
        }
        if (steady_clock::now() >= pause_due) {
            told_if_not("reading", pause_somebody(), stop);
            pause_due = steady_clock::now() + between_pauses;
        }
        const std::chrono::duration<double> elapsed = due - start;
        due = std::max(
            due + seconds_of(1 / DemoReads::rate_at(elapsed.count())), steady_clock::now() - 1s
        );
        wait_until(stop, due);
    }
}

}  // namespace footfall::cli
