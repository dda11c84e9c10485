#pragma once

#include "foundation/clock.h"
#include "foundation/random.h"
#include "rankings/kept_name.h"
#include "rankings/slot_index.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::rankings {

struct HotObject {
    std::string object;
    /// Events of late, halved every 10 s: of r a second between 10 r and 20 r.
    std::uint32_t events = 0;
};

struct HotSettings {
    std::size_t kept = 128;    ///< Objects with names: 1 to 1,024.
    std::size_t width = 1024;  ///< Buckets a row: a power of two, 16 to 4,096.
};

/// Which objects of one lane have the most events just now: HeavyKeeper (Gong, Yang, Zhang, Li,
/// Uhlig, Chen, Uden, Li, USENIX ATC 2018) with two rows and b = 1.08, and the largest with their
/// names beside it. A bucket belongs to one object; another's event takes one off it with the
/// chance b^-count, so that the large stay and the small pass through.
///
/// No bound is hard: a count is seldom above the true one (two names of one fingerprint in one
/// bucket) and a little below it; of the largest hundred nearly none is missed. Draws come from a
/// generator with a constant seed, so the same events at the same times give the same answer.
///
/// Not thread-safe: the lane's. Accounted (runtime/accounted_lanes.h). add() costs 0.05 us. Takes
/// 16 KiB for buckets, 5 for the largest, and their names, of up to 1,024 bytes each.
class HotObjects {
public:
    static constexpr std::chrono::seconds halved_every{10};

    explicit HotObjects(HotSettings settings = {});

    /// An event. `hash` is well mixed and the same in every call. `now` may go back a little; after
    /// more than a minute it is taken for a clock that was set.
    void add(std::uint64_t hash, std::string_view object, Instant now);

    /// The largest first, equal ones by name; none that has been halved away.
    std::vector<HotObject> top(Instant now) const;

    std::size_t bytes() const;
    std::size_t recount() const;

private:
    static constexpr std::size_t rows = 2;

    struct Bucket {
        std::uint32_t fingerprint = 0;
        std::uint32_t count = 0;
    };

    struct Kept {
        std::uint64_t hash = 0;
        std::uint32_t count = 0;
        KeptName name;
    };

    unsigned halvings_until(std::int64_t tick) const;
    void halve(Instant now);
    std::uint32_t count_of(std::uint64_t hash);
    std::uint16_t least() const;
    void keep(std::uint64_t hash, std::string_view object, std::uint32_t count);

    HotSettings settings_;

    Random random_;
    std::int64_t tick_ = 0;        ///< Of `halved_every` since 1970: up to which all is halved.
    std::vector<Bucket> buckets_;  ///< Row after row; allocated with the first event.
    std::vector<Kept> kept_;
    SlotIndex index_;
    /// Nobody in kept_ has less.
    std::uint32_t least_ = 0;
    std::size_t names_bytes_ = 0;
};

}  // namespace footfall::rankings
