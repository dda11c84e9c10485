#include "storage/subscription.h"

#include <utility>

namespace footfall::storage {

Subscription& Subscription::operator=(Subscription&& other) noexcept {
    if (this != &other) {
        end();
        handler_ = std::move(other.handler_);
    }
    return *this;
}

void Subscription::end() {
    if (const auto handler = std::exchange(handler_, nullptr)) {
        const std::lock_guard lock{handler->mutex};
        handler->call = {};
    }
}

Subscription Subscribers::add(std::move_only_function<void()> handler) {
    auto added = std::make_shared<Subscription::Handler>();
    added->call = std::move(handler);
    const std::lock_guard lock{mutex_};
    std::erase_if(handlers_, [](const auto& each) { return each.expired(); });
    handlers_.push_back(added);
    return Subscription{std::move(added)};
}

void Subscribers::tell() {
    std::vector<std::weak_ptr<Subscription::Handler>> told;
    {
        const std::lock_guard lock{mutex_};
        told = handlers_;
    }
    for (const auto& each : told) {
        if (const auto handler = each.lock()) {
            const std::lock_guard lock{handler->mutex};
            if (handler->call) {
                handler->call();
            }
        }
    }
}

}  // namespace footfall::storage
