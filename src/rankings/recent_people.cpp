#include "rankings/recent_people.h"

#include "foundation/memory_cost.h"

#include <algorithm>

namespace footfall::rankings {

bool RecentPeople::note(std::uint64_t who) {
    if (buckets_.empty()) {
        buckets_.resize(buckets_count);
    }
    Bucket& bucket = buckets_[who % buckets_count];
    const std::uint32_t fingerprint =
        std::max<std::uint32_t>(static_cast<std::uint32_t>(who >> fingerprint_shift), 1);
    const auto found = std::ranges::find(bucket, fingerprint);
    const bool is_new = found == bucket.end();
    const auto last = is_new ? bucket.end() - 1 : found;
    std::shift_right(bucket.begin(), last + 1, 1);
    bucket.front() = fingerprint;
    return is_new;
}

std::size_t RecentPeople::bytes() const {
    return allocated_bytes(buckets_.capacity() * sizeof(Bucket));
}

void RecentPeople::encode(std::string& out) const {
    out.push_back(buckets_.empty() ? 0 : 1);
    for (const Bucket& bucket : buckets_) {
        const auto end = std::ranges::find(bucket, 0U);
        out.push_back(static_cast<char>(end - bucket.begin()));
        for (auto each = bucket.begin(); each != end; ++each) {
            for (unsigned byte = 0; byte < sizeof *each; ++byte) {
                out.push_back(static_cast<char>(*each >> (8 * byte)));
            }
        }
    }
}

bool RecentPeople::decode(std::string_view& bytes) {
    buckets_.clear();
    if (bytes.empty() || static_cast<unsigned char>(bytes.front()) > 1) {
        return false;
    }
    const bool is_empty = bytes.front() == 0;
    bytes.remove_prefix(1);
    if (is_empty) {
        return true;
    }
    buckets_.resize(buckets_count);
    for (Bucket& bucket : buckets_) {
        const std::size_t size =
            bytes.empty() ? bucket_size + 1 : static_cast<unsigned char>(bytes.front());
        if (size > bucket_size || bytes.size() < 1 + size * sizeof(std::uint32_t)) {
            return false;
        }
        bytes.remove_prefix(1);
        for (std::size_t at = 0; at < size; ++at) {
            for (unsigned byte = 0; byte < sizeof(std::uint32_t); ++byte) {
                bucket[at] |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[byte]))
                              << (8 * byte);
            }
            bytes.remove_prefix(sizeof(std::uint32_t));
        }
    }
    return true;
}

}  // namespace footfall::rankings
