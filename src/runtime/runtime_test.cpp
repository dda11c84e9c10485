#include "runtime/await_callback.h"
#include "runtime/blocking_pool.h"
#include "runtime/enter_thread.h"
#include "runtime/io_threads.h"
#include "runtime/lanes.h"
#include "runtime/task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace footfall::runtime {
namespace {

TEST(BlockingPool, runs_everything_it_took_before_it_stops) {
    std::atomic<int> done = 0;
    BlockingPool pool{2, 100};
    for (int work = 0; work < 100; ++work) {
        ASSERT_TRUE(pool.submit([&done] { ++done; }));
    }
    pool.stop();
    EXPECT_EQ(done, 100);
    EXPECT_EQ(pool.submit([] {}).error().kind, ErrorKind::cancelled);
}

TEST(BlockingPool, refuses_at_once_when_full) {
    std::latch started{1};
    std::latch release{1};
    BlockingPool pool{1, 2};
    ASSERT_TRUE(pool.submit([&] {
        started.count_down();
        release.wait();
    }));
    started.wait();
    EXPECT_TRUE(pool.submit([] {}));
    EXPECT_TRUE(pool.submit([] {}));
    EXPECT_EQ(pool.submit([] {}).error().kind, ErrorKind::overloaded);
    release.count_down();
}

TEST(BlockingPool, goes_on_with_others_after_each_turn) {
    std::latch all_there{1};
    std::string order;
    BlockingPool pool{1, 10, Urgency::work, 3};
    ASSERT_TRUE(pool.submit([&] { all_there.wait(); }));
    for (const char name : {'a', 'b'}) {
        ASSERT_TRUE(pool.submit([&order, name, turns = 0]() mutable {
            order += name;
            return ++turns < 3;
        }));
    }
    all_there.count_down();
    pool.stop();
    EXPECT_EQ(order, "ababab");
}

TEST(BlockingPool, begins_no_more_at_a_time_than_it_may) {
    std::latch all_there{1};
    std::string order;
    BlockingPool pool{1, 10, Urgency::work, 3};
    ASSERT_TRUE(pool.submit([&] { all_there.wait(); }));
    for (const char name : {'a', 'b', 'c', 'd'}) {
        ASSERT_TRUE(pool.submit([&order, name, turns = 0]() mutable {
            order += name;
            return ++turns < 2;
        }));
    }
    all_there.count_down();
    pool.stop();
    EXPECT_EQ(order, "abcabcdd") << "c takes the place of what waited for the latch, d of a";
}

TEST(BlockingPool, forgets_what_waits_when_it_is_told_to) {
    std::latch started{1};
    std::latch release{1};
    std::atomic<int> turns = 0;
    BlockingPool pool{1, 10};
    ASSERT_TRUE(pool.submit([&] {
        started.count_down();
        release.wait();
        return ++turns < 3;
    }));
    started.wait();
    const auto waiting = std::make_shared<int>();
    ASSERT_TRUE(pool.submit([waiting] { FAIL() << "it was begun"; }));
    pool.refuse_waiting();
    EXPECT_EQ(waiting.use_count(), 1) << "it is destroyed at once";
    EXPECT_EQ(pool.submit([] {}).error().kind, ErrorKind::cancelled);
    release.count_down();
    pool.stop();
    EXPECT_EQ(turns, 3) << "what was begun is done to its end";
}

TEST(Lanes, one_thread_at_a_time_is_in_a_lane) {
    Lanes<int> lanes;
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&lanes] {
            for (int step = 0; step < 10'000; ++step) {
                lanes.with(7, [](int& state) { ++state; });
            }
        });
    }
    threads.clear();
    EXPECT_EQ(lanes.with(7, [](int& state) { return state; }), 40'000);
    EXPECT_EQ(lanes.with(8, [](int& state) { return state; }), 0);
}

TEST(Lanes, every_hash_has_a_lane) {
    EXPECT_EQ(Lanes<int>::lane_of(0), 0U);
    EXPECT_EQ(Lanes<int>::lane_of(~std::uint64_t{0}), Lanes<int>::count - 1);
}

Task<> answer_from_another_thread(
    BlockingPool* pool, std::thread::id* resumed_on, std::string* answer
) {
    auto start = [pool](std::move_only_function<void(std::string)> done) {
        const Result<void> taken =
            pool->submit([done = std::move(done)]() mutable { done("from the pool"); });
        EXPECT_TRUE(taken);
    };
    *answer = co_await await_callback<std::string>(std::move(start));
    *resumed_on = std::this_thread::get_id();
}

TEST(AwaitCallback, resumes_on_the_threads_own_context) {
    boost::asio::io_context context{1};  // outlives the pool, whose thread may still be in post()
    BlockingPool pool{1, 10};
    std::thread::id resumed_on;
    std::string answer;
    spawn(context.get_executor(), "test", answer_from_another_thread(&pool, &resumed_on, &answer));
    context.run();
    EXPECT_EQ(answer, "from the pool");
    EXPECT_EQ(resumed_on, std::this_thread::get_id());
}

int nice_of_thread() {
    return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
}

TEST(EnterThread, in_the_background_is_relative_to_the_process_and_not_to_the_creator) {
    const int usual = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::getpid()));
    int of_creator = 0;
    int of_created = 0;
    std::jthread{[&] {
        enter_thread("creator", Urgency::background);
        of_creator = nice_of_thread();
        std::jthread{[&] {
            enter_thread("created", Urgency::background);
            of_created = nice_of_thread();
        }}.join();
    }}.join();
    EXPECT_EQ(of_creator, std::min(usual + 10, 19));
    EXPECT_EQ(of_created, of_creator);
}

TEST(IoThreads, run_what_is_posted_and_stop) {
    IoThreads threads{2};
    threads.start();
    std::latch ran{2};
    boost::asio::post(threads.context(0), [&ran] { ran.count_down(); });
    boost::asio::post(threads.context(1), [&ran] { ran.count_down(); });
    ran.wait();
    threads.stop();
    EXPECT_GE(available_cores(), 1U);
}

}  // namespace
}  // namespace footfall::runtime
