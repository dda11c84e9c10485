#pragma once

#include "foundation/result.h"
#include "graphite/drawn.h"
#include "graphite/expression.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace footfall::graphite {

/// What is fetched: of points behind `from` and at `until` at the latest. Where there are several
/// figures for points that are not kept any more, that of the aggregation of this name.
struct Asked {
    std::int64_t from = 0;
    std::int64_t until = 0;
    std::string_view consolidation;
    /// Nothing is done with the values but to show them: where fewer are shown, neighbours may be
    /// put together by that aggregation as soon as they are there.
    bool is_shown = false;
};

/// The lines that a pattern stands for.
using Fetch = std::function<Result<Lines>(std::string_view pattern, const Asked& asked)>;

/// The same of the series whose tags meet all these conditions (series::TagQuery).
using FetchTagged =
    std::function<Result<Lines>(const std::vector<std::string>& conditions, const Asked& asked)>;

/// What is asked of a target.
struct Question {
    std::int64_t from = 0;   ///< Seconds since 1970.
    std::int64_t until = 0;  ///< The same, later.
    Fetch fetch;
    FetchTagged fetch_tagged;
    std::stop_token left;  ///< Whoever asked has gone.
    std::string_view consolidation = "average";
    bool is_shown = true;                  ///< What is worked out is, and not worked on any more.
    bool is_consolidation_chosen = false;  ///< By a function around it.

    Asked asked() const {
        return {.from = from, .until = until, .consolidation = consolidation, .is_shown = is_shown};
    }
};

/// Works out a target. Some functions look at another time than was asked for, so what they are
/// given is fetched once more; after 1,000 steps no more is (`invalid_input`, as is a function that
/// there is not, whose neighbours are named, and an argument that does not fit). `cancelled`;
/// failures of the fetch.
Result<Lines> evaluate(const Expression& target, const Question& question);

/// What an argument of a function is to be.
enum class Wanted : std::uint8_t {
    lines,   ///< What a pattern or a function answers.
    number,  ///< Any.
    whole,   ///< A whole number.
    count,   ///< A whole number from 0 on.
    count_or_inf,
    count_or_span,  ///< A number of values, or a span of time in quotes.
    span,           ///< In quotes.
    text,
    truth,
    aggregation,  ///< The name of one.
    node,         ///< A part of a name by its number from 0, or a tag by its name.
    lines_or_number
};

/// A number as it was written.
struct Number {
    double value = 0;
    std::string text = {};
};

struct Inf {};

/// An argument; the first: there is none.
using Value = std::variant<std::monostate, Lines, Number, std::string, bool, Inf>;

struct Parameter {
    std::string_view name;
    Wanted wanted = Wanted::lines;
    bool is_required = false;
    bool repeats = false;  ///< All that come behind it are it, too.
    Value otherwise = {};  ///< Holds where it is not given.
};

struct Steps;

/// How the first parameter of most functions is called.
inline constexpr std::string_view first_parameter = "seriesList";

/// The function that chooses Question::consolidation for what it is given, and by which parameter.
inline constexpr std::string_view consolidate_by = "consolidateBy";
inline constexpr std::string_view consolidation_parameter = "consolidationFunc";

/// One call of a function: its arguments in the order of its parameters.
struct Call {
    const Question* question = nullptr;
    const Expression* expression = nullptr;
    Steps* steps = nullptr;
    std::vector<Value> values;

    bool has(std::size_t at) const {
        return at < values.size() && !std::holds_alternative<std::monostate>(values[at]);
    }

    Lines& lines(std::size_t at = 0) { return std::get<Lines>(values[at]); }

    const Number& number(std::size_t at) const { return std::get<Number>(values[at]); }

    const std::string& text(std::size_t at) const { return std::get<std::string>(values[at]); }

    bool truth(std::size_t at) const { return std::get<bool>(values[at]); }

    /// The first argument once more, of another time.
    Result<Lines> first_again(std::int64_t from, std::int64_t until) const;
};

struct Function {
    std::string_view name;
    std::string_view group;        ///< Where an editor of graphs shows it, as Graphite has these.
    std::string_view description;  ///< For people: a sentence or two.
    std::vector<Parameter> parameters;
    Result<Lines> (*run)(Call& call) = nullptr;
    bool leaves_values = false;  ///< It looks at no value, and changes none.
};

/// Those there are, by name.
std::span<const Function> functions();

/// Null: there is none.
const Function* find_function(std::string_view name);

/// A sentence that says that there is none, and which are named like it.
std::string no_such_function(std::string_view name);

/// Those that make one line of many (combining.cpp), each line another (changing.cpp), look at
/// other times (shifting.cpp), name, choose and sort, also by tags (choosing.cpp).
std::vector<Function> combining_functions();
std::vector<Function> changing_functions();
std::vector<Function> shifting_functions();
std::vector<Function> choosing_functions();

}  // namespace footfall::graphite
