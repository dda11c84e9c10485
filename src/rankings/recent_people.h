#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::rankings {

/// Who was seen of what of late, so that who comes back is not taken for somebody new: the last
/// eight of each of 2,048 buckets, by 32 bits of a hash. Who keeps coming back stays; who has not
/// come for some 16,000 others may be forgotten, and is new again. Two are taken for one once in
/// 500 million times.
///
/// A function of what it was told, in that order. Not thread-safe: the lane's. Takes 64 KiB, from
/// the first on. Cost: a line of cache.
class RecentPeople {
public:
    /// Whether this is somebody new; they are known from now on. `who` is a well-mixed hash of
    /// person, object and whatever else makes them another.
    bool note(std::uint64_t who);

    /// Has what note() will look at on its way to the cache.
    void prefetch(std::uint64_t who) const {
        if (!buckets_.empty()) {
            __builtin_prefetch(&buckets_[who % buckets_count]);
        }
    }

    std::size_t bytes() const;

    /// The same state has the same bytes: of each bucket how many it has, and these, the latest
    /// first, four bytes each, little-endian.
    void encode(std::string& out) const;

    /// Takes what encode() wrote off the front of `bytes`; false: it is damaged.
    bool decode(std::string_view& bytes);

private:
    static constexpr std::size_t buckets_count = 2048;
    static constexpr std::size_t bucket_size = 8;
    static constexpr unsigned fingerprint_shift = 32;

    /// The latest first; 0: nobody.
    using Bucket = std::array<std::uint32_t, bucket_size>;

    std::vector<Bucket> buckets_;  ///< Allocated with the first.
};

}  // namespace footfall::rankings
