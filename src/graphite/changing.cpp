#include "graphite/functions.h"
#include "graphite/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

/// Functions that make another line of each.
namespace footfall::graphite {
namespace {

/// A copy of a line that a function has other values for, by which it is called from then on.
void become(Drawn& line, std::string_view function, Values values) {
    name_after(line, function);
    line.tags[std::string{function}] = "1";
    line.values = std::move(values);
}

Result<Lines> scale(Call& call) {
    const Number& factor = call.number(1);
    for (Drawn& line : call.lines()) {
        for (std::optional<double>& value : line.values) {
            value = value ? std::optional{*value * factor.value} : std::nullopt;
        }
        name_after(line, "scale", fmt::format(",{:g}", factor.value));
        line.tags["scale"] = decimal_text_of(factor);
    }
    return std::move(call.lines());
}

/// What was fetched for it was so consolidated, and what is shown will be.
Result<Lines> consolidate_lines(Call& call) {
    for (Drawn& line : call.lines()) {
        line.consolidation = call.text(1);
        name_after(line, consolidate_by, fmt::format(",\"{}\"", call.text(1)));
    }
    return std::move(call.lines());
}

Result<Lines> derivative(Call& call) {
    for (Drawn& line : call.lines()) {
        Values values;
        values.reserve(line.values.size());
        std::optional<double> before;
        for (const std::optional<double>& value : line.values) {
            values.push_back(before && value ? std::optional{*value - *before} : std::nullopt);
            before = value;
        }
        become(line, "derivative", std::move(values));
    }
    return std::move(call.lines());
}

/// Bounds of a counter that begins again: at `least` behind `most`, where these are known.
struct Counter {
    std::optional<double> most;
    std::optional<double> least;

    explicit Counter(const Call& call)
        : most{call.has(1) ? std::optional{call.number(1).value} : std::nullopt},
          least{call.has(2) ? std::optional{call.number(2).value} : std::nullopt} {}

    bool is_beyond(double value) const {
        return (most && value > *most) || (least && value < *least);
    }

    /// By how much it grew; absent: nobody knows.
    std::optional<double> growth(double before, double value) const {
        if (value >= before) {
            return value - before;
        }
        if (most) {
            return *most + 1 + value - before - least.value_or(0);
        }
        return least ? std::optional{value - *least} : std::nullopt;
    }
};

Values growths(const Values& values, const Counter& counter) {
    Values all;
    all.reserve(values.size());
    std::optional<double> before;
    for (const std::optional<double>& value : values) {
        if (value && counter.is_beyond(*value)) {
            all.emplace_back();
            before.reset();
            continue;
        }
        all.push_back(before && value ? counter.growth(*before, *value) : std::nullopt);
        before = value;
    }
    return all;
}

Result<Lines> non_negative_derivative(Call& call) {
    const Counter counter{call};
    for (Drawn& line : call.lines()) {
        become(line, "nonNegativeDerivative", growths(line.values, counter));
    }
    return std::move(call.lines());
}

/// To six places, as a decimal text is.
double rounded(double value) {
    std::string text = fmt::format("{:.6f}", value);
    double read = value;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
    return error == std::errc{} ? read : value;
}

Result<Lines> per_second(Call& call) {
    const Counter counter{call};
    for (Drawn& line : call.lines()) {
        Values values = growths(line.values, counter);
        for (std::optional<double>& value : values) {
            value = value ? std::optional{rounded(*value / static_cast<double>(line.step))}
                          : std::nullopt;
        }
        become(line, "perSecond", std::move(values));
    }
    return std::move(call.lines());
}

/// Fills gaps of at most so many values with the one before.
void fill_gaps(Values& values, std::size_t most) {
    std::optional<double> last;
    std::size_t missing = 0;
    for (std::size_t at = 0; at <= values.size(); ++at) {
        if (at < values.size() && !values[at]) {
            ++missing;
            continue;
        }
        if (missing > 0 && missing <= most && last) {
            std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(at - missing), missing, last);
        }
        missing = 0;
        last = at < values.size() ? values[at] : last;
    }
}

Result<Lines> keep_last_value(Call& call) {
    const bool is_bounded = !std::holds_alternative<Inf>(call.values[1]);
    const std::size_t most = is_bounded ? static_cast<std::size_t>(call.number(1).value)
                                        : std::numeric_limits<std::size_t>::max();
    for (Drawn& line : call.lines()) {
        fill_gaps(line.values, most);
        name_after(line, "keepLastValue");
    }
    return std::move(call.lines());
}

/// Whether any of these has a value then.
bool have_value_at(const Lines& lines, std::int64_t time) {
    return std::ranges::any_of(lines, [&](const Drawn& line) {
        const std::int64_t at = (time - line.start) / line.step;
        return time >= line.start && at < static_cast<std::int64_t>(line.values.size()) &&
               line.values[static_cast<std::size_t>(at)].has_value();
    });
}

Result<Lines> transform_null(Call& call) {
    const Number otherwise = call.has(1) ? call.number(1) : Number{.value = 0, .text = "0"};
    const bool is_referred = call.has(2) && !call.lines(2).empty();
    for (Drawn& line : call.lines()) {
        std::int64_t time = line.start;
        for (std::optional<double>& value : line.values) {
            if (!value && (!is_referred || have_value_at(call.lines(2), time))) {
                value = otherwise.value;
            }
            time += line.step;
        }
        name_after(
            line,
            "transformNull",
            fmt::format(",{:g}{}", otherwise.value, is_referred ? ",referenceSeries" : "")
        );
        line.tags["transformNull"] = call.has(1) ? decimal_text_of(otherwise) : otherwise.text;
        if (is_referred) {
            line.tags["referenceSeries"] = "1";
        }
    }
    return std::move(call.lines());
}

}  // namespace

std::vector<Function> changing_functions() {
    const Parameter lines{.name = first_parameter, .wanted = Wanted::lines, .is_required = true};
    const Parameter most{.name = "maxValue", .wanted = Wanted::number};
    const Parameter least{.name = "minValue", .wanted = Wanted::number};
    const Parameter consolidation{
        .name = consolidation_parameter, .wanted = Wanted::aggregation, .is_required = true
    };
    return {
        {consolidate_by,
         "Special",
         "By which aggregation neighbours are put together where a graph has fewer values, and "
         "what "
         "is shown of times of which there are no points any more.",
         {lines, consolidation},
         consolidate_lines,
         true},
        {"derivative", "Transform", "By how much each value changed.", {lines}, derivative},
        {"keepLastValue",
         "Transform",
         "Fills gaps, of so many values at most, with the value before.",
         {lines, {.name = "limit", .wanted = Wanted::count_or_inf, .otherwise = Inf{}}},
         keep_last_value},
        {"nonNegativeDerivative",
         "Transform",
         "By how much a counter grew: where it fell, it began anew, and nothing is known.",
         {lines, most, least},
         non_negative_derivative},
        {"perSecond",
         "Transform",
         "By how much a counter grew in a second.",
         {lines, most, least},
         per_second},
        {"scale",
         "Transform",
         "Multiplies each value.",
         {lines, {.name = "factor", .wanted = Wanted::number, .is_required = true}},
         scale},
        {"transformNull",
         "Transform",
         "Puts a number, 0 if none is given, where there is no value; with other series only where "
         "one of these has a value.",
         {lines,
          {.name = "default", .wanted = Wanted::number},
          {.name = "referenceSeries", .wanted = Wanted::lines}},
         transform_null},
    };
}

}  // namespace footfall::graphite
