#pragma once

#include "events/event.h"
#include "events/verdict.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace footfall::guard {

/// A condition of the operator's own on the fields of an event: an expression of Lua
/// (docs/decisions/0018-conditions.md), such as
///
///     action == "click" and amount > 100 and not starts_with(referrer, "https://example.org/")
///
/// docs/formats/rules.md lists the names it may use. It sees the event and nothing else, neither
/// the clock nor what it did before; and it has a bound of steps and of memory. When it fails it
/// does not hold, and that is counted.
///
/// Immutable but for its pool of interpreters, one for each thread that is in it at a time (about
/// 20 KiB each); thread-safe.
/// Cost: 0.6 us; 0.3 us more to look into attributes. What runs into its bound of steps: 100 us.
class Condition {
public:
    /// Compiles it, and tries it on an event with all fields and on one with none. `invalid_input`
    /// says in which line of `source` what is wrong.
    static Result<Condition> compile(std::string source);

    Condition(const Condition&) = delete;
    Condition& operator=(const Condition&) = delete;
    Condition(Condition&&) noexcept;
    Condition& operator=(Condition&&) noexcept;
    ~Condition();

    bool holds(const events::Event& event, Instant arrival, events::Door door) const;

    const std::string& source() const;

    /// How often it failed rather than hold or not.
    std::uint64_t failures() const;

    /// Why it did the last time; empty: never.
    std::string last_failure() const;

private:
    struct Pool;

    explicit Condition(std::unique_ptr<Pool> pool);

    std::unique_ptr<Pool> pool_;
};

}  // namespace footfall::guard
