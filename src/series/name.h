#pragma once

#include "foundation/result.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::series {

inline constexpr std::size_t name_bytes_max = 1024;
inline constexpr std::size_t tags_max = 32;

/// The name of a series as it is kept: parts between dots, and behind it tags by the name of the
/// tag, each "tag=value" behind a semicolon, as Carbon has them. In whatever order tags come, it is
/// the same series. `invalid_input`, which says why: it is empty, too long, no UTF-8, has a space,
/// a control character or one that patterns are made of, an empty part, or a tag that is none or
/// comes twice. Pure.
Result<std::string> parse_name(std::string_view text);

/// The same without a copy: the text itself, or what is put into `room` if tags have another order.
Result<std::string_view> parse_name(std::string_view text, std::string& room);

/// What stands before the tags, and these; "" if there are none. Of a name that parse_name() gave.
struct SplitName {
    std::string_view name;
    std::string_view tags;  ///< Without the semicolon before the first.
};

SplitName split_name(std::string_view name);

/// Calls `see(tag, value)` for each tag of a name that parse_name() gave: first for the name
/// itself, which is the tag "name" whatever else is called so, then in the order of tags. Pure.
template <class See>
void each_tag(std::string_view name, See see) {
    auto [path, tags] = split_name(name);
    see(std::string_view{"name"}, path);
    while (!tags.empty()) {
        const std::string_view tag = tags.substr(0, tags.find(';'));
        tags.remove_prefix(std::min(tag.size() + 1, tags.size()));
        const std::size_t equals = tag.find('=');
        if (tag.substr(0, equals) != "name") {
            see(tag.substr(0, equals), tag.substr(equals + 1));
        }
    }
}

/// Each tag and its value, in their order: of SplitName::tags.
std::vector<std::pair<std::string_view, std::string_view>> tags_in(std::string_view tags);

}  // namespace footfall::series
