#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace footfall::net {

/// The coroutine of one connection. A Task would do, but costs three allocated frames and as many
/// queue entries a request; this one is a frame a connection and resumes in the very call that
/// brings what it waits for. Owned, with all its locals, by whoever holds the Loop: destroying it
/// while it waits is how an io_context ends. One thread.
///
/// The coroutine is a member function of Owner, and tells it `loop_ended()`, noexcept, as its last
/// act; the Loop must not be destroyed within that call. No exception may leave it.
template <class Owner>
class Loop {
public:
    class Promise {
    public:
        explicit Promise(Owner& owner) : owner_{&owner} {}

        Loop get_return_object() {
            return Loop{std::coroutine_handle<Promise>::from_promise(*this)};
        }

        std::suspend_always initial_suspend() const noexcept { return {}; }

        std::suspend_always final_suspend() const noexcept {
            owner_->loop_ended();
            return {};
        }

        void return_void() const noexcept {}

        void unhandled_exception() const noexcept { std::terminate(); }

    private:
        Owner* owner_;
    };

    using promise_type = Promise;  // NOLINT(readability-identifier-naming): the language's word

    Loop() = default;
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    Loop(Loop&& other) noexcept : handle_{std::exchange(other.handle_, {})} {}

    Loop& operator=(Loop&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }

    ~Loop() {
        if (handle_) {
            handle_.destroy();
        }
    }

    void start() { handle_.resume(); }

private:
    explicit Loop(std::coroutine_handle<Promise> handle) : handle_{handle} {}

    std::coroutine_handle<Promise> handle_;
};

/// What a Loop waits for: `start` is called with a callback, a small copyable function object that
/// takes a T; the loop goes on, with that T, in the one call of it. It must not come within
/// `start`, and only on the loop's thread.
template <class T, class Start>
class CallbackAwaiter {
public:
    explicit CallbackAwaiter(Start start) : start_{std::move(start)} {}

    bool await_ready() const noexcept { return false; }

    void await_suspend(std::coroutine_handle<> loop) {
        start_([this, loop](T result) {
            result_ = std::move(result);
            loop.resume();
        });
    }

    T await_resume() { return std::move(result_); }

private:
    Start start_;
    T result_{};
};

template <class T, class Start>
CallbackAwaiter<T, Start> until_called(Start start) {
    return CallbackAwaiter<T, Start>{std::move(start)};
}

}  // namespace footfall::net
