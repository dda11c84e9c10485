#include "timeseries/small_pieces.h"

#include "foundation/check.h"

#include <cstring>
#include <limits>
#include <utility>

namespace footfall::timeseries {

SmallPieces::Ref SmallPieces::take(std::size_t bytes) {
    CHECK(bytes > 0 && bytes <= bytes_max, "the size of a piece", bytes);
    const std::size_t units = bytes_of(bytes) / unit;
    if (const Ref piece = free_[units]; piece != none) {
        std::memcpy(&free_[units], at(piece), sizeof(Ref));
        free_bytes_ -= units * unit;
        return piece;
    }
    if (used_ + units > units_a_block) {
        CHECK(
            (blocks_.size() + 1) * units_a_block <= std::numeric_limits<Ref>::max(),
            "pieces beyond 32 GiB"
        );
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(units_a_block * unit));
        used_ = 0;
    }
    const auto piece = static_cast<Ref>((blocks_.size() - 1) * units_a_block + used_);
    used_ += units;
    return piece;
}

void SmallPieces::give_back(Ref piece, std::size_t bytes) {
    const std::size_t units = bytes_of(bytes) / unit;
    std::memcpy(at(piece), &free_[units], sizeof(Ref));
    free_[units] = piece;
    free_bytes_ += units * unit;
}

void SmallPieces::swap(SmallPieces& other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(used_, other.used_);
    std::swap(free_bytes_, other.free_bytes_);
    std::swap(free_, other.free_);
}

}  // namespace footfall::timeseries
