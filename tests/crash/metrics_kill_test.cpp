// kill -9 again and again of a server that takes points of metrics. A point that was answered is
// there, with its value, whatever came afterwards; one that was not is sent again, as clients do,
// and there is once.
//
//   FOOTFALL_SEED=7 FOOTFALL_KILLS=100 build/release/tests/crash/crash_test
//   --gtest_filter='Metrics*'

#include "foundation_testing/temporary_directory.h"
#include "test_support/chance.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"
#include "test_support/random_seed.h"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::crash {
namespace {

using namespace std::chrono_literals;
using namespace test_support;
using http_server::Client;
using http_server::Method;

/// What one client has sent: points of series of its own.
class PointLoad {
public:
    PointLoad(std::size_t number, std::uint64_t seed) : number_{number}, random_{seed} {}

    /// Sends a request, the last one again if that was not answered. False when it fails.
    bool step(Client& client) {
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

    /// What is not as it was answered; "" if nothing. A request without an answer may be there, in
    /// full or not, and what its points were before it, too.
    std::string difference(Client& client) const {
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

    std::size_t answered() const { return answered_.size(); }

private:
    static constexpr std::size_t series_count = 20;
    static constexpr std::size_t points_a_request = 30;

    struct Point {
        std::size_t series;
        std::int64_t at;
        std::int64_t value;
    };

    using Points = std::map<std::pair<std::size_t, std::int64_t>, std::int64_t>;

    std::string name_of(std::size_t series) const {
        return fmt::format("kill.c{}.s{}", number_, series);
    }

    /// Mostly new points, some that change an old one.
    void make_points() {
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

    Points points_of(Client& client) const {
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

    const std::size_t number_;
    Random random_;
    /// Half an hour ago, to the second: a hundredth of one later for each point of a series.
    const std::int64_t start_ =
        std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())
                .time_since_epoch()
                .count() *
            1000 -
        1'800'000;
    std::int64_t next_ = 20;
    std::vector<Point> pending_;
    Points answered_;
};

class MetricsKill : public testing::Test {
protected:
    void check(const FootfallProcess& server) const {
        Client client = server.client();
        for (const PointLoad& load : loads_) {
            ASSERT_EQ(load.difference(client), "");
        }
    }

    void kill_under_load(bool orderly) {
        FootfallProcess server{data_, small_memory};
        ASSERT_NO_FATAL_FAILURE(check(server));
        std::vector<std::jthread> threads;
        threads.reserve(loads_.size());
        for (PointLoad& load : loads_) {
            threads.emplace_back([&load, &server] {
                Client client = server.client(20s);
                while (load.step(client)) {
                }
            });
        }
        wait_for_chance(server.process(), random_, 400ms);
        EXPECT_TRUE(server.process().running()) << "it gave up: " << server.process().errors();
        if (orderly) {
            server.process().send_signal(SIGTERM);
            wait_for_chance(server.process(), random_, 100ms);
        }
        server.kill();
    }

    const TemporaryDirectory directory_;
    const std::string data_ = directory_ / "data";
    const std::uint64_t seed_ = random_seed();
    Random random_{seed_};
    std::array<PointLoad, 3> loads_{
        PointLoad{0, random_()}, PointLoad{1, random_()}, PointLoad{2, random_()}
    };
};

TEST_F(MetricsKill, at_any_moment_loses_no_point_and_changes_none) {
    const std::uint64_t kills = environment_number("FOOTFALL_KILLS", 12);
    for (std::uint64_t number = 0; number < kills && !HasFailure(); ++number) {
        SCOPED_TRACE(fmt::format("kill number {}", number));
        ASSERT_NO_FATAL_FAILURE(kill_under_load(number % 3 == 2));
    }
    const FootfallProcess server{data_, small_memory};
    ASSERT_NO_FATAL_FAILURE(check(server));
    Client client = server.client();
    for (PointLoad& load : loads_) {
        ASSERT_TRUE(load.step(client)) << "what was not answered is sent again";
    }
    ASSERT_NO_FATAL_FAILURE(check(server));
    for (const PointLoad& load : loads_) {
        fmt::print("{} points answered\n", load.answered());
        EXPECT_GT(load.answered(), 100U);
    }
}

}  // namespace
}  // namespace footfall::crash
