#pragma once

#include "foundation/clock.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::projecting {

/// What is asked of whoever counts a lane. The projection writes and reads it: others pass it on.
struct LaneQuestion {
    std::uint32_t lane = 0;
    std::string bytes;
};

/// What he has in memory alone.
struct LaneAnswer {
    std::string bytes;
    std::uint64_t counted = 0;  ///< The lane's records before this are in it, or in rows.
};

/// What was answered, by whoever it was.
struct LaneAnswers {
    std::vector<std::optional<LaneAnswer>> of_asked;  ///< In their order; absent: no answer.
    /// All that happened before this in the lanes without an answer is in rows; absent: nobody
    /// knows.
    std::optional<Instant> stored;
};

/// Who counts which lane, where several processes share them. A lane is counted by one process at a
/// time; what it says of the lane is a function of the records before `counted`, so who is not the
/// owner any more says what is old, never what is wrong. Thread-safe.
class Owners {
public:
    Owners() = default;
    Owners(const Owners&) = delete;
    Owners& operator=(const Owners&) = delete;
    virtual ~Owners() = default;

    /// Up to where this process has counted a lane of its own; absent: another's is to be asked.
    virtual std::optional<std::uint64_t> counted_here(std::uint32_t lane) = 0;

    /// Asks each of the others once; there Projection::answer_all() answers. `projection`: its
    /// name; `of_all`: what is asked of all lanes, which each owner is sent once. Waits, but never
    /// long: who does not answer is gone without.
    virtual LaneAnswers ask(
        std::string_view projection, std::span<const LaneQuestion> asked, std::string_view of_all
    ) = 0;

    LaneAnswers ask(std::string_view projection, std::span<const LaneQuestion> asked) {
        return ask(projection, asked, {});
    }
};

}  // namespace footfall::projecting
