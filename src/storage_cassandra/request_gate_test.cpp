#include "storage_cassandra/request_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace footfall::storage_cassandra {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

using Pass = RequestGate::Pass;

class Gate : public testing::Test {
protected:
    void TearDown() override {
        gate_.close();  // or those who wait would pass while the others go
        inside_.clear();
    }

    /// Whoever passes stays until let_go().
    void ask(const std::string& who) {
        gate_.enter([this, who](Result<Pass> pass) {
            if (pass) {
                passed_.push_back(who);
                inside_.push_back(*std::move(pass));
            } else {
                refused_.push_back(who + ": " + pass.error().message);
            }
        });
    }

    void let_go() {
        Pass pass = std::move(inside_.front());
        inside_.pop_front();
        pass.leave(false, 0);
    }

    ManualClock clock_{Instant{std::chrono::hours{24 * 20'000}}};
    metrics::Metrics metrics_;
    RequestGate gate_{
        {.limiter = {.floor = 2, .ceiling = 2, .start = 2}, .waiting = 2, .patience = 5s},
        "reads",
        clock_,
        metrics_
    };
    std::deque<Pass> inside_;
    std::vector<std::string> passed_;
    std::vector<std::string> refused_;
};

TEST_F(Gate, who_finds_no_room_waits_for_a_turn_and_the_first_is_first) {
    for (const char* const who : {"a", "b", "c", "d"}) {
        ask(who);
    }
    EXPECT_THAT(passed_, ElementsAre("a", "b"));
    let_go();
    EXPECT_THAT(passed_, ElementsAre("a", "b", "c"));
    EXPECT_FALSE(gate_.try_enter()) << "somebody waits";
    let_go();
    let_go();
    let_go();
    EXPECT_THAT(passed_, ElementsAre("a", "b", "c", "d"));
    EXPECT_TRUE(gate_.try_enter());
}

TEST_F(Gate, more_than_may_wait_are_refused) {
    for (const char* const who : {"a", "b", "c", "d", "e"}) {
        ask(who);
    }
    EXPECT_THAT(refused_, ElementsAre("e: too many reads at once"));
}

TEST_F(Gate, who_waits_too_long_is_refused_and_the_others_wait_on) {
    ask("a");
    ask("b");
    ask("c");
    clock_.advance(3s);
    ask("d");
    clock_.advance(3s);
    gate_.tick();
    EXPECT_THAT(refused_, ElementsAre("c: the store is slow, and others were before this"));
    let_go();
    EXPECT_THAT(passed_, ElementsAre("a", "b", "d"));
}

TEST_F(Gate, who_was_not_sent_makes_room_by_going) {
    ask("a");
    ask("b");
    ask("c");
    {
        const Pass gone = std::move(inside_.front());
        inside_.pop_front();
    }
    EXPECT_THAT(passed_, ElementsAre("a", "b", "c"));
}

TEST_F(Gate, all_are_refused_once_it_is_closed) {
    ask("a");
    ask("b");
    ask("c");
    gate_.close();
    ask("d");
    EXPECT_THAT(refused_, ElementsAre("c: closed", "d: closed"));
    EXPECT_FALSE(gate_.try_enter());
    let_go();
    let_go();
}

/// A read of many rows takes its place behind the others for each of its requests.
TEST_F(Gate, who_asks_a_lot_does_not_keep_others_waiting) {
    const auto lot = [&] { ask("lot"); };
    lot();
    lot();
    lot();
    ask("one");
    for (int answers = 0; answers < 2; ++answers) {
        let_go();
        lot();
    }
    EXPECT_THAT(passed_, ElementsAre("lot", "lot", "lot", "one"));
}

TEST_F(Gate, turns_that_end_at_once_do_not_end_inside_each_other) {
    ask("a");
    ask("b");
    int depth = 0;
    int deepest = 0;
    int turns = 0;
    std::function<void()> again = [&] {
        gate_.enter([&](const Result<Pass>& pass) {
            deepest = std::max(deepest, ++depth);
            ++turns;
            if (pass && turns < 1'000) {
                again();
            }
            --depth;
        });
    };
    again();
    let_go();
    EXPECT_EQ(turns, 1'000);
    EXPECT_LE(deepest, 2);
    let_go();
}

TEST_F(Gate, tells_how_many_pass_and_why_fewer) {
    ask("a");
    gate_.tick();
    EXPECT_THAT(metrics_.text(), HasSubstr("footfall_cassandra_limit{kind=\"reads\"} 2\n"));
    EXPECT_THAT(metrics_.text(), HasSubstr("footfall_cassandra_in_flight{kind=\"reads\"} 1\n"));
    clock_.advance(2s);
    Pass pass = std::move(inside_.front());
    inside_.clear();
    pass.leave(true, 1);
    gate_.tick();
    EXPECT_THAT(
        metrics_.text(),
        HasSubstr("footfall_cassandra_limit_decreases_total{kind=\"reads\",reason=\"failed\"} 1\n")
    );
    EXPECT_THAT(
        metrics_.text(), HasSubstr("footfall_cassandra_speculations_total{kind=\"reads\"} 1\n")
    );
}

TEST(GateOfThreads, each_turn_comes_once_and_never_too_many_at_a_time) {
    const SystemClock clock;
    metrics::Metrics metrics;
    RequestGate gate{
        {.limiter = {.floor = 3, .ceiling = 3, .start = 3}, .waiting = 100'000},
        "reads",
        clock,
        metrics
    };
    std::atomic<int> turns = 0;
    std::atomic<int> inside = 0;
    std::atomic<int> most = 0;
    {
        std::vector<std::jthread> threads;
        threads.reserve(4);
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&] {
                for (int request = 0; request < 5'000; ++request) {
                    gate.enter([&](Result<Pass> pass) {
                        const int now = ++inside;
                        for (int seen = most;
                             seen < now && !most.compare_exchange_weak(seen, now);) {
                        }
                        ++turns;
                        --inside;
                        pass->leave(false, 0);
                    });
                }
            });
        }
    }
    EXPECT_EQ(turns, 20'000);
    EXPECT_LE(most, 3);
}

}  // namespace
}  // namespace footfall::storage_cassandra
