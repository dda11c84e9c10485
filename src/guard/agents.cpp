#include "guard/agents.h"

#include "foundation/lines.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <re2/re2.h>
#include <re2/set.h>
#include <utility>

namespace footfall::guard {
namespace {

constexpr std::int64_t automaton_bytes_max = 64 << 20;
/// Above this a list is rather a file given by mistake.
constexpr std::size_t patterns_max = 20'000;

struct Patterns {
    std::vector<std::string> all;
    bool case_sensitive = false;
};

std::unexpected<Error> wrong(std::string what) {
    return fail(ErrorKind::invalid_input, std::move(what));
}

Result<Patterns> patterns_of_json(std::string_view text) {
    simdjson::dom::parser parser;
    simdjson::dom::array array;
    if (parser.parse(text.data(), text.size()).get_array().get(array) != simdjson::SUCCESS) {
        return wrong("a list of agents is a JSON array, or text with one expression a line");
    }
    Patterns patterns;
    for (const simdjson::dom::element each : array) {
        std::string_view pattern;
        if (each["pattern"].get_string().get(pattern) != simdjson::SUCCESS || pattern.empty()) {
            return wrong(fmt::format("element {} has no \"pattern\"", patterns.all.size() + 1));
        }
        patterns.all.emplace_back(pattern);
        patterns.case_sensitive =
            patterns.case_sensitive || each["instances"].error() == simdjson::SUCCESS;
    }
    return patterns;
}

Patterns patterns_of_lines(std::string_view text) {
    Patterns patterns;
    while (!text.empty()) {
        std::string_view line = take_line(text);
        line = line.substr(0, line.find_last_not_of(" \t\r") + 1);  // a space in front may be meant
        if (!line.empty() && line.front() != '#') {
            patterns.all.emplace_back(line);
        }
    }
    return patterns;
}

}  // namespace

struct AgentList::Automaton {
    re2::RE2::Set set;

    explicit Automaton(const re2::RE2::Options& options) : set{options, re2::RE2::UNANCHORED} {}
};

AgentList::AgentList(std::vector<std::string> patterns, std::unique_ptr<Automaton> automaton)
    : patterns_{std::move(patterns)}, automaton_{std::move(automaton)} {}

AgentList::AgentList(AgentList&&) noexcept = default;
AgentList& AgentList::operator=(AgentList&&) noexcept = default;
AgentList::~AgentList() = default;

Result<AgentList> AgentList::read(std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    const bool is_json = start != std::string_view::npos && text[start] == '[';
    Patterns patterns;
    if (is_json) {
        TRY(patterns, patterns_of_json(text));
    } else {
        patterns = patterns_of_lines(text);
    }
    if (patterns.all.empty() || patterns.all.size() > patterns_max) {
        return wrong(fmt::format(
            "a list of agents has 1 to {} expressions, not {}", patterns_max, patterns.all.size()
        ));
    }
    re2::RE2::Options options;
    options.set_case_sensitive(patterns.case_sensitive);
    options.set_log_errors(false);
    options.set_max_mem(automaton_bytes_max);
    auto automaton = std::make_unique<Automaton>(options);
    for (const std::string& pattern : patterns.all) {
        std::string why;
        if (automaton->set.Add(pattern, &why) < 0) {
            return wrong(fmt::format("\"{}\" is no regular expression: {}", pattern, why));
        }
    }
    if (!automaton->set.Compile()) {
        return wrong("the expressions take too much memory together");
    }
    return AgentList{std::move(patterns.all), std::move(automaton)};
}

std::optional<std::string_view> AgentList::find(std::string_view agent) const {
    std::vector<int> matches;
    if (!automaton_->set.Match(re2::StringPiece{agent.data(), agent.size()}, &matches)) {
        return std::nullopt;
    }
    return patterns_[static_cast<std::size_t>(std::ranges::min(matches))];
}

}  // namespace footfall::guard
