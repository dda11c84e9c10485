#include "graphite/functions.h"

#include "foundation/beginning_of.h"
#include "graphite/aggregation.h"
#include "graphite/span_of_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace footfall::graphite {

/// How much is left to be done for one target.
struct Steps {
    std::size_t left = 1000;
};

namespace {

using Kind = Expression::Kind;

std::unexpected<Error> wrong(std::string text) {
    return fail(ErrorKind::invalid_input, "target: " + std::move(text));
}

std::string_view words_of(Wanted wanted) {
    switch (wanted) {
        case Wanted::lines:
            return "series: a pattern or a function";
        case Wanted::number:
            return "a number";
        case Wanted::whole:
            return "a whole number";
        case Wanted::count:
            return "a whole number from 0 on";
        case Wanted::count_or_inf:
            return "a whole number from 0 on, or inf";
        case Wanted::count_or_span:
            return "a number of values, or a span such as '5min'";
        case Wanted::span:
            return "a span in quotes, such as '1h'";
        case Wanted::text:
            return "a text in quotes";
        case Wanted::truth:
            return "true or false";
        case Wanted::aggregation:
            return "the name of an aggregation in quotes, such as 'sum'";
        case Wanted::node:
            return "the number of a part of a name, or a tag in quotes";
        case Wanted::lines_or_number:
            return "series or a number";
    }
    return {};
}

bool is_count(const Expression& given) {
    constexpr double most = 1e9;
    return given.kind == Kind::number && given.number >= 0 && given.number <= most &&
           std::floor(given.number) == given.number;
}

bool is_lines(const Expression& given) {
    return given.kind == Kind::pattern || given.kind == Kind::call;
}

bool fits(const Expression& given, Wanted wanted) {
    const bool is_whole = given.kind == Kind::number && std::floor(given.number) == given.number &&
                          std::abs(given.number) <= 1e9;
    switch (wanted) {
        case Wanted::lines:
            return is_lines(given);
        case Wanted::number:
            return given.kind == Kind::number;
        case Wanted::whole:
            return is_whole;
        case Wanted::count:
            return is_count(given);
        case Wanted::count_or_inf:
            return is_count(given) || given.kind == Kind::endless;
        case Wanted::count_or_span:
            return given.kind == Kind::text ? parse_span(given.text).has_value() : is_count(given);
        case Wanted::span:
            return given.kind == Kind::text && parse_span(given.text).has_value();
        case Wanted::text:
            return given.kind == Kind::text;
        case Wanted::truth:
            return given.kind == Kind::truth;
        case Wanted::aggregation:
            return given.kind == Kind::text;
        case Wanted::node:
            return is_whole || given.kind == Kind::text;
        case Wanted::lines_or_number:
            return is_lines(given) || given.kind == Kind::number;
    }
    return false;
}

/// How many letters are to be changed, added or left out to make one of the other.
std::size_t distance(std::string_view one, std::string_view other) {
    std::vector<std::size_t> row(other.size() + 1);
    for (std::size_t at = 0; at <= other.size(); ++at) {
        row[at] = at;
    }
    for (std::size_t line = 1; line <= one.size(); ++line) {
        std::size_t diagonal = std::exchange(row[0], line);
        for (std::size_t at = 1; at <= other.size(); ++at) {
            const std::size_t changed = diagonal + (one[line - 1] == other[at - 1] ? 0 : 1);
            diagonal = row[at];
            row[at] = std::min({row[at] + 1, row[at - 1] + 1, changed});
        }
    }
    return row[other.size()];
}

/// By what that which the call fetches is consolidated.
std::string_view consolidation_within(const Expression& call, std::string_view outside) {
    if (call.text != consolidate_by) {
        return outside;
    }
    if (call.arguments.size() > 1) {
        return call.arguments[1].text;
    }
    const auto given = std::ranges::find(call.named, consolidation_parameter, [](const auto& each) {
        return std::string_view{each.first};
    });
    return given == call.named.end() ? outside : given->second.text;
}

class Evaluation {
public:
    Evaluation(const Question& question, Steps& steps) : question_{question}, steps_{steps} {}

    Result<Lines> lines(const Expression& expression) {
        if (steps_.left == 0) {
            return wrong("that takes more than 1,000 steps: ask for less at once");
        }
        --steps_.left;
        if (question_.left.stop_requested()) {
            return fail(ErrorKind::cancelled, "render: nobody waits");
        }
        if (expression.kind == Kind::pattern) {
            return question_.fetch(expression.text, question_.asked());
        }
        if (expression.kind == Kind::call) {
            return called(expression);
        }
        return wrong("it is to be a series, a pattern or a function");
    }

private:
    Result<Lines> called(const Expression& expression) {
        const Function* const function = find_function(expression.text);
        if (function == nullptr) {
            return wrong(no_such_function(expression.text));
        }
        Question within = question_;
        if (expression.text == consolidate_by) {
            within.consolidation = consolidation_within(expression, question_.consolidation);
            // What is around it says how values are put together that are shown.
            within.is_shown = question_.is_shown && !question_.is_consolidation_chosen;
            within.is_consolidation_chosen = true;
        }
        within.is_shown = within.is_shown && function->leaves_values;
        return Evaluation{within, steps_}.run(*function, expression);
    }

    Result<Lines> run(const Function& function, const Expression& expression) {
        Call call{
            .question = &question_, .expression = &expression, .steps = &steps_, .values = {}
        };
        call.values.resize(function.parameters.size());
        TRY_VOID(bind(function, expression, call));
        return function.run(call);
    }

    Result<void> bind(const Function& function, const Expression& expression, Call& call) {
        const auto& parameters = function.parameters;
        std::size_t place = 0;
        for (const Expression& each : expression.arguments) {
            if (place >= call.values.size()) {
                if (parameters.empty() || !parameters.back().repeats) {
                    return wrong(fmt::format(
                        "{} takes {} arguments at most", function.name, parameters.size()
                    ));
                }
                call.values.emplace_back();
            }
            const Parameter& parameter = parameters[std::min(place, parameters.size() - 1)];
            TRY(call.values[place], value(function, parameter, each));
            ++place;
        }
        for (const auto& [name, each] : expression.named) {
            const auto parameter = std::ranges::find(parameters, name, &Parameter::name);
            if (parameter == parameters.end() || parameter->repeats) {
                return wrong(fmt::format("{} has no argument {}", function.name, name));
            }
            const auto at = static_cast<std::size_t>(parameter - parameters.begin());
            if (at < place) {
                return wrong(fmt::format("{} has {} twice", function.name, name));
            }
            TRY(call.values[at], value(function, *parameter, each));
        }
        for (std::size_t at = 0; at < parameters.size(); ++at) {
            if (call.has(at)) {
                continue;
            }
            if (parameters[at].is_required) {
                return wrong(fmt::format(
                    "{} is to have {}: {}",
                    function.name,
                    parameters[at].name,
                    words_of(parameters[at].wanted)
                ));
            }
            call.values[at] = parameters[at].otherwise;
        }
        return {};
    }

    Result<Value> value(
        const Function& function, const Parameter& parameter, const Expression& given
    ) {
        if (given.kind == Kind::nothing && !parameter.is_required) {
            return Value{};
        }
        if (!fits(given, parameter.wanted)) {
            return wrong(fmt::format(
                "{} of {} is to be {}", parameter.name, function.name, words_of(parameter.wanted)
            ));
        }
        switch (given.kind) {
            case Kind::pattern:
            case Kind::call: {
                TRY(Lines lines, this->lines(given));
                return Value{std::move(lines)};
            }
            case Kind::number:
                return Value{Number{.value = given.number, .text = given.text}};
            case Kind::truth:
                return Value{given.number != 0};
            case Kind::endless:
                return Value{Inf{}};
            case Kind::text:
            case Kind::nothing:
                break;
        }
        if (parameter.wanted == Wanted::aggregation) {
            std::string_view name = given.text;
            if (name.ends_with("Series")) {
                name.remove_suffix(std::string_view{"Series"}.size());
            }
            TRY_VOID(aggregation_named(name));
            return Value{std::string{name}};
        }
        return Value{given.text};
    }

    const Question& question_;
    Steps& steps_;
};

std::vector<Function> all_functions() {
    std::vector<Function> all;
    for (const auto& some : std::array{
             combining_functions(), changing_functions(), shifting_functions(), choosing_functions()
         }) {
        all.insert(all.end(), some.begin(), some.end());
    }
    std::ranges::sort(all, {}, &Function::name);
    return all;
}

}  // namespace

std::span<const Function> functions() {
    static const std::vector<Function> all = all_functions();
    return all;
}

const Function* find_function(std::string_view name) {
    const auto all = functions();
    const auto found = std::ranges::lower_bound(all, name, {}, &Function::name);
    return found != all.end() && found->name == name ? &*found : nullptr;
}

std::string no_such_function(std::string_view name) {
    name = beginning_of(name, 50);
    std::vector<std::pair<std::size_t, std::string_view>> near;
    for (const Function& each : functions()) {
        near.emplace_back(distance(name, each.name), each.name);
    }
    std::ranges::sort(near);
    near.resize(std::min<std::size_t>(near.size(), 3));
    std::string names;
    for (const auto& [far, each] : near) {
        fmt::format_to(std::back_inserter(names), "{}{}", names.empty() ? "" : ", ", each);
    }
    return fmt::format("there is no function {}; those named like it are {}", name, names);
}

Result<Lines> Call::first_again(std::int64_t from, std::int64_t until) const {
    Question another = *question;
    another.from = from;
    another.until = until;
    if (!expression->arguments.empty()) {
        return Evaluation{another, *steps}.lines(expression->arguments.front());
    }
    for (const auto& [name, given] : expression->named) {
        if (name == first_parameter) {
            return Evaluation{another, *steps}.lines(given);
        }
    }
    return Lines{};
}

Result<Lines> evaluate(const Expression& target, const Question& question) {
    Steps steps;
    return Evaluation{question, steps}.lines(target);
}

}  // namespace footfall::graphite
