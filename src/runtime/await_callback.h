#pragma once

#include "runtime/task.h"

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <functional>
#include <utility>

namespace footfall::runtime {

/// Suspends until the callback handed to `start` is called, by whatever thread, and resumes on the
/// coroutine's own thread with what it was called with. `start` is any callable taking
/// std::move_only_function<void(T)>; it must have the callback called exactly once. The coroutine
/// may be done before that call has returned: the thread that makes it ends before the io_context
/// does.
template <class T, class Start>
Task<T> await_callback(Start start) {
    using Token = boost::asio::use_awaitable_t<IoExecutor>;
    const IoExecutor executor = co_await boost::asio::this_coro::executor;
    auto initiate = [executor, start = std::move(start)](auto handler) mutable {
        start(std::move_only_function<void(T)>{[executor,
                                                handler = std::move(handler)](T value) mutable {
            boost::asio::post(
                executor,
                [handler = std::move(handler), value = std::move(value)]() mutable {
                    std::move(handler)(std::move(value));
                }
            );
        }});
    };
    Token token;
    auto awaitable = boost::asio::async_initiate<Token, void(T)>(std::move(initiate), token);
    co_return co_await std::move(awaitable);
}

}  // namespace footfall::runtime
