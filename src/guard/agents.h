#pragma once

#include "foundation/result.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::guard {

/// What a list says of programs that are no people: regular expressions (RE2's) that are looked for
/// anywhere in an agent's name. Immutable; any number of threads may ask.
///
/// Cost: 0.7 us an agent of 100 letters for 1,498 expressions together, since they are one
/// automaton (of at most 64 MiB); 60 ns one that was lately found not to be on the list, as most
/// are. Reading 1,498 takes 17 ms, and 32 KiB remember agents.
class AgentList {
public:
    /// Either as text, one expression a line, "#" at its start for a remark, letters of either size
    /// alike; or as JSON: an array of objects with a "pattern", and "instances" or not, as the
    /// public lists of robots have it (COUNTER's: of either size alike; those with "instances", as
    /// crawler-user-agents: as they are written). `invalid_input` names what cannot be read.
    static Result<AgentList> read(std::string_view text);

    AgentList(const AgentList&) = delete;
    AgentList& operator=(const AgentList&) = delete;
    AgentList(AgentList&&) noexcept;
    AgentList& operator=(AgentList&&) noexcept;
    ~AgentList();

    /// The first expression of the list that the agent has in it; absent: none.
    std::optional<std::string_view> find(std::string_view agent) const;

    std::size_t size() const { return patterns_.size(); }

private:
    struct Automaton;

    AgentList(std::vector<std::string> patterns, std::unique_ptr<Automaton> automaton);

    std::vector<std::string> patterns_;
    std::unique_ptr<Automaton> automaton_;
};

}  // namespace footfall::guard
