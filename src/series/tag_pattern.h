#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <memory>
#include <string_view>

namespace re2 {
class RE2;
}

namespace footfall::series {

/// A regular expression (RE2's) that has to match from the beginning of a text on, not up to its
/// end, as Graphite has those of tags. One that was not parsed matches everything.
///
/// A constant value, cheap to copy. Matching is linear in the length of the text.
class TagPattern {
public:
    static constexpr std::size_t bytes_max = 1024;

    /// `invalid_input`: it is no regular expression, too long, or takes too much memory.
    static Result<TagPattern> parse(std::string_view text);

    bool matches(std::string_view text) const;

private:
    std::shared_ptr<const re2::RE2> expression_;
};

}  // namespace footfall::series
