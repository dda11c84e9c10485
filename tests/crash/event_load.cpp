#include "event_load.h"

#include "test_support/eventually.h"

#include <boost/json/serialize.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

namespace footfall::crash {
namespace {

using http_server::Method;

constexpr std::size_t busy_objects = 40;
constexpr std::size_t all_objects = 30'000;
constexpr std::size_t actor_count = 60;
constexpr std::size_t batch_events_max = 400;
constexpr std::size_t flood_events_max = 4000;
/// So many seconds of one day, out of order: many events are repeats, many come late.
constexpr std::uint64_t seconds_of_events = 6 * 3600;
constexpr std::int64_t fast = 30;
constexpr std::int64_t slow = 3600;

}  // namespace

void EventLoad::run(const test_support::FootfallProcess& server, bool many) {
    http_server::Client client = server.client(std::chrono::seconds{20});
    do {
        if (batch_.empty()) {
            make_batch(many);
        }
    } while (send_batch(client));
}

void EventLoad::make_batch(bool many) {
    const std::uint64_t events = 1 + random_.below(many ? flood_events_max : batch_events_max);
    for (std::uint64_t each = 0; each < events; ++each) {
        const std::size_t among = many || random_.below(10) == 0 ? all_objects : busy_objects;
        const std::size_t object = random_.below(among);
        const std::size_t actor = random_.below(actor_count);
        const auto second = static_cast<std::int64_t>(random_.below(seconds_of_events));
        judge(object, actor, second);
        fmt::format_to(
            std::back_inserter(batch_),
            R"({{"id":"{}-{}","time":"2026-11-20T{:02}:{:02}:{:02}Z","action":"view","object":"{}","actor":"{}"}})"
            "\n",
            number_,
            sent_++,
            second / 3600,
            second / 60 % 60,
            second % 60,
            name_of(object),
            actor
        );
    }
    tried_ = false;
}

/// False: the server is gone.
bool EventLoad::send_batch(http_server::Client& client) {
    const bool again = std::exchange(tried_, true);
    const auto answer = client.send(
        Method::post, "/api/v1/events", batch_, {{"Content-Type", "application/x-ndjson"}}
    );
    if (!answer) {
        return false;
    }
    if (answer->status == 200 && answer->body.ends_with("\"rejected\":[]}\n")) {
        const auto events = static_cast<std::uint64_t>(std::ranges::count(batch_, '\n'));
        const boost::json::object said = test_support::parse_object(answer->body);
        const auto duplicates = said.at("duplicates").to_number<std::uint64_t>();
        if (again) {
            ++(duplicates == 0        ? sent_again_.nothing
               : duplicates == events ? sent_again_.all
                                      : sent_again_.part);
        } else if (duplicates > 0) {
            complaints_.push_back(fmt::format("of {} new events {} were there", events, duplicates)
            );
        }
        batch_.clear();
    } else if (answer->status != 503) {
        complaints_.push_back(
            fmt::format("a batch of events was answered {} {}", answer->status, answer->body)
        );
    }
    return true;
}

/// As design section 4 defines a repeat.
void EventLoad::judge(std::size_t object, std::size_t actor, std::int64_t second) {
    Object& told = objects_[object];
    std::vector<std::int64_t>& counted = told.counted_of[actor];
    std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t each : counted) {
        nearest = std::min(nearest, std::abs(each - second));
    }
    if (nearest < fast) {
        ++told.repeat_fast;
    } else if (nearest < slow) {
        ++told.repeat;
    } else {
        ++told.counted;
        ++counted_;
        counted.push_back(second);
    }
}

void EventLoad::check(const test_support::FootfallProcess& server, std::size_t objects) {
    http_server::Client client = server.client();
    const bool taken = test_support::eventually(
        [&] { return batch_.empty() || (send_batch(client) && batch_.empty()); },
        std::chrono::seconds{60}
    );
    ASSERT_TRUE(taken) << "the server took no events for a minute";
    test_support::Api api{server};
    for (std::size_t sample = 0; sample < std::min(objects, busy_objects); ++sample) {
        check_object(api, objects < busy_objects ? random_.below(busy_objects) : sample);
    }
    for (std::size_t sample = 0; sample < objects && !objects_.empty(); ++sample) {
        const auto any = objects_.lower_bound(random_.below(objects_.rbegin()->first + 1));
        check_object(api, any->first);
    }
}

void EventLoad::check_object(test_support::Api& api, std::size_t object) const {
    const auto found = objects_.find(object);
    if (found == objects_.end()) {
        return;
    }
    const Object& expected = found->second;
    const boost::json::object views = api.views(name_of(object));
    const auto number = [](const boost::json::object& in, const char* name) {
        const boost::json::value* value = in.if_contains(name);
        return value != nullptr ? value->to_number<std::uint64_t>() : 0;
    };
    SCOPED_TRACE(name_of(object) + ": " + boost::json::serialize(views));
    const boost::json::object& refused = views.at("refused").as_object();
    EXPECT_EQ(number(views, "counted"), expected.counted);
    EXPECT_EQ(number(refused, "repeat_fast"), expected.repeat_fast);
    EXPECT_EQ(number(refused, "repeat"), expected.repeat);
    EXPECT_EQ(number(views, "events"), expected.counted + expected.repeat + expected.repeat_fast);
    EXPECT_EQ(number(views, "people"), expected.counted_of.size());
    EXPECT_EQ(number(views.at("days").as_array().at(0).as_object(), "counted"), expected.counted);
}

std::string EventLoad::name_of(std::size_t object) const {
    return fmt::format("page-{}-{}", number_, object);
}

}  // namespace footfall::crash
