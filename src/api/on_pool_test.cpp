#include "api/on_pool.h"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <latch>
#include <stdexcept>
#include <string>

namespace footfall::api {
namespace {

using http_server::Response;

runtime::Task<> store_answer(runtime::Task<Response> task, Response* answer) {
    try {
        *answer = co_await std::move(task);
    } catch (const std::exception& thrown) {
        answer->body = thrown.what();
    }
}

class OnPool : public testing::Test {
protected:
    /// Begins to wait for an answer; finish() has it.
    void ask(
        std::move_only_function<Response()> work, Response& answer, std::stop_token left = {}
    ) {
        run(on_pool(&pool_, std::move(work), std::move(left)), answer);
    }

    void run(runtime::Task<Response> task, Response& answer) {
        runtime::spawn(context_.get_executor(), "test", store_answer(std::move(task), &answer));
        context_.poll();  // as far as it goes without the pool
        context_.restart();
    }

    /// Work that is on the pool's thread until it is told to end.
    void occupy(Response& answer) {
        ask(
            [this] {
                begun_.count_down();
                release_.wait();
                return Response{.body = "first"};
            },
            answer
        );
        begun_.wait();
    }

    void finish() {
        release_.count_down();
        context_.run();
    }

    std::latch begun_{1};
    std::latch release_{1};
    boost::asio::io_context context_{1};  // outlives the pool, whose thread may still be in post()
    runtime::BlockingPool pool_{1, 1};
};

TEST_F(OnPool, answers_what_the_work_answers_or_throws) {
    Response answer;
    Response thrown;
    occupy(answer);
    ask([]() -> Response { throw std::runtime_error{"thrown"}; }, thrown);
    finish();
    EXPECT_EQ(answer.body, "first");
    EXPECT_EQ(thrown.body, "thrown");
}

TEST_F(OnPool, says_so_when_too_many_wait) {
    Response first;
    Response second;
    Response third;
    occupy(first);
    ask([] { return Response{.body = "second"}; }, second);
    ask([] { return Response{.body = "third"}; }, third);
    finish();
    EXPECT_EQ(second.body, "second");
    EXPECT_EQ(third.status, 503);
    EXPECT_NE(third.body.find("/problems/overloaded"), std::string::npos) << third.body;
}

TEST_F(OnPool, begins_nothing_for_a_client_that_has_left) {
    std::stop_source left;
    Response first;
    Response second;
    bool begun = false;
    occupy(first);
    ask(
        [&] {
            begun = true;
            return Response{};
        },
        second,
        left.get_token()
    );
    left.request_stop();
    finish();
    EXPECT_FALSE(begun);
    EXPECT_EQ(second.status, 503);
}

TEST_F(OnPool, what_waits_is_answered_when_the_pool_refuses_it) {
    Response first;
    Response second;
    bool begun = false;
    occupy(first);
    ask(
        [&] {
            begun = true;
            return Response{};
        },
        second
    );
    pool_.refuse_waiting();
    context_.run_one();
    EXPECT_EQ(second.status, 503) << "while the first is still at work";
    EXPECT_NE(second.body.find("the program is stopping"), std::string::npos) << second.body;
    finish();
    EXPECT_EQ(first.body, "first");
    EXPECT_FALSE(begun);
}

TEST_F(OnPool, asks_for_turn_after_turn_until_there_is_an_answer) {
    Response answer;
    int turns = 0;
    auto turn = [&]() -> std::optional<Response> {
        return ++turns < 3 ? std::optional<Response>{} : Response{.body = "done"};
    };
    run(on_pool_in_turns(&pool_, std::move(turn)), answer);
    finish();
    EXPECT_EQ(turns, 3);
    EXPECT_EQ(answer.body, "done");
}

}  // namespace
}  // namespace footfall::api
