#include "storage_cassandra/limiter.h"

#include "foundation/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

namespace footfall::storage_cassandra {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

/// A store that serves so many requests at a time, the others in turn, and clients that always have
/// more to ask than their limiters allow. A client that was not answered for two seconds turns to
/// the next request; the store does the work of the one before all the same. All in virtual time.
class Simulation {
public:
    struct Store {
        std::size_t workers = 16;
        microseconds service = 10ms;  ///< On average: from half of it to one and a half.
        microseconds way = 1ms;       ///< There and back.
        std::size_t hanging = 0;      ///< One of so many requests is never answered.
    };

    explicit Simulation(Store store) : store_{store} {}

    Store& store() { return store_; }

    ManualClock& clock() { return clock_; }

    Limiter& add_client(Limiter::Options options = {}) {
        clients_.push_back({std::make_unique<Limiter>(options, clock_), 0});
        return *clients_.back().limiter;
    }

    /// Answers how many requests of each client were answered in time, a second.
    std::vector<double> run(microseconds time) {
        std::vector<std::uint64_t> before;
        before.reserve(clients_.size());
        for (std::size_t at = 0; at < clients_.size(); ++at) {
            before.push_back(clients_[at].answered);
            send(at);
        }
        const Instant end = clock_.now() + time;
        while (!events_.empty() && events_.begin()->first <= end) {
            const auto next = events_.begin();
            clock_.set(next->first);
            const auto happen = std::move(next->second);
            events_.erase(next);
            happen();
        }
        clock_.set(end);
        std::vector<double> rates;
        rates.reserve(clients_.size());
        for (std::size_t at = 0; at < clients_.size(); ++at) {
            rates.push_back(
                static_cast<double>(clients_[at].answered - before[at]) * 1e6 /
                static_cast<double>(time.count())
            );
        }
        return rates;
    }

    /// What the store can do, a second.
    double most() const {
        return static_cast<double>(store_.workers) * 1e6 /
               static_cast<double>(store_.service.count());
    }

private:
    struct Client {
        std::unique_ptr<Limiter> limiter;
        std::uint64_t answered;
    };

    struct Request {
        std::size_t client;
        Instant begun;
        bool done = false;
    };

    using Shared = std::shared_ptr<Request>;

    void after(microseconds time, std::function<void()> happen) {
        events_.emplace(clock_.now() + time, std::move(happen));
    }

    void send(std::size_t client) {
        while (const auto begun = clients_[client].limiter->try_begin()) {
            const auto request = std::make_shared<Request>(Request{client, *begun});
            after(2s, [this, request] { end(request, true); });
            if (store_.hanging == 0 || random_.below(store_.hanging) != 0) {
                after(store_.way / 2, [this, request] { arrive(request); });
            }
        }
    }

    void arrive(const Shared& request) {
        queue_.push_back(request);
        serve();
    }

    void serve() {
        while (busy_ < store_.workers && !queue_.empty()) {
            const Shared request = queue_.front();
            queue_.pop_front();
            ++busy_;
            const auto half = static_cast<std::uint64_t>(store_.service.count() / 2);
            const microseconds taken{half + random_.below(2 * half + 1)};
            after(taken, [this, request] {
                --busy_;
                after(store_.way / 2, [this, request] { end(request, false); });
                serve();
            });
        }
    }

    void end(const Shared& request, bool failed) {
        if (std::exchange(request->done, true)) {
            return;
        }
        Client& client = clients_[request->client];
        client.answered += failed ? 0 : 1;
        client.limiter->end(request->begun, failed, 0);
        send(request->client);
    }

    Store store_;
    ManualClock clock_{Instant{std::chrono::hours{24 * 20'000} + 3s}};
    Random random_{54};
    std::vector<Client> clients_;
    std::multimap<Instant, std::function<void()>> events_;
    std::deque<Shared> queue_;
    std::size_t busy_ = 0;
};

double sum(const std::vector<double>& rates) {
    return std::accumulate(rates.begin(), rates.end(), 0.0);
}

/// What was before: always so many at once.
constexpr Limiter::Options constant{.floor = 1024, .ceiling = 1024, .start = 1024};

TEST(Limiter, a_constant_number_of_requests_at_once_drowns_a_slow_store) {
    Simulation simulation{{.workers = 8, .service = 20ms}};
    simulation.add_client(constant);
    simulation.add_client(constant);
    EXPECT_LT(sum(simulation.run(60s)), 0.2 * simulation.most());
}

TEST(Limiter, any_number_of_clients_has_four_fifths_of_what_the_store_can_do) {
    for (const std::size_t clients : {1UZ, 2UZ, 3UZ, 8UZ}) {
        Simulation simulation{{.workers = 16, .service = 20ms}};
        for (std::size_t at = 0; at < clients; ++at) {
            simulation.add_client();
        }
        simulation.run(10s);
        const std::vector<double> rates = simulation.run(60s);
        EXPECT_GE(sum(rates), 0.8 * simulation.most()) << clients;
        EXPECT_GE(std::ranges::min(rates), sum(rates) / static_cast<double>(clients) / 5)
            << clients << ": somebody starves";
    }
}

TEST(Limiter, requests_wait_with_the_client_rather_than_in_the_store) {
    Simulation simulation{{.workers = 16, .service = 20ms}};
    const Limiter& one = simulation.add_client();
    const Limiter& other = simulation.add_client();
    simulation.run(10s);
    for (int second = 0; second < 60; ++second) {
        simulation.run(1s);
        EXPECT_LE(one.in_flight() + other.in_flight(), 16U * 6) << second;
    }
    EXPECT_EQ(one.decreases(Limiter::Cause::failed), 0U);
    EXPECT_GT(one.decreases(Limiter::Cause::queued), 0U);
    EXPECT_TRUE(one.is_throttled());
}

TEST(Limiter, who_comes_later_takes_its_share_and_no_more) {
    Simulation simulation{{.workers = 16, .service = 20ms}};
    simulation.add_client();
    simulation.run(35s);
    simulation.add_client();
    simulation.run(20s);
    const std::vector<double> rates = simulation.run(60s);
    EXPECT_GE(rates[0], simulation.most() / 5);
    EXPECT_GE(rates[1], simulation.most() / 5);
    EXPECT_GE(sum(rates), 0.8 * simulation.most());
}

TEST(Limiter, a_store_that_recovers_is_asked_as_before) {
    Simulation simulation{{.workers = 32, .service = 10ms}};
    const Limiter& one = simulation.add_client();
    simulation.add_client();
    simulation.run(10s);
    const double before = sum(simulation.run(20s));
    simulation.store().service = 500ms;
    simulation.run(20s);
    EXPECT_GE(sum(simulation.run(60s)), 0.8 * simulation.most());
    EXPECT_LT(one.limit(), 128U);
    simulation.store().service = 10ms;
    simulation.run(20s);
    EXPECT_GE(sum(simulation.run(20s)), 0.9 * before);
}

TEST(Limiter, a_long_way_to_the_store_is_no_queue) {
    Simulation simulation{{.workers = 32, .service = 10ms, .way = 1ms}};
    simulation.add_client();
    simulation.run(30s);
    simulation.store().way = 200ms;
    simulation.run(30s);
    EXPECT_GE(sum(simulation.run(60s)), 0.8 * simulation.most());
}

TEST(Limiter, requests_that_fail_lower_it_though_the_others_are_fast) {
    Simulation simulation{{.workers = 64, .service = 5ms, .hanging = 3}};
    const Limiter& one = simulation.add_client();
    simulation.run(30s);
    EXPECT_GT(one.decreases(Limiter::Cause::failed), 0U);
    EXPECT_FALSE(one.is_throttled()) << "a second node is what helps here";
}

class LimiterByHand : public testing::Test {
protected:
    /// As many requests as there is room for, each answered after so long.
    void ask(microseconds time, int rounds, bool failed = false) {
        for (; rounds > 0; --rounds) {
            std::vector<Instant> begun;
            while (const auto at = limiter_.try_begin()) {
                begun.push_back(*at);
            }
            clock_.advance(time);
            for (const Instant at : begun) {
                limiter_.end(at, failed, 0);
            }
        }
    }

    ManualClock clock_{Instant{std::chrono::hours{24 * 20'000} + 1s}};
    Limiter limiter_{{.floor = 4, .ceiling = 40, .start = 20, .speculate = 100ms}, clock_};
};

TEST_F(LimiterByHand, stays_between_floor_and_ceiling) {
    ask(50ms, 20);
    EXPECT_EQ(limiter_.limit(), 40U);
    EXPECT_EQ(limiter_.in_flight(), 0U);
    ask(4s, 10, true);
    EXPECT_EQ(limiter_.limit(), 4U);
    EXPECT_GE(limiter_.decreases(Limiter::Cause::failed), 4U);
}

TEST_F(LimiterByHand, does_not_grow_where_nobody_waits) {
    for (int request = 0; request < 1'000; ++request) {
        const Instant begun = limiter_.try_begin().value_or(Instant{});
        clock_.advance(1ms);
        limiter_.end(begun, false, 0);
    }
    EXPECT_EQ(limiter_.limit(), 20U);
}

TEST_F(LimiterByHand, is_halved_once_for_what_failed_together) {
    std::vector<Instant> begun;
    while (const auto at = limiter_.try_begin()) {
        begun.push_back(*at);
    }
    for (const Instant at : begun) {
        clock_.advance(100ms);
        limiter_.end(at, true, 0);
    }
    EXPECT_EQ(limiter_.limit(), 10U);
}

TEST_F(LimiterByHand, goes_down_for_a_moment_to_see_whether_times_rose_by_themselves) {
    ask(50ms, 20);
    ask(300ms, 4);
    EXPECT_LT(limiter_.limit(), 20U);
    EXPECT_TRUE(limiter_.is_throttled());
    ask(300ms, 90);  // past the next ten seconds
    EXPECT_EQ(limiter_.limit(), 40U);
    EXPECT_FALSE(limiter_.is_throttled());
}

TEST_F(LimiterByHand, a_clock_that_is_set_back_does_not_stop_it) {
    ask(50ms, 4);
    clock_.advance(-1h);
    ask(50ms, 40);
    EXPECT_EQ(limiter_.limit(), 40U);
}

TEST_F(LimiterByHand, a_second_node_is_asked_after_an_unusual_time_and_not_into_a_queue) {
    EXPECT_EQ(limiter_.speculate_after(), 100ms);
    ask(60ms, 4);
    EXPECT_EQ(limiter_.speculate_after(), 180ms);
    ask(500ms, 1);
    EXPECT_EQ(limiter_.speculate_after(), std::nullopt);
}

TEST_F(LimiterByHand, only_some_of_the_requests_ask_a_second_node) {
    int second = 0;
    for (int request = 0; request < 10'000; ++request) {
        const Instant begun = limiter_.try_begin().value_or(Instant{});
        const bool may = limiter_.speculate_after().has_value();
        clock_.advance(1ms);
        limiter_.end(begun, false, may ? 1 : 0);
        second += may ? 1 : 0;
    }
    EXPECT_NEAR(second, 4'100, 10);
    EXPECT_EQ(limiter_.speculations(), static_cast<std::uint64_t>(second));
}

TEST(LimiterWithoutASecondNode, asks_none) {
    const ManualClock clock{Instant{}};
    EXPECT_EQ(Limiter({}, clock).speculate_after(), std::nullopt);
}

}  // namespace
}  // namespace footfall::storage_cassandra
