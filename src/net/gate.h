#pragma once

#include <cstdint>
#include <functional>

namespace footfall::net {

/// Tells when an answer that depends on something else (a write that has to be durable) may leave.
/// Thread-safe. Positions are decided in ascending order: when one is, so are all below it, each
/// for itself as having happened or not.
class Gate {
public:
    Gate() = default;
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    virtual ~Gate() = default;

    /// Whether what `position` names has happened. Cheap. Once decided it stays as it is; false for
    /// ever if nobody can say any more.
    virtual bool open(std::uint64_t position) const = 0;

    /// Calls `decided` once, from any thread, when `position` is decided; open() answers for it
    /// then, and for all below.
    virtual void when_decided(std::uint64_t position, std::move_only_function<void()> decided) = 0;
};

}  // namespace footfall::net
