#include "events/tracking_parameters.h"

#include "events/ascii.h"
#include "events/canonical_url.h"
#include "foundation/lines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// #embed is C23; clang 19, our reference compiler, knows it in C++ too.
#pragma clang diagnostic ignored "-Wc23-extensions"

namespace footfall::events {
namespace {

constexpr char tracking_bytes[] = {
#embed "tracking_parameters.txt"
};
constexpr std::string_view tracking_text{tracking_bytes, sizeof tracking_bytes};

constexpr std::string_view version_word = "version ";

enum class TrackingLine : std::uint8_t { nothing, version, name, prefix };

constexpr TrackingLine kind_of(std::string_view line) {
    if (line.empty() || line.starts_with('#')) {
        return TrackingLine::nothing;
    }
    if (line.starts_with(version_word)) {
        return TrackingLine::version;
    }
    return line.ends_with('*') ? TrackingLine::prefix : TrackingLine::name;
}

/// Calls `use` with every line of that kind, without its "*".
constexpr void for_each_line(TrackingLine kind, auto use) {
    for (std::string_view text = tracking_text; !text.empty();) {
        std::string_view line = trimmed(take_line(text));
        if (kind_of(line) == kind) {
            line.remove_suffix(kind == TrackingLine::prefix ? 1 : 0);
            use(line);
        }
    }
}

/// An order in which most names are told apart without looking at their letters.
constexpr bool before(std::string_view left, std::string_view right) {
    return left.size() != right.size() ? left.size() < right.size() : left < right;
}

/// All lines of a kind, in that order. The list is read by the compiler, so a mistake in it does
/// not build, and nothing is left to do when the program starts.
template <TrackingLine kind>
constexpr auto lines_of_kind() {
    constexpr std::size_t count = [] {
        std::size_t lines = 0;
        for_each_line(kind, [&](std::string_view) { ++lines; });
        return lines;
    }();
    std::array<std::string_view, count> lines;
    std::size_t at = 0;
    for_each_line(kind, [&](std::string_view line) { lines[at++] = line; });
    std::ranges::sort(lines, before);
    return lines;
}

constexpr auto tracking_names = lines_of_kind<TrackingLine::name>();
constexpr auto tracking_prefixes = lines_of_kind<TrackingLine::prefix>();
constexpr auto tracking_versions = lines_of_kind<TrackingLine::version>();

constexpr std::uint32_t number_of(std::string_view digits) {
    std::uint32_t number = 0;
    for (const char digit : digits) {
        number = number * 10 + static_cast<std::uint32_t>(digit - '0');
    }
    return number;
}

static_assert(
    tracking_versions.size() == 1 &&
        number_of(tracking_versions[0].substr(version_word.size())) == canonical_version,
    "the version of tracking_parameters.txt is canonical_version"
);

/// Another name would never be found: what is looked up is in lower case, and normalised.
constexpr bool can_be_found(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char letter) {
        return is_unreserved(letter) && to_lower(letter) == letter;
    });
}

static_assert(std::ranges::all_of(tracking_names, can_be_found));
static_assert(std::ranges::all_of(tracking_prefixes, can_be_found));
static_assert(
    std::ranges::adjacent_find(tracking_names) == tracking_names.end(), "a name stands there twice"
);

constexpr std::size_t longest_tracking_name = tracking_names.back().size();

static_assert(tracking_prefixes.back().size() <= longest_tracking_name);

}  // namespace

bool is_tracking_parameter(std::string_view name) {
    std::array<char, longest_tracking_name> letters{};
    const std::size_t length = std::min(name.size(), letters.size());
    std::ranges::transform(name.substr(0, length), letters.begin(), to_lower);
    const std::string_view beginning{letters.data(), length};
    if (std::ranges::any_of(tracking_prefixes, [&](std::string_view prefix) {
            return beginning.starts_with(prefix);
        })) {
        return true;
    }
    return length == name.size() && std::ranges::binary_search(tracking_names, beginning, before);
}

}  // namespace footfall::events
