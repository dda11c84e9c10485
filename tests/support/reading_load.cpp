#include "test_support/reading_load.h"

#include "foundation/check.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

namespace footfall::test_support {
namespace {

using http_server::Method;
using Steady = std::chrono::steady_clock;

constexpr std::size_t urls = 2'000;
constexpr std::size_t urls_a_question = 100;
constexpr std::array<std::string_view, 3> reading_names{"off", "shared", "private"};

std::string url_of(std::size_t url) {
    return fmt::format("https://r.example/{}", url);
}

}  // namespace

std::string ReadingLoad::name(std::size_t actor) const {
    return fmt::format("c{}-p{}", number_, actor);
}

bool ReadingLoad::step(const Clients& clients) {
    if (!pending_) {
        pending_ = draw();
    }
    return settle(clients);
}

/// Absent: somebody would read, and waits.
std::optional<ReadingLoad::Op> ReadingLoad::draw() {
    // Whoever waits after each thing said would never read, if things were said often.
    constexpr std::uint64_t seldom = 60;
    constexpr std::uint64_t reads = 9;
    const std::size_t actor = random_.below(actors);
    const bool may_say = known_after_.count() == 0 || random_.below(seldom) == 0;
    const std::uint64_t kind = may_say ? random_.below(10) : reads;
    const bool is_new = people_[actor].said == Steady::time_point{};
    if (kind < 2 || is_new) {
        const auto reading = is_new ? Reading::shared : static_cast<Reading>(random_.below(3));
        return Op{
            .target = "/api/v1/people/" + name(actor),
            .body = fmt::format(
                R"({{"reading":"{}"}})", reading_names[static_cast<std::size_t>(reading)]
            ),
            .actor = actor,
            .reading = reading
        };
    }
    if (kind < 4) {
        return list_friends();
    }
    if (kind < 5) {
        return take_something_back(actor);
    }
    return Steady::now() < people_[actor].said + known_after_ ? std::nullopt
                                                              : std::optional{read_some(actor)};
}

/// Of the first of them.
ReadingLoad::Op ReadingLoad::list_friends() {
    Op op{.target = "/api/v1/people/" + name(0) + "/friends", .body = {}, .friends = {{}}};
    boost::json::array list;
    for (std::size_t each = 0; each < actors; ++each) {
        if (random_.below(2) == 0) {
            op.friends->push_back(name(each));
            list.emplace_back(name(each));
        }
    }
    op.body = boost::json::serialize(boost::json::object{{"friends", list}});
    return op;
}

ReadingLoad::Op ReadingLoad::read_some(std::size_t actor) {
    Op op{.method = Method::post, .target = "/api/v1/events", .body = {}, .actor = actor};
    // Beside others it goes on for minutes: the rule on rates lets 120 reads a minute count.
    const std::uint64_t at_once = known_after_.count() == 0 ? 20 : 5;
    op.reads = std::min(urls - people_[actor].next, 1 + random_.below(at_once));
    boost::json::array events;
    for (std::size_t at = 0; at < op.reads; ++at) {
        const std::size_t url = people_[actor].next + at;
        events.push_back(boost::json::object{
            {"id", fmt::format("{}-{}", name(actor), url)},
            {"action", "read"},
            {"object", url_of(url)},
            {"actor", name(actor)}
        });
    }
    op.body = boost::json::serialize(events);
    return op;
}

/// One article as a rule; or all, in one of the ways to say so.
ReadingLoad::Op ReadingLoad::take_something_back(std::size_t actor) {
    constexpr std::size_t parts_max = 50;
    Op op{
        .method = Method::del,
        .target = "/api/v1/people/" + name(actor) + "/reads",
        .body = {},
        .actor = actor,
        .takes_back = true
    };
    if (people_[actor].parts >= parts_max || random_.below(8) == 0) {
        op.target += "?all=true";
    } else if (random_.below(8) == 0) {
        op.target += random_.below(2) == 0 ? "?site=r.example" : "?from=2026-01-01T00:00:00Z";
    } else {
        op.url = random_.below(people_[actor].next + 1);
        op.target += "?url=" + http_server::percent_encode(url_of(*op.url));
    }
    return op;
}

bool ReadingLoad::send(const Clients& clients) {
    CHECK(pending_, "there is something to send");
    const Op op = *pending_;
    http_server::Client& client = op.method == Method::post ? *clients.events : *clients.people;
    const auto answer =
        client.send(op.method, op.target, op.body, {{"Content-Type", "application/json"}});
    if (!answer || answer->status >= 500) {
        return false;
    }
    if (answer->status != 200) {
        complaints_.push_back(fmt::format("{}: {} {}", op.target, answer->status, answer->body));
    }
    pending_.reset();
    take(op);
    return true;
}

void ReadingLoad::take(const Op& op) {
    Actor& actor = people_[op.actor];
    if (op.reading) {
        actor.reading = *op.reading;
        if (actor.reading == Reading::off) {
            actor.urls.clear();
        }
    } else if (op.friends) {
        friends_ = *op.friends;
    } else if (op.takes_back) {
        actor.parts = op.target.ends_with("all=true") ? 0 : actor.parts + 1;
        if (op.url) {
            actor.urls.erase(*op.url);
        } else {
            actor.urls.clear();
        }
    }
    if (op.reads == 0) {
        ++said_;
        history_.push_back(fmt::format(
            "{:%T} {} {} behind {} reads",
            std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()),
            op.target,
            op.body,
            actor.next
        ));
    }
    if (op.reads == 0 && !op.friends) {
        actor.said = Steady::now();
    }
    for (std::size_t at = 0; at < op.reads; ++at) {
        if (actor.reading == Reading::shared) {
            actor.urls.insert(actor.next);
        }
        ++actor.next;
        ++reads_;
    }
}

std::size_t ReadingLoad::facts() const {
    std::size_t sum = 0;
    for (const Actor& each : people_) {
        sum += each.urls.size();
    }
    return sum;
}

/// Asked for each of them, and by the first for their friends.
std::string ReadingLoad::difference(Api& api) const {
    boost::json::array everybody;
    for (std::size_t actor = 0; actor < actors; ++actor) {
        everybody.emplace_back(name(actor));
    }
    std::string found = difference(api, {{"friends", everybody}}, {true, {}});
    if (found.empty()) {
        const std::set<std::string> listed{friends_.begin(), friends_.end()};
        found = difference(api, {{"actor", name(0)}}, {false, listed});
    }
    return found;
}

std::string ReadingLoad::difference(Api& api, boost::json::object question, const Asked& asked)
    const {
    for (std::size_t first = 0; first < urls; first += urls_a_question) {
        boost::json::array list;
        for (std::size_t url = first; url < first + urls_a_question; ++url) {
            list.emplace_back(url_of(url));
        }
        question["urls"] = list;
        const auto answer =
            api.send(Method::post, "/api/v1/reading/who", boost::json::serialize(question));
        if (answer.status != 200) {
            return fmt::format("{} {}", answer.status, answer.body);
        }
        const auto told = parse_object(answer.body).at("urls").as_array();
        for (std::size_t at = 0; at < told.size(); ++at) {
            boost::json::array expected;
            for (std::size_t actor = 0; actor < actors; ++actor) {
                const bool may = asked.everybody || asked.names.contains(name(actor));
                if (may && people_[actor].urls.contains(first + at)) {
                    expected.emplace_back(name(actor));
                }
            }
            if (told[at].at("readers").as_array() != expected) {
                return fmt::format(
                    "{}: {} in place of {}",
                    url_of(first + at),
                    boost::json::serialize(told[at].at("readers")),
                    boost::json::serialize(expected)
                );
            }
        }
    }
    return {};
}

}  // namespace footfall::test_support
