#include "test_support/point_load.h"

#include "test_support/must.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

namespace footfall::test_support {
namespace {

using http_server::Client;
using http_server::Method;

constexpr std::size_t series_count = 20;
constexpr std::size_t points_a_request = 30;

std::int64_t half_an_hour_ago() {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())
                   .time_since_epoch()
                   .count() *
               1000 -
           1'800'000;
}

}  // namespace

PointLoad::PointLoad(std::size_t number, std::uint64_t seed)
    : number_{number}, random_{seed}, start_{half_an_hour_ago()} {}

bool PointLoad::step(Client& client) {
    if (pending_.empty()) {
        make_points();
    }
    std::string body;
    for (const Point& point : pending_) {
        body += fmt::format(
            R"({}{{"name":"{}","tags":{{"client":"{}"}},"datapoints":[[{},{}]]}})",
            body.empty() ? "" : ",",
            name_of(point.series),
            number_,
            point.at,
            point.value
        );
    }
    const auto answer = client.send(Method::post, "/api/v1/datapoints", "[" + body + "]");
    if (!answer || answer->status != 204) {
        return false;
    }
    for (const Point& point : pending_) {
        answered_[{point.series, point.at}] = point.value;
    }
    pending_.clear();
    return true;
}

std::string PointLoad::difference(Client& client) const {
    Points found = points_of(client);
    for (const Point& point : pending_) {
        const auto there = found.find({point.series, point.at});
        if (there != found.end() && there->second == point.value) {
            const auto before = answered_.find({point.series, point.at});
            if (before == answered_.end()) {
                found.erase(there);
            } else {
                there->second = before->second;
            }
        }
    }
    for (const auto& [key, value] : answered_) {
        const auto there = found.find(key);
        if (there == found.end() || there->second != value) {
            return fmt::format(
                "{} at {} was answered with {}, and {}",
                name_of(key.first),
                key.second,
                value,
                there == found.end() ? "is gone" : fmt::format("is {}", there->second)
            );
        }
    }
    return found.size() == answered_.size()
               ? ""
               : fmt::format("{} points too many", found.size() - answered_.size());
}

std::string PointLoad::name_of(std::size_t series) const {
    return fmt::format("kill.c{}.s{}", number_, series);
}

/// Mostly new points, some that change an old one.
void PointLoad::make_points() {
    for (std::size_t count = 0; count < points_a_request; ++count) {
        const std::uint64_t back = random_.below(10) == 0 ? random_.below(20) : 0;
        pending_.push_back(
            {.series = count % series_count,
             .at = start_ + (next_ - static_cast<std::int64_t>(back)) * 10,
             .value = static_cast<std::int64_t>(random_.below(1'000'000))}
        );
        next_ += count % series_count == series_count - 1 ? 1 : 0;
    }
    ++next_;
}

PointLoad::Points PointLoad::points_of(Client& client) const {
    Points points;
    for (std::size_t series = 0; series < series_count; ++series) {
        const auto answer = must(client.send(
            Method::post,
            "/api/v1/datapoints/query",
            fmt::format(
                R"({{"start_absolute":{},"end_absolute":{},"metrics":[{{"name":"{}"}}]}})",
                start_ - 60'000,
                start_ + 3'600'000,
                name_of(series)
            )
        ));
        EXPECT_EQ(answer.status, 200) << answer.body;
        const auto body = boost::json::parse(answer.body);
        for (const auto& point :
             body.at("queries").at(0).at("results").at(0).at("values").as_array()) {
            points[{series, point.at(0).to_number<std::int64_t>()}] =
                point.at(1).to_number<std::int64_t>();
        }
    }
    return points;
}

}  // namespace footfall::test_support
