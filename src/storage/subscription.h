#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace footfall::storage {

/// Holds who is to be told of something, for as long as this lives: the last member of an owner, so
/// that it ends before what its handler uses. Empty when made without a publisher.
///
/// Moved, it is the same subscription. May outlive the publisher. Thread-safe between end() and the
/// publisher's thread only.
class Subscription {
public:
    Subscription() = default;
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;
    Subscription(Subscription&&) noexcept = default;
    Subscription& operator=(Subscription&& other) noexcept;

    ~Subscription() { end(); }

    /// From the return on the handler does not run, and never will: waits for a call that has
    /// begun. So it must be called neither by the handler nor under a lock that the handler takes.
    void end();

private:
    friend class Subscribers;

    struct Handler {
        std::mutex mutex;                      ///< Held during a call.
        std::move_only_function<void()> call;  ///< Guarded by mutex; empty: it has ended.
    };

    explicit Subscription(std::shared_ptr<Handler> handler) : handler_{std::move(handler)} {}

    std::shared_ptr<Handler> handler_;
};

/// Those who are to be told, for the publisher. Thread-safe.
class Subscribers {
public:
    [[nodiscard]] Subscription add(std::move_only_function<void()> handler);

    /// Calls all handlers in the order they were added, on this thread. One that is added
    /// meanwhile is called from the next time on.
    void tell();

private:
    std::mutex mutex_;
    std::vector<std::weak_ptr<Subscription::Handler>> handlers_;  ///< Guarded by mutex_.
};

}  // namespace footfall::storage
