#include "judged_log.h"

#include "foundation/calendar_day.h"
#include "test_support/must.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <tuple>
#include <vector>

namespace footfall::power {
namespace {

using std::chrono::microseconds;
using test_support::must;

/// So many people are kept one by one.
constexpr std::size_t exact_people = 128;
/// Of the relative standard error.
constexpr double errors_most = 5;

/// Of each actor, what was counted.
using Counted = std::map<std::tuple<std::string, std::string, std::string>, std::vector<Instant>>;

/// A counted event of the same action, object and actor less than the window away, on either side,
/// stands in the lane already.
std::string reason_by_definition(const events::Event& event, Counted& counted) {
    std::vector<Instant>& times = counted[{event.action, event.object, event.actor}];
    auto nearest = microseconds::max();
    for (const Instant time : times) {
        nearest = std::min(nearest, time < event.time ? event.time - time : time - event.time);
    }
    if (nearest < std::chrono::seconds{30}) {
        return "repeat_fast";
    }
    if (nearest < std::chrono::hours{1}) {
        return "repeat";
    }
    times.push_back(event.time);
    return "";
}

std::string reason_of(const events::JudgedEvent& judged) {
    return judged.verdict.refusal ? judged.verdict.refusal->reason : "";
}

std::uint64_t number(const boost::json::object& in, const char* name) {
    return in.at(name).to_number<std::uint64_t>();
}

/// Events, counted and refused of an answer, or of one of its days.
void check_counts(
    const boost::json::object& said, const std::map<std::string, std::uint64_t>& expected
) {
    std::map<std::string, std::uint64_t> found{{"", number(said, "counted")}};
    std::uint64_t events = found[""];
    for (const auto& [reason, count] : said.at("refused").as_object()) {
        found[std::string{reason}] = count.to_number<std::uint64_t>();
        events += found[std::string{reason}];
    }
    std::erase_if(found, [](const auto& each) { return each.second == 0; });
    EXPECT_EQ(found, expected);
    EXPECT_EQ(number(said, "events"), events);
}

}  // namespace

JudgedLog::JudgedLog(intake::Intake& intake) {
    for (std::uint32_t lane = 0; lane < intake.context().log->lanes(); ++lane) {
        read_lane(intake, lane);
    }
}

void JudgedLog::read_lane(intake::Intake& intake, std::uint32_t lane) {
    Counted counted;
    for (std::uint64_t next = 0;;) {
        const journal::Records records = must(intake.context().log->read(lane, next, {}));
        if (records.empty()) {
            return;
        }
        for (std::size_t at = 0; at < records.size(); ++at) {
            events::LogRecord record = must(events::read_record(records[at]));
            if (!std::holds_alternative<events::JudgedEvent>(record)) {
                continue;
            }
            auto& judged = std::get<events::JudgedEvent>(record);
            const events::Event& event = judged.event;
            const std::string reason = reason_of(judged);
            EXPECT_EQ(reason, reason_by_definition(event, counted)) << event.id;
            OfObject& object = objects_[{event.action, event.object}];
            ++object.days[views::day_of(event.time)][reason];
            if (reason.empty()) {
                object.people.insert(event.actor);
            }
            const std::string id = event.id;
            EXPECT_TRUE(by_id_.emplace(id, std::move(judged)).second) << id << " is there twice";
        }
        next = records.next();
    }
}

const events::JudgedEvent* JudgedLog::find(const std::string& id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second;
}

void JudgedLog::check_event(test_support::Api& api, const std::string& id) const {
    const events::JudgedEvent* const expected = find(id);
    ASSERT_TRUE(expected != nullptr) << id << " is lost";
    const boost::json::object said = api.get_json("/api/v1/events/" + id);
    SCOPED_TRACE(boost::json::serialize(said));
    EXPECT_EQ(said.at("object").as_string(), expected->event.object);
    EXPECT_EQ(said.at("actor").as_string(), expected->event.actor);
    const boost::json::object& verdict = said.at("verdict").as_object();
    EXPECT_EQ(verdict.at("counted").as_bool(), expected->verdict.counted());
    const boost::json::value& reason = verdict.at("reason");
    EXPECT_EQ(reason.is_null() ? "" : std::string{reason.as_string()}, reason_of(*expected));
}

void JudgedLog::check_views(
    test_support::Api& api, const std::string& object, const std::string& days
) const {
    for (const char* const action : {"view", "click"}) {
        const auto known = objects_.find({action, object});
        const OfObject nothing;
        const OfObject& expected = known == objects_.end() ? nothing : known->second;
        const boost::json::object said =
            api.views(object, fmt::format("?action={}&{}", action, days));
        SCOPED_TRACE(boost::json::serialize(said));
        ByReason all;
        for (const auto& [day, counts] : expected.days) {
            for (const auto& [reason, count] : counts) {
                all[reason] += count;
            }
        }
        check_counts(said, all);
        ASSERT_EQ(said.at("days").as_array().size(), expected.days.size());
        for (std::size_t at = 0; const auto& [day, counts] : expected.days) {
            const boost::json::object& of_day = said.at("days").at(at++).as_object();
            EXPECT_EQ(of_day.at("day").as_string(), format_day(day));
            check_counts(of_day, counts);
        }
        const auto people = static_cast<double>(expected.people.size());
        const double bound = expected.people.size() <= exact_people
                                 ? 0
                                 : errors_most * said.at("error").to_number<double>() * people;
        EXPECT_NEAR(static_cast<double>(number(said, "people")), people, bound);
    }
}

}  // namespace footfall::power
