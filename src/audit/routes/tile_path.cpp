#include "audit_routes/tile_path.h"

#include "foundation/parse_number.h"

#include <algorithm>
#include <string>

namespace footfall::audit::routes {
namespace {

constexpr std::uint64_t levels = 64;
constexpr std::uint64_t full_width = 256;
constexpr std::size_t digits_a_group = 3;
/// Of 64 bits; a longer number is none.
constexpr std::size_t most_groups = 6;

/// A number as it is written once: no sign, and no 0 before another digit.
std::optional<std::uint64_t> plain_number(std::string_view text) {
    return text.size() > 1 && text.front() == '0' ? std::nullopt : parse_unsigned(text);
}

/// What stands before the next slash, which is cut off with it.
std::string_view next_part(std::string_view& path) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    return part;
}

/// "x001/x234/067": a first group of zeros is only written where it is the only one.
std::optional<std::uint64_t> grouped_number(std::string_view path) {
    std::string digits;
    bool has_more = true;
    for (std::size_t groups = 0; has_more; ++groups) {
        std::string_view group = next_part(path);
        has_more = group.starts_with('x');
        group.remove_prefix(has_more ? 1 : 0);
        const bool is_needless = has_more && groups == 0 && group == "000";
        if (group.size() != digits_a_group || groups == most_groups || is_needless) {
            return std::nullopt;
        }
        digits += group;
    }
    return path.empty() ? parse_unsigned(digits) : std::nullopt;
}

}  // namespace

std::optional<TilePath> read_tile_path(std::string_view path) {
    TilePath read;
    if (const std::string_view level = next_part(path); level != "entries") {
        const auto number = plain_number(level);
        if (!number || *number >= levels) {
            return std::nullopt;
        }
        read.level = static_cast<unsigned>(*number);
    }
    if (path.ends_with('/')) {
        return std::nullopt;
    }
    if (const std::size_t partial = path.find(".p/"); partial != std::string_view::npos) {
        const auto width = plain_number(path.substr(partial + 3));
        if (!width || *width == 0 || *width >= full_width) {
            return std::nullopt;
        }
        read.width = *width;
        path = path.substr(0, partial);
    }
    const auto tile = grouped_number(path);
    if (!tile) {
        return std::nullopt;
    }
    read.tile = *tile;
    return read;
}

}  // namespace footfall::audit::routes
