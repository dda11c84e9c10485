#pragma once

#include "tokens/counted_object.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace footfall::tokens {

/// An operation that waits for its object, and whom to tell.
struct Waiting {
    Operation operation;  ///< Its `token` points into `token` below.
    std::string token;
    CountDone done;
};

/// An object in memory, or on its way there. Its name stands behind it in the same allocation, so
/// that an object of a few tokens costs two: this, and the tokens. Never moves. Guarded by its
/// lane.
class ObjectEntry {
public:
    struct Destroy {
        void operator()(ObjectEntry* entry) const;
    };

    using Owner = std::unique_ptr<ObjectEntry, Destroy>;

    /// `counter`: its index among the configured ones. The name has at most 1 KiB.
    static Owner make(std::uint16_t counter, std::string_view name);

    ObjectEntry(const ObjectEntry&) = delete;
    ObjectEntry& operator=(const ObjectEntry&) = delete;

    std::uint16_t counter() const { return counter_; }

    std::string_view name() const { return {reinterpret_cast<const char*>(this + 1), name_bytes_}; }

    /// What it takes from the heap, tokens included; what waits for it does not count.
    std::size_t bytes() const;

    CountedObject object;                          ///< Void unless `loaded`.
    std::unique_ptr<std::deque<Waiting>> waiting;  ///< In order of arrival; null unless busy.
    bool loaded = false;                           ///< `object` is the state of the object.
    bool busy = true;         ///< Being loaded, or a row of it being read: operations wait.
    bool used_again = false;  ///< Since eviction looked at it last.

private:
    ObjectEntry(std::uint16_t counter, std::string_view name);
    ~ObjectEntry() = default;

    const std::uint16_t counter_;
    const std::uint16_t name_bytes_;
};

static_assert(sizeof(ObjectEntry) == 88);  // as many as there are objects: every byte counts

}  // namespace footfall::tokens
