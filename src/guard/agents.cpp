#include "guard/agents.h"

#include "foundation/lines.h"
#include "foundation/siphash.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <re2/re2.h>
#include <re2/set.h>
#include <utility>

namespace footfall::guard {
namespace {

constexpr std::int64_t automaton_bytes_max = 64 << 20;
/// Above this a list is rather a file given by mistake.
constexpr std::size_t patterns_max = 20'000;
constexpr std::size_t unlisted_places = 4096;
/// No secret: who wants to pass for a person can say so right away.
constexpr SipKey agent_hash{.k0 = 1, .k1 = 2};

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

/// The expressions, and which agents were lately found to have none of them: most events come with
/// one of few. A place of the table has the hash of one agent; that another has the same hash is
/// never seen.
struct AgentList::Automaton {
    re2::RE2::Set set;
    std::array<std::atomic<std::uint64_t>, unlisted_places> unlisted{};

    explicit Automaton(const re2::RE2::Options& options) : set{options, re2::RE2::UNANCHORED} {}

    std::atomic<std::uint64_t>& place_of(std::uint64_t hash) {
        return unlisted[hash % unlisted_places];
    }
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
    const std::uint64_t hash = siphash13(agent_hash, agent);
    std::atomic<std::uint64_t>& place = automaton_->place_of(hash);
    if (hash != 0 && place.load(std::memory_order_relaxed) == hash) {
        return std::nullopt;
    }
    std::vector<int> matches;
    if (!automaton_->set.Match(re2::StringPiece{agent.data(), agent.size()}, &matches)) {
        place.store(hash, std::memory_order_relaxed);
        return std::nullopt;
    }
    return patterns_[static_cast<std::size_t>(std::ranges::min(matches))];
}

}  // namespace footfall::guard
