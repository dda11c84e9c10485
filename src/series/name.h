#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace footfall::series {

inline constexpr std::size_t name_bytes_max = 1024;
inline constexpr std::size_t tags_max = 32;

/// The name of a series as it is kept: parts between dots, and behind it tags by the name of the
/// tag, each "tag=value" behind a semicolon, as Carbon has them. In whatever order tags come, it is
/// the same series. `invalid_input`, which says why: it is empty, too long, no UTF-8, has a space,
/// a control character or one that patterns are made of, an empty part, or a tag that is none or
/// comes twice. Pure.
Result<std::string> parse_name(std::string_view text);

/// What stands before the tags, and these; "" if there are none. Of a name that parse_name() gave.
struct SplitName {
    std::string_view name;
    std::string_view tags;  ///< Without the semicolon before the first.
};

SplitName split_name(std::string_view name);

}  // namespace footfall::series
