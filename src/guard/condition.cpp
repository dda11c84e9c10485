#include "guard/condition.h"

#include "guard/lua_condition.h"

#include <mutex>
#include <utility>
#include <vector>

namespace footfall::guard {
namespace {

events::Event full_event() {
    return {
        .id = "1",
        .time = Instant{std::chrono::hours{24}},
        .action = "click",
        .object = "post-1",
        .actor = "u1",
        .address = "192.0.2.7",
        .agent = "Mozilla/5.0",
        .referrer = "https://example.org/",
        .amount = events::micros_a_unit,
        .currency = "EUR",
        .reseller = "r1",
        .ad = "a1",
        .publisher = "p1",
        .attributes = "{}"
    };
}

}  // namespace

struct Condition::Pool {
    std::string source;
    mutable std::mutex mutex{};
    // Guarded by it.
    std::vector<std::unique_ptr<LuaCondition>> idle{};
    std::uint64_t failures = 0;
    std::string last_failure{};

    std::unique_ptr<LuaCondition> take() {
        const std::scoped_lock lock{mutex};
        if (idle.empty()) {
            return nullptr;
        }
        std::unique_ptr<LuaCondition> taken = std::move(idle.back());
        idle.pop_back();
        return taken;
    }

    void give_back(std::unique_ptr<LuaCondition> condition) {
        const std::scoped_lock lock{mutex};
        idle.push_back(std::move(condition));
    }

    bool failed(const Error& error) {
        const std::scoped_lock lock{mutex};
        ++failures;
        last_failure = error.message;
        return false;
    }
};

Condition::Condition(std::unique_ptr<Pool> pool) : pool_{std::move(pool)} {}

Condition::Condition(Condition&&) noexcept = default;
Condition& Condition::operator=(Condition&&) noexcept = default;
Condition::~Condition() = default;

Result<Condition> Condition::compile(std::string source) {
    TRY(std::unique_ptr<LuaCondition> condition, LuaCondition::open(source));
    for (const events::Event& event : {full_event(), events::Event{}}) {
        TRY_VOID(condition->holds(event, event.time, events::Door::public_door));
    }
    auto pool = std::make_unique<Pool>(std::move(source));
    pool->give_back(std::move(condition));
    return Condition{std::move(pool)};
}

bool Condition::holds(const events::Event& event, Instant arrival, events::Door door) const {
    std::unique_ptr<LuaCondition> condition = pool_->take();
    if (!condition) {
        auto opened = LuaCondition::open(pool_->source);
        if (!opened) {
            return pool_->failed(opened.error());
        }
        condition = *std::move(opened);
    }
    const Result<bool> holds = condition->holds(event, arrival, door);
    pool_->give_back(std::move(condition));
    return holds ? *holds : pool_->failed(holds.error());
}

const std::string& Condition::source() const {
    return pool_->source;
}

std::uint64_t Condition::failures() const {
    const std::scoped_lock lock{pool_->mutex};
    return pool_->failures;
}

std::string Condition::last_failure() const {
    const std::scoped_lock lock{pool_->mutex};
    return pool_->last_failure;
}

}  // namespace footfall::guard
