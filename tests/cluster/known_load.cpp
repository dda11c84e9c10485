#include "known_load.h"

#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>

namespace footfall::cluster_test {
namespace {

using Steady = std::chrono::steady_clock;
using http_server::Method;

constexpr std::uint64_t batch_events = 20;
constexpr std::size_t writers = 4;  ///< Of each kind.
constexpr std::size_t readers = 2;
/// Between two requests of one thread: 100 events, 20 tokens and 40 reads a second, for a machine
/// that all of the cluster is on.
constexpr std::chrono::milliseconds event_pause{800};
constexpr std::chrono::milliseconds token_pause{200};
constexpr std::chrono::milliseconds read_pause{50};
/// Longer than the server makes anybody wait.
constexpr std::chrono::seconds client_patience{60};

/// The number behind `name` in JSON; 0 without.
std::uint64_t number_behind(std::string_view name, std::string_view body) {
    const std::size_t at = body.find(name);
    const std::size_t start = at == std::string_view::npos ? body.size() : at + name.size();
    const std::size_t end = std::min(body.find_first_not_of("0123456789", start), body.size());
    return parse_unsigned(body.substr(start, end - start)).value_or(0);
}

void pause_until(Steady::time_point when) {
    std::this_thread::sleep_until(when);  // tidy-allow(sleep): the load is steady
}

}  // namespace

void Acknowledged::add(std::uint64_t first, std::uint64_t count) {
    const std::lock_guard lock{mutex_};
    for (std::uint64_t thing = first; thing < first + count; ++thing) {
        moments_.at(thing % known_objects).push_back(Steady::now());
    }
}

std::uint64_t Acknowledged::of(std::size_t object) const {
    const std::lock_guard lock{mutex_};
    return moments_.at(object).size();
}

std::uint64_t Acknowledged::all() const {
    std::uint64_t sum = 0;
    for (std::size_t object = 0; object < known_objects; ++object) {
        sum += of(object);
    }
    return sum;
}

std::chrono::milliseconds Acknowledged::behind(
    std::size_t object, std::uint64_t shown, Steady::time_point when
) const {
    const std::lock_guard lock{mutex_};
    const auto& moments = moments_.at(object);
    if (moments.size() <= shown || moments[shown] > when) {
        return std::chrono::milliseconds{0};
    }
    return std::chrono::duration_cast<std::chrono::milliseconds>(when - moments[shown]);
}

KnownLoad::KnownLoad(Places places, std::string name, Timeline& timeline)
    : places_{std::move(places)}, name_{std::move(name)}, timeline_{&timeline} {
    for (const Deed deed : {Deed::post_events, Deed::put_token}) {
        for (std::size_t writer = 0; writer < writers; ++writer) {
            threads_.emplace_back([this, deed](const std::stop_token& stop) {
                write_without_end(stop, deed);
            });
        }
    }
    for (std::size_t reader = 0; reader < readers; ++reader) {
        threads_.emplace_back([this, reader](const std::stop_token& stop) {
            read_without_end(stop, reader * known_objects / readers);
        });
    }
}

KnownLoad::~KnownLoad() {
    stop();
}

void KnownLoad::stop() {
    std::ranges::for_each(threads_, &std::jthread::request_stop);
    threads_.clear();
}

std::string KnownLoad::object(std::size_t number) const {
    return fmt::format("{}-{}", name_, number);
}

std::string KnownLoad::batch_from(std::uint64_t first) const {
    std::string lines;
    for (std::uint64_t event = first; event < first + batch_events; ++event) {
        lines += fmt::format(
            R"({{"id":"e{}","action":"view","object":"{}","actor":"{}-a{}"}})"
            "\n",
            event,
            object(event % known_objects),
            name_,
            event
        );
    }
    return lines;
}

Ending KnownLoad::judge(
    const Result<http_server::ClientResponse>& answer, std::string_view good_beginning
) {
    if (!answer) {
        return Ending::unanswered;
    }
    if (answer->status >= 500) {
        return Ending::refused;
    }
    if (answer->status != 200 || !answer->body.starts_with(good_beginning)) {
        const std::lock_guard lock{mutex_};
        wrong_answers_.push_back(fmt::format("{} {}", answer->status, answer->body));
    }
    return Ending::good;
}

void KnownLoad::write_without_end(const std::stop_token& stop, Deed deed) {
    const bool events = deed == Deed::post_events;
    const std::uint64_t count = events ? batch_events : 1;
    const std::string accepted = events ? fmt::format(R"({{"accepted":{},)", count) : "";
    const auto pause = events ? event_pause : token_pause;
    http_server::Client client{places_.write, client_patience};
    auto next = Steady::now();
    while (!stop.stop_requested()) {
        const std::uint64_t first = (events ? next_event_ : next_token_).fetch_add(count);
        const auto send = [&] {
            return events ? client.send(
                                Method::post,
                                "/api/v1/events",
                                batch_from(first),
                                {{"Content-Type", "application/x-ndjson"}}
                            )
                          : client.send(
                                Method::put,
                                "/api/v1/counter/" + object(first % known_objects),
                                fmt::format("t{}", first)
                            );
        };
        for (Ending ending = Ending::unanswered; ending != Ending::good;) {
            const auto began = Steady::now();
            ending = judge(send(), accepted);
            timeline_->add(deed, ending, began);
            if (ending == Ending::good) {
                (events ? events_ : tokens_).add(first, count);
            }
            next = std::max(next + pause, Steady::now());
            pause_until(next);
        }
    }
}

void KnownLoad::read_without_end(const std::stop_token& stop, std::size_t first) {
    http_server::Client client{places_.read, client_patience};
    auto next = Steady::now();
    for (std::size_t turn = 0; !stop.stop_requested(); ++turn) {
        read_object(client, (first + turn / 2) % known_objects, turn % 2 == 0);
        next = std::max(next + read_pause, Steady::now());
        pause_until(next);
    }
}

void KnownLoad::read_object(http_server::Client& client, std::size_t number, bool events) {
    const auto began = Steady::now();
    const auto answer = client.send(
        Method::get,
        (events ? "/api/v1/views/" : "/api/v1/counter/") + object(number),
        {},
        {{"Accept", "application/json"}}
    );
    const Ending ending = judge(answer, R"({"object":)");
    timeline_->add(Deed::read, ending, began);
    if (ending == Ending::good) {
        const std::uint64_t shown =
            number_behind(events ? R"("events":)" : R"("count":)", answer->body);
        timeline_->add_behind((events ? events_ : tokens_).behind(number, shown, began));
    }
}

}  // namespace footfall::cluster_test
