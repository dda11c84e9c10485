#pragma once

#include "foundation/result.h"
#include "series/tag_pattern.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::series {

/// Which series are wanted, by their tags, as Graphite has it: `tag=value`, `tag!=value`,
/// `tag=~pattern` and `tag!=~pattern`, all of which are to hold. The name of a series is its tag
/// "name"; a tag that a series has not got is as if it were empty.
///
/// A constant value. Matching a name costs a comparison, or a run of the expression, for each
/// condition: linear in the length of the name.
class TagQuery {
public:
    static constexpr std::size_t conditions_max = 32;

    /// `invalid_input`, which says what is wrong: none of the four forms, too long, too many, no
    /// regular expression; also if each of them holds of an empty value, which would be nearly all
    /// series there are. No conditions are a query that all names fit.
    static Result<TagQuery> parse(std::span<const std::string> conditions);

    /// Whether all conditions hold of a name that parse_name() gave.
    bool matches(std::string_view name) const;

    /// Whether there are no conditions.
    bool is_empty() const { return conditions_.empty(); }

    /// Whether a condition is about this tag.
    bool asks_for(std::string_view tag) const;

    /// The one name that series can have which fit, without tags; null: the query does not say.
    const std::string* name() const;

private:
    enum class Operator : std::uint8_t { equal, unequal, like, unlike };

    struct Condition {
        std::string tag;
        Operator is = Operator::equal;
        std::string value;
        TagPattern pattern = {};

        bool holds_of(std::string_view given) const;
    };

    static Result<Condition> parse_condition(std::string_view text);

    std::vector<Condition> conditions_;
};

}  // namespace footfall::series
