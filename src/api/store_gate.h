#pragma once

#include "net/gate.h"
#include "storage/store.h"

#include <functional>
#include <utility>

namespace footfall::api {

/// Lets answers leave once the store says that what they depend on is durable. `store` must outlive
/// it. Thread-safe.
class StoreGate final : public net::Gate {
public:
    explicit StoreGate(storage::Store& store) : store_{&store} {}

    bool open(std::uint64_t position) const override { return store_->durable(position); }

    void when_decided(std::uint64_t position, std::move_only_function<void()> decided) override {
        store_->when_durable(position, [decided = std::move(decided)](const Result<void>&) mutable {
            decided();
        });
    }

private:
    storage::Store* store_;
};

}  // namespace footfall::api
