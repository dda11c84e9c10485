#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace footfall::graphite {

/// What stands in a target. A plain value.
struct Expression {
    enum class Kind : std::uint8_t {
        pattern,  ///< A series, or a pattern of series: `text`.
        call,     ///< A function: `text` is its name.
        number,   ///< `number`, and `text` as it was written.
        text,     ///< In quotes: `text` is what stands between them.
        truth,    ///< true or false: `number` is 1 or 0.
        endless,  ///< inf
        nothing   ///< None
    };

    Kind kind = Kind::nothing;
    std::string text = {};
    double number = 0;
    std::vector<Expression> arguments = {};
    std::vector<std::pair<std::string, Expression>> named = {};  ///< name=value, behind the others.
    std::string source = {};  ///< A call as it was written, without what pipes bring.
};

/// Reads a target as Graphite 1.1 writes it: `alias(sumSeries(a.{b,c}.*), 'x')`, or with pipes,
/// `a.*|sumSeries()|alias('x')`, which is the same. `invalid_input` says what was expected and at
/// which character; also if it is longer than 16,000 bytes or deeper than 32 calls. Pure.
Result<Expression> parse_target(std::string_view target);

}  // namespace footfall::graphite
