#pragma once

#include "runtime/accounted_lanes.h"
#include "tokens/chunk_pool.h"
#include "tokens/counted_object.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string_view>

namespace footfall::tokens {

/// The objects of one lane that were not used for a while, packed one behind the other: the name,
/// and of each token a short hash (CountedObject::short_hashes). That is enough to answer a GET,
/// and a PUT of a token that is new, and takes a half to a third of an ObjectEntry: about 40 bytes
/// for an object of three tokens with a name of 14 bytes.
///
/// A log in memory (Rumble, Kejriwal, Ousterhout, "Log-structured memory for DRAM-based storage",
/// FAST 2014): what comes is written behind the last, what is taken out leaves a gap, and clean()
/// goes on from the oldest: it moves those who stay to the end while there are many gaps, and else
/// lets them go. So the order is that of the last use, and nothing is lost to fragments.
///
/// A cache: everything in here is durable in the store, and may vanish. Not thread-safe: guarded by
/// the lane. Cost: put and take about 0.2 us.
class ColdObjects {
public:
    ColdObjects() = default;
    ColdObjects(const ColdObjects&) = delete;
    ColdObjects& operator=(const ColdObjects&) = delete;

    ~ColdObjects() { clear(); }

    /// Where it takes its memory from; called once, before all else. `pool` must outlive it.
    void use(ChunkPool& pool) { pool_ = &pool; }

    /// Keeps an object that is not here; `hash` is of counter and name. False: it cannot be packed,
    /// for it has too many tokens, two of one short hash, or something rare.
    bool put(
        std::uint64_t hash, std::uint16_t counter, std::string_view name, const CountedObject& state
    );

    /// Takes out the object if it is here. All that it knew is durable: `last_position` is 0.
    std::optional<CountedObject> take(
        std::uint64_t hash, std::uint16_t counter, std::string_view name
    );

    /// Looks at the `most` oldest objects and gaps, to need less memory. `hash_of(counter, name)`
    /// is the hash that put() had.
    template <class HashOf>
    void clean(std::size_t most, const HashOf& hash_of);

    void clear();

    std::size_t size() const { return places_.size(); }

    /// What it takes from the heap. O(1).
    std::size_t bytes() const;

    /// Pieces it has of the pool.
    std::size_t chunks() const { return chunks_.size(); }

    /// The bytes of gaps, as clean() goes by them, and counted anew. O(objects), for tests.
    runtime::AccountAudit audit_gaps() const;

private:
    struct Chunk {
        unsigned char* bytes;  ///< Of the pool.
        std::uint32_t used = 0;
    };

    /// Where an object stands: its chunk's number in the order of making, then the byte in it.
    using Place = std::uint32_t;

    struct Name {
        std::uint16_t counter;
        std::string_view text;
    };

    std::span<unsigned char> room_for(std::size_t bytes, Place& place);
    unsigned char* at(Place place);
    void bury(unsigned char* record);
    std::optional<Name> oldest();
    void settle_oldest(std::uint64_t hash);

    ChunkPool* pool_ = nullptr;
    std::deque<Chunk> chunks_;
    Place first_ = 0;         ///< The number of the oldest chunk.
    std::uint32_t hand_ = 0;  ///< Where clean() goes on in it.
    std::size_t gaps_ = 0;    ///< Bytes of what was taken out and clean() has not come by.
    /// By 32 bits of the hash: of two objects that share them the later is kept.
    boost::unordered_flat_map<std::uint32_t, Place> places_;
};

template <class HashOf>
void ColdObjects::clean(std::size_t most, const HashOf& hash_of) {
    for (; most > 0 && !chunks_.empty(); --most) {
        if (const std::optional<Name> name = oldest()) {
            settle_oldest(hash_of(name->counter, name->text));
        }
    }
}

}  // namespace footfall::tokens
