#pragma once

#include "foundation/clock.h"
#include "foundation/siphash.h"
#include "people/former_readers.h"
#include "people/person.h"
#include "people/reader.h"

#include <boost/unordered/unordered_flat_set.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace footfall::people {

/// A person who has taken back a part of what they shared, as sharers have them.
struct Past {
    std::uint32_t now = 0;              ///< The id of the reader that they are.
    std::vector<std::uint32_t> before;  ///< Those of the former ones, the oldest first.
    std::vector<FormerReader> formers;  ///< The same.
};

/// All who share what they read, or have paused, in memory: who takes a read, or answers who read
/// it, waits for no store. Each has a dense id of this process, which is never given to another
/// reader: ids of those who left stand for nobody.
///
/// Thread-safe: one shared mutex; a look-up is a hash of the name and two cache misses. At most 64
/// bytes a sharer with a name of 12 bytes; what left stays until the next start.
class Sharers {
public:
    using Id = std::uint32_t;

    explicit Sharers(SipKey secret);

    Sharers(const Sharers&) = delete;
    Sharers& operator=(const Sharers&) = delete;
    ~Sharers() = default;

    /// That this holds of the actor from now on. Another reader than before has another id;
    /// `formers` are all that stay of those they were.
    void put(
        std::string_view actor,
        const Reader& reader,
        const Consent& consent,
        std::span<const FormerReader> formers = {}
    );

    /// Those of the actor's former readers who became one until then are none any more.
    void forget_formers(std::string_view actor, Instant through);

    /// The actor is off, and none of the readers they were.
    void remove(std::string_view actor);

    struct Sharing {
        Id id = 0;
        Reader reader;
    };

    /// As whom the actor shares at `now` what they read on `host`; absent: it is not shared.
    std::optional<Sharing> sharing(std::string_view actor, std::string_view host, Instant now)
        const;

    /// The id of the actor, who may have paused; absent: off.
    std::optional<Id> id_of(std::string_view actor) const;

    /// As whom the actor is known, who may have paused, and to whom they appear; absent: off.
    struct Shown {
        Id id = 0;
        std::uint64_t number = 0;  ///< Reader::number.
        Audience to = Audience::anyone;
        std::shared_ptr<const Past> past;  ///< Null: has taken nothing back.
    };

    std::optional<Shown> shown(std::string_view actor) const;

    /// Of who has taken something back, by any of their ids; null: this one has not.
    std::shared_ptr<const Past> past_of(Id id) const;

    /// All who have.
    std::vector<std::shared_ptr<const Past>> pasts() const;

    /// The id of the reader with this number, a former one maybe; absent: nobody.
    std::optional<Id> id_of_reader(std::uint64_t number) const;

    /// Absent: who had this id is off.
    std::optional<Reader> reader_of(Id id) const;

    struct Numbered {
        Id id = 0;
        Reader reader;
    };

    /// Both of the reader with this number, a former one maybe; absent: nobody.
    std::optional<Numbered> numbered(std::uint64_t number) const;

    /// Who has this id; empty: nobody any more.
    std::string actor_of(Id id) const;

    /// Takes out of these whose id is that of somebody who is off.
    template <class Entry>
    void keep_those_who_share(std::vector<Entry>& entries, Id Entry::* id) const {
        const std::shared_lock lock{mutex_};
        std::erase_if(entries, [&](const Entry& each) {
            return each.*id >= next_ || flags(each.*id) == 0;
        });
    }

    /// All ids that were given are below.
    Id ids_end() const;

    std::size_t size() const;

    /// Memory that all of them take.
    std::size_t bytes() const;

private:
    static constexpr std::size_t chunk_readers = 4096;
    static constexpr std::size_t name_block_bytes = 1 << 16;
    static constexpr std::uint8_t there = 1;
    static constexpr std::uint8_t paused = 2;
    static constexpr std::uint8_t paused_until = 4;   ///< Then it is in until_.
    static constexpr std::uint8_t on_some_sites = 8;  ///< Then they are in sites_.
    static constexpr std::uint8_t to_friends = 16;
    static constexpr std::uint8_t with_past = 32;  ///< Then it is in pasts_.

    /// What a look-up needs stands together, mostly in one line of the cache, and without gaps.
    struct Row {
        std::array<std::byte, sizeof(Reader::number)> number;
        ReaderKey key;
        std::uint32_t name;  ///< Where it is in name_blocks_.
    };

    static_assert(sizeof(Row) == 28);

    struct Chunk {
        std::array<Row, chunk_readers> rows;
        std::array<std::uint8_t, chunk_readers> flags;
    };

    struct ByActor {
        using is_transparent = void;
        const Sharers* sharers;
        std::size_t operator()(std::string_view actor) const;
        std::size_t operator()(Id id) const;

        bool operator()(Id one, Id other) const { return one == other; }

        bool operator()(std::string_view actor, Id id) const;
        bool operator()(Id id, std::string_view actor) const;
    };

    struct ByNumber {
        using is_transparent = void;
        using is_avalanching = void;  ///< Numbers are random.
        const Sharers* sharers;

        std::size_t operator()(std::uint64_t number) const { return number; }

        std::size_t operator()(Id id) const { return sharers->number(id); }

        bool operator()(Id one, Id other) const { return one == other; }

        bool operator()(std::uint64_t number, Id id) const { return sharers->number(id) == number; }

        bool operator()(Id id, std::uint64_t number) const { return sharers->number(id) == number; }
    };

    Row& row(Id id) const { return chunk(id).rows[id % chunk_readers]; }

    std::uint64_t number(Id id) const { return std::bit_cast<std::uint64_t>(row(id).number); }

    Reader reader(Id id) const { return {.number = number(id), .key = row(id).key}; }

    std::uint8_t& flags(Id id) const { return chunk(id).flags[id % chunk_readers]; }

    Chunk& chunk(Id id) const { return *chunks_[id / chunk_readers]; }

    std::string_view name(Id id) const;
    Id add(const Reader& reader, std::uint32_t name);
    Id present(std::string_view actor, const Reader& reader);
    std::uint32_t store_name(std::string_view actor);
    std::vector<Id> take_past(Id id);
    void replace_past(Id id, const std::vector<Id>& before, std::span<const FormerReader> formers);
    void set_past(Id id, std::span<const FormerReader> formers);
    void take_out(Id id);
    void set_consent(Id id, const Consent& consent);

    const SipKey secret_;
    mutable std::shared_mutex mutex_;  ///< Guards all below.
    std::vector<std::unique_ptr<Chunk>> chunks_;
    std::vector<std::unique_ptr<char[]>> name_blocks_;
    std::size_t name_block_used_ = name_block_bytes;
    Id next_ = 0;
    boost::unordered_flat_set<Id, ByActor, ByActor> by_actor_;
    boost::unordered_flat_set<Id, ByNumber, ByNumber> by_number_;
    std::unordered_map<Id, Instant> until_;                      ///< Few have paused.
    std::unordered_map<Id, std::vector<std::string>> sites_;     ///< Few name any.
    std::unordered_map<Id, std::shared_ptr<const Past>> pasts_;  ///< Few take anything back.
};

}  // namespace footfall::people
