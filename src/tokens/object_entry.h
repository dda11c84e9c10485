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

/// An object in memory, or on its way there. There are as many as fit, so it is small: most objects
/// have few tokens, and their state lies packed behind the name, all in one allocation. What is
/// larger, or waited for, stands apart. Guarded by its lane.
///
/// The state is taken out, worked with and given back. Giving it back may move the entry to another
/// address, so only he may do so who holds it: the owner of a busy entry, else anybody under the
/// lane's mutex.
///
/// Cost: to take and give back 3 tokens about 0.1 us, 32 tokens 0.5 us; more are only moved.
class ObjectEntry {
public:
    struct Destroy {
        void operator()(ObjectEntry* entry) const;
    };

    using Owner = std::unique_ptr<ObjectEntry, Destroy>;

    /// So many tokens are packed at most.
    static constexpr std::size_t packed_tokens_max = 32;

    /// Busy, not loaded. `counter`: its index among the configured ones. The name has at most 1
    /// KiB.
    static Owner make(std::uint16_t counter, std::string_view name);

    ObjectEntry(const ObjectEntry&) = delete;
    ObjectEntry& operator=(const ObjectEntry&) = delete;

    std::uint16_t counter() const { return counter_; }

    std::string_view name() const { return {reinterpret_cast<const char*>(this + 1), name_bytes_}; }

    /// Whether the state of the object is known.
    bool loaded() const { return packed_ || (apart() != nullptr && apart()->loaded); }

    /// Whether it is loaded, small, and in one piece.
    bool packed() const { return packed_; }

    /// The state, which has to be given back. Must be loaded.
    CountedObject take_state();

    /// Makes `state` that of the object.
    static void give_state(Owner& entry, CountedObject state);

    /// Forgets the state; the entry stays where it is.
    void drop_state();

    // Of the state, without taking it; it must be loaded.
    storage::CommitPosition last_position() const;
    SpanLevel level_of(std::int64_t span) const;  ///< As of CountedObject.
    bool is_stored() const;                       ///< Whether the directory has it, or will have.
    DirectoryEntry directory() const;

    /// What waits for it, in order of arrival. The entry stays where it is.
    std::deque<Waiting>& waiting();

    bool anyone_waits() const { return apart() != nullptr && !apart()->waiting.empty(); }

    /// What it takes from the heap, tokens included; what waits for it does not count.
    std::size_t bytes() const;

private:
    /// What an entry is made of that is not packed.
    struct Apart {
        CountedObject object;  ///< Void unless `loaded`.
        bool loaded = false;
        std::deque<Waiting> waiting = {};
    };

    ObjectEntry(std::uint16_t counter, std::string_view name, std::size_t room);
    ~ObjectEntry();

    static Owner make(std::uint16_t counter, std::string_view name, std::size_t room);
    static void resize(Owner& entry, std::size_t room);

    Apart* apart() const { return packed_ ? nullptr : state_.apart; }

    Apart& set_apart();
    void pack(const CountedObject& state);
    CountedObject unpack() const;

    unsigned char* packed_bytes() {
        return reinterpret_cast<unsigned char*>(this + 1) + name_bytes_;
    }

    const unsigned char* packed_bytes() const {
        return reinterpret_cast<const unsigned char*>(this + 1) + name_bytes_;
    }

    union State {
        storage::CommitPosition position;  ///< If it is packed: CountedObject::last_position,
        Apart* apart;                      ///< else this, which it owns, or null.
    };

    State state_{.apart = nullptr};
    // Constant, and words of their own: the owner of a busy entry reads the name without the mutex.
    const std::uint16_t counter_;
    const std::uint16_t name_bytes_;
    // The rest is one word.
    std::uint32_t room_ : 9;  ///< Bytes behind the name.
    bool packed_ : 1 = false;
    // If it is packed:
    std::uint32_t tokens_ : 6 = 0;
    std::int32_t size_class_ : 5 = 0;  ///< DirectoryEntry::size_class.
    bool confirmed_ : 1 = false;       ///< DirectoryEntry::confirmed.
    bool fades_ : 1 = false;           ///< DirectoryEntry::expiry is not `never`, and stands first.
    bool shared_ : 1 = false;          ///< CountedObject::fresh_until is not `never`, and is next.
    bool expiring_ : 1 = false;        ///< Behind the tokens' hashes stand their expiries.
    bool short_hashes_ : 1 = false;    ///< CountedObject::short_hashes.

public:
    bool busy : 1 = true;         ///< Being loaded, or a row of it being read: operations wait.
    bool used_again : 1 = false;  ///< Since eviction looked at it last.
};

static_assert(sizeof(ObjectEntry) == 16);  // as many as there are objects: every byte counts

}  // namespace footfall::tokens
