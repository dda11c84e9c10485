#include "load/load_run.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace footfall::load {
namespace {

constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds millisecond = 1'000'000;
constexpr Nanoseconds start = 1000 * second;

constexpr Answer counted{.status = 200, .has_number = true, .number = 1};

/// A run of 1 s of warm-up and 2 s measured, moved by hand.
class LoadRunTest : public testing::Test {
protected:
    void run(LoadPlan plan, const TrafficShape& shape = {}) {
        plan.warm_up = second;
        plan.duration = 2 * second;
        plan.window = second;
        traffic_ = std::make_unique<Traffic>(shape);
        run_ =
            std::make_unique<LoadRun>(plan, *traffic_, *protocol_, [this](const Measured& window) {
                windows_.push_back(window);
            });
        run_->tick(start);
    }

    /// Sends all that is due at `now`; answers how many requests that is.
    std::size_t send_all(Nanoseconds now) {
        std::size_t sent = 0;
        std::string out;
        run_->tick(now);
        while (const auto ticket = run_->next(now, out)) {
            tickets_.push_back(*ticket);
            ++sent;
        }
        return sent;
    }

    void answer_all(Nanoseconds now, const Answer& answer = counted) {
        run_->tick(now);
        for (const Ticket& ticket : tickets_) {
            run_->answered(ticket, answer, now);
        }
        tickets_.clear();
    }

    void end() {
        run_->tick(start + 3 * second);
        run_->finish(start + 3 * second + run_patience);
    }

    static constexpr Nanoseconds run_patience = 500 * millisecond;

    std::unique_ptr<Protocol> protocol_ = http_protocol("h", "default");
    std::unique_ptr<Traffic> traffic_;
    std::unique_ptr<LoadRun> run_;
    std::vector<Ticket> tickets_;
    std::vector<Measured> windows_;
};

TEST_F(LoadRunTest, of_an_open_loop_charges_a_stall_to_all_who_came_meanwhile) {
    run({.rate = 10});
    EXPECT_EQ(send_all(start), 1U);
    EXPECT_EQ(send_all(start + 999 * millisecond), 9U);
    answer_all(start + second);
    // The server answers nothing for a second: ten requests become due, none can be sent.
    EXPECT_EQ(send_all(start + 2 * second), 11U);
    answer_all(start + 2 * second);
    end();
    // Due 1000, 900, ..., 0 ms before; those of the third second were never sent.
    EXPECT_EQ(run_->total().unsent, 9U);
    EXPECT_EQ(run_->total().latency.count(), 20U);
    EXPECT_EQ(run_->total().latency.max(), 1'400 * std::uint64_t{millisecond});
    EXPECT_EQ(windows_.at(1).latency.count(), 11U);
    EXPECT_NEAR(static_cast<double>(windows_[1].latency.percentile(0.5)), 500e6, 5e6);
}

TEST_F(LoadRunTest, of_a_closed_loop_sends_until_the_end_and_counts_from_sending) {
    run({});
    for (Nanoseconds now = start; now < start + 3 * second; now += 100 * millisecond) {
        run_->tick(now);
        std::string out;
        if (const auto ticket = run_->next(now, out)) {
            run_->answered(*ticket, counted, now + 10 * millisecond);
        }
    }
    end();
    EXPECT_EQ(send_all(start + 3 * second), 0U);
    EXPECT_TRUE(run_->all_sent());
    EXPECT_EQ(run_->total().good, 20U) << "the warm-up is not measured";
    EXPECT_EQ(run_->total().latency.count(), 20U);
    EXPECT_NEAR(static_cast<double>(run_->total().latency.percentile(0.99)), 10e6, 1e5);
    EXPECT_EQ(run_->total().seconds, 2);
    EXPECT_EQ(windows_.size(), 2U);
    EXPECT_EQ(run_->take_outcome().operations, 30U);
}

TEST_F(LoadRunTest, ends_after_as_many_requests_as_it_was_told) {
    const LoadPlan closed{.requests = 3};
    const LoadPlan open{.rate = 10, .requests = 3};
    for (const LoadPlan& plan : {closed, open}) {
        run(plan);
        EXPECT_EQ(send_all(start + second), 3U);
        answer_all(start + second + 10 * millisecond);
        EXPECT_TRUE(run_->all_sent());
        run_->finish(start + 2 * second);
        EXPECT_EQ(run_->total().failures(), 0U);
        EXPECT_EQ(run_->take_outcome().operations, 3U);
    }
}

TEST_F(LoadRunTest, keeps_apart_what_failed_and_remembers_it_as_unsure) {
    run({.rate = 10});
    send_all(start + 2 * second);
    const std::uint64_t last = tickets_.back().id;
    run_->tick(start + 2 * second);
    run_->answered(tickets_.back(), {.status = 503}, start + 2 * second);
    tickets_.pop_back();
    run_->answered(
        tickets_.back(), {.status = 200, .has_number = true, .number = 0}, start + 2 * second
    );
    tickets_.pop_back();
    run_->lost(tickets_.back());
    tickets_.pop_back();
    answer_all(start + 2 * second);
    end();
    EXPECT_EQ(run_->total().failed, (std::map<int, std::uint64_t>{{0, 1}, {503, 1}}));
    EXPECT_EQ(run_->total().lost, 1U);
    EXPECT_EQ(run_->total().failures(), 3 + run_->total().unsent);
    EXPECT_EQ(run_->take_outcome().unsure, (std::vector<std::uint64_t>{last - 2, last - 1, last}));
}

TEST_F(LoadRunTest, takes_a_count_of_nothing_from_a_get_only) {
    const Answer nothing{.status = 200, .has_number = true, .number = 0};
    run({.rate = 10}, {.get_share = 1});
    send_all(start + 2 * second);
    answer_all(start + 2 * second, nothing);
    run_->tick(start + 3 * second);
    EXPECT_EQ(run_->total().failures(), 0U);
    EXPECT_EQ(run_->total().latency.count(), 11U);
}

TEST_F(LoadRunTest, wants_every_token_of_a_batch_to_be_taken) {
    run({.rate = 10, .batch = 5});
    EXPECT_EQ(send_all(start + second), 11U);
    EXPECT_EQ(tickets_[1].id, 5U);
    run_->tick(start + second);
    run_->answered(
        tickets_.back(), {.status = 200, .has_number = true, .number = 4}, start + second
    );
    tickets_.pop_back();
    answer_all(start + second, {.status = 200, .has_number = true, .number = 5});
    end();
    EXPECT_EQ(run_->total().failed, (std::map<int, std::uint64_t>{{0, 1}}));
    EXPECT_EQ(run_->take_outcome().unsure, (std::vector<std::uint64_t>{50, 51, 52, 53, 54}));
}

TEST_F(LoadRunTest, wakes_for_what_is_due_only_where_there_is_room) {
    run({.rate = 10});
    send_all(start);
    EXPECT_EQ(run_->wake(true), start + 100 * millisecond);
    EXPECT_EQ(run_->wake(false), start + second);
}

}  // namespace
}  // namespace footfall::load
