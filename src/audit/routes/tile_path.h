#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace footfall::audit::routes {

/// Which tile, or bundle of entries, a path names (c2sp.org/tlog-tiles).
struct TilePath {
    std::optional<unsigned> level;  ///< Absent: entries.
    std::uint64_t tile = 0;
    std::uint64_t width = 256;

    friend bool operator==(const TilePath&, const TilePath&) = default;
};

/// Reads "0/x001/x234/067.p/5" or "entries/000": the level from 0 to 63, the number in groups of
/// three digits, each but the last behind an x, and the width of one that is not full. Absent: it
/// is none.
std::optional<TilePath> read_tile_path(std::string_view path);

}  // namespace footfall::audit::routes
