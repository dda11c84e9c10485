#include "graphite/aggregation.h"
#include "graphite/functions.h"
#include "graphite/naming.h"
#include "graphite/span_of_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Functions that look at other times, or at longer ones.
namespace footfall::graphite {
namespace {

/// Values that are looked at for all windows of a line, or written for one.
constexpr std::int64_t window_values_max = 200'000'000;
constexpr std::int64_t summaries_max = 1'000'000;

std::int64_t span_of(const std::string& text) {
    return parse_span(text).value_or(0);  // Wanted::span has it checked
}

std::unexpected<Error> too_much(std::string_view function) {
    return fail(
        ErrorKind::invalid_input,
        fmt::format("target: {} of that is too much: ask for a shorter time", function)
    );
}

/// How long a window is.
struct Window {
    std::int64_t seconds = 0;
    std::int64_t values = 0;  ///< 0: as many as the span has steps.
    std::string text;         ///< As it was written, in quotes where it is a span.

    std::int64_t values_of(const Drawn& line) const {
        return values > 0 ? values : seconds / line.step;
    }
};

Window window_of(Call& call) {
    if (const auto* const text = std::get_if<std::string>(&call.values[1])) {
        return {.seconds = std::abs(span_of(*text)), .text = fmt::format("\"{}\"", *text)};
    }
    const Number& number = call.number(1);
    std::int64_t step = 0;
    for (const Drawn& line : call.lines()) {
        step = std::max(step, line.step);
    }
    const auto values = static_cast<std::int64_t>(number.value);
    return {.seconds = step * values, .values = values, .text = number.text};
}

/// Each value is made of those of a window that ends there. What the first windows need is fetched.
Result<Lines> moving(Call& call, const std::string& by, std::size_t share_at) {
    if (call.lines().empty()) {
        return Lines{};
    }
    TRY(const Aggregation aggregation, aggregation_named(by));
    const Window window = window_of(call);
    const double least_share = call.has(share_at) ? call.number(share_at).value : 0;
    std::string function = "moving" + by;
    function[6] = static_cast<char>(function[6] >= 'a' ? function[6] - 'a' + 'A' : function[6]);
    TRY(Lines lines, call.first_again(call.question->from - window.seconds, call.question->until));
    for (Drawn& line : lines) {
        const std::int64_t values = window.values_of(line);
        const auto count = static_cast<std::int64_t>(line.values.size());
        if (values > 0 && count > window_values_max / values) {
            return too_much(function);
        }
        const std::span<const std::optional<double>> all{line.values};
        Values moved;
        Values present;
        for (std::int64_t end = values + 1; end <= count; ++end) {
            const auto some = all.subspan(
                static_cast<std::size_t>(end - values), static_cast<std::size_t>(values)
            );
            present.clear();
            std::ranges::copy_if(some, std::back_inserter(present), [](const auto& each) {
                return each.has_value();
            });
            const bool is_enough =
                !present.empty() &&
                static_cast<double>(present.size()) >= least_share * static_cast<double>(values);
            moved.push_back(is_enough ? aggregation(present) : std::nullopt);
        }
        line.name = line.path = fmt::format("{}({},{})", function, line.name, window.text);
        line.start += window.seconds;
        line.values = std::move(moved);
        line.tags[function] = window.text.starts_with('"')
                                  ? window.text.substr(1, window.text.size() - 2)
                                  : window.text;
    }
    return lines;
}

Result<Lines> moving_average(Call& call) {
    return moving(call, "average", 2);
}

Result<Lines> moving_max(Call& call) {
    return moving(call, "max", 2);
}

Result<Lines> moving_min(Call& call) {
    return moving(call, "min", 2);
}

Result<Lines> moving_sum(Call& call) {
    return moving(call, "sum", 2);
}

Result<Lines> moving_window(Call& call) {
    return moving(call, call.text(2), 3);
}

/// For one line: what `aggregation` makes of the values of each interval.
Values summaries_of(
    const Drawn& line,
    std::int64_t interval,
    std::int64_t start,
    std::int64_t end,
    Aggregation aggregation
) {
    const std::span<const std::optional<double>> all{line.values};
    const std::int64_t steps = (line.end - line.start + line.step - 1) / line.step;
    const auto count =
        std::min(static_cast<std::int64_t>(all.size()), std::max<std::int64_t>(steps, 0));
    Values summaries;
    std::int64_t at = 0;
    for (std::int64_t begin = start; begin < end; begin += interval) {
        std::int64_t first = at;
        bool has_one = false;
        for (; at < count && line.start + at * line.step < begin + interval; ++at) {
            const std::int64_t time = line.start + at * line.step;
            first = time <= begin ? at : first;
            has_one = has_one || (time >= begin && all[static_cast<std::size_t>(at)]);
        }
        const auto some =
            all.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(at - first));
        summaries.push_back(has_one ? aggregation(some) : std::nullopt);
    }
    return summaries;
}

Result<Lines> summarize(Call& call) {
    const std::string text = call.text(1);
    const std::string by = call.text(2);
    const bool begins_at_from = call.truth(3);
    const std::int64_t interval = span_of(text);
    TRY(const Aggregation aggregation, aggregation_named(by));
    if (interval <= 0) {
        return fail(
            ErrorKind::invalid_input, "target: intervalString of summarize is to be above 0"
        );
    }
    for (Drawn& line : call.lines()) {
        std::int64_t start = line.start;
        std::int64_t end = line.end;
        if (!begins_at_from) {
            start -= start % interval;
            end += interval - end % interval;
        }
        if ((end - start) / interval > summaries_max) {
            return too_much("summarize");
        }
        line.values = summaries_of(line, interval, start, end, aggregation);
        const auto count = static_cast<std::int64_t>(line.values.size());
        line.start = start;
        line.end = begins_at_from ? start + count * interval : end;
        line.step = interval;
        name_after(
            line,
            "summarize",
            fmt::format(R"(, "{}", "{}"{})", text, by, begins_at_from ? ", true" : "")
        );
        line.tags["summarize"] = text;
        line.tags["summarizeFunction"] = by;
    }
    return std::move(call.lines());
}

/// Values of another time, drawn as if they were of this one.
Result<Lines> time_shift(Call& call) {
    if (call.lines().empty()) {
        return Lines{};
    }
    std::string text = call.text(1);
    if (text.front() >= '0' && text.front() <= '9') {
        text.insert(text.begin(), '-');
    }
    const bool ends_as_asked = call.truth(2);
    if (call.truth(3)) {
        return fail(
            ErrorKind::invalid_input,
            "target: alignDst of timeShift is for local times, and all times here are UTC"
        );
    }
    const std::int64_t shift = span_of(text);
    const std::int64_t start = call.lines().front().start;
    const std::int64_t end = call.lines().front().end;
    TRY(Lines lines, call.first_again(call.question->from + shift, call.question->until + shift));
    for (Drawn& line : lines) {
        line.end = ends_as_asked ? end : line.end - line.start + start;
        line.start = start;
        line.name = fmt::format(R"(timeShift({}, "{}"))", line.name, text);
        line.tags["timeShift"] = text;
    }
    return lines;
}

Result<Lines> constant_line(Call& call) {
    const Number& number = call.number(0);
    Drawn line{
        .name = decimal_text_of(number), .path = {}, .tags = {}, .values = Values(3, number.value)
    };
    line.path = fmt::format("constantLine({})", line.name);
    line.tags["name"] = line.name;
    line.start = call.question->from;
    line.end = call.question->until;
    line.step = std::max<std::int64_t>(1, (line.end - line.start) / 2);
    return Lines{std::move(line)};
}

}  // namespace

std::vector<Function> shifting_functions() {
    const Parameter lines{.name = first_parameter, .wanted = Wanted::lines, .is_required = true};
    const Parameter window{
        .name = "windowSize", .wanted = Wanted::count_or_span, .is_required = true
    };
    const Parameter share{.name = "xFilesFactor", .wanted = Wanted::number};
    const Parameter func{
        .name = "func", .wanted = Wanted::aggregation, .otherwise = std::string{"average"}
    };
    const Parameter sum{
        .name = "func", .wanted = Wanted::aggregation, .otherwise = std::string{"sum"}
    };
    const Parameter value{.name = "value", .wanted = Wanted::number, .is_required = true};
    const Parameter interval{.name = "intervalString", .wanted = Wanted::span, .is_required = true};
    const Parameter shift{.name = "timeShift", .wanted = Wanted::span, .is_required = true};
    return {
        {"constantLine", "Special", "The same value at all times.", {value}, constant_line},
        {"movingAverage",
         "Calculate",
         "The mean of the values, or of the time, before each value.",
         {lines, window, share},
         moving_average},
        {"movingMax",
         "Calculate",
         "The greatest of the values, or of the time, before each value.",
         {lines, window, share},
         moving_max},
        {"movingMin",
         "Calculate",
         "The least of the values, or of the time, before each value.",
         {lines, window, share},
         moving_min},
        {"movingSum",
         "Calculate",
         "The sum of the values, or of the time, before each value.",
         {lines, window, share},
         moving_sum},
        {"movingWindow",
         "Calculate",
         "What an aggregation makes of the values, or of the time, before each value.",
         {lines, window, func, share},
         moving_window},
        {"summarize",
         "Transform",
         "What an aggregation makes of the values of each interval.",
         {lines, interval, sum, {.name = "alignToFrom", .wanted = Wanted::truth, .otherwise = false}
         },
         summarize},
        {"timeShift",
         "Transform",
         "The values of another time, drawn as if they were of this one.",
         {lines,
          shift,
          {.name = "resetEnd", .wanted = Wanted::truth, .otherwise = true},
          {.name = "alignDst", .wanted = Wanted::truth, .otherwise = false}},
         time_shift},
    };
}

}  // namespace footfall::graphite
