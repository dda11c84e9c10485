#pragma once

#include "foundation/result.h"
#include "series/point.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::series {

/// Points of one series as bytes. Times stand as differences of differences and values as XOR with
/// the value before (Pelkonen et al., "Gorilla: a fast, scalable, in-memory time series database",
/// VLDB 2015), or, where all values of the block are decimals of few places, as differences of
/// whole numbers: whichever is the shortest. Every value comes back bit for bit. The same points
/// give the same bytes. The form is docs/formats/point_block.md, why it is so decision 102.
///
/// `points` are settled (settle()): CHECKed. About 0.1 microseconds a point. Pure.
std::string encode(std::span<const Point> points);

/// Adds the points of a block to `points`. `corrupt`, and `points` as it was, if `bytes` are not a
/// block as encode() writes it; a checksum tells. Memory is bounded by four points a byte given.
/// Pure.
Result<void> decode(std::string_view bytes, std::vector<Point>& points);

}  // namespace footfall::series
