#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "segment_rules/rule.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::segment_rules {

/// An event, by its time and its place in the judged log, by which it is only counted once.
struct EventMark {
    Instant time{};
    std::uint32_t lane = 0;
    std::uint64_t offset = 0;

    friend auto operator<=>(const EventMark&, const EventMark&) = default;
};

/// The latest events that a term counts of somebody, as many as it asks for: enough to say until
/// when it holds, in whatever order they come, and however often. A plain value.
class LatestEvents {
public:
    /// `times` of the term, 1 to times_max.
    explicit LatestEvents(std::uint32_t times) : times_{times} {}

    /// Whether that changes anything.
    bool add(const EventMark& mark);

    /// As add() of each; `other` may ask for another number.
    bool add(const LatestEvents& other);

    /// When the term stops to hold, if no event follows: `within` after the earliest of so many.
    /// Absent: there are not so many.
    std::optional<Instant> until(std::chrono::seconds within) const;

    /// Newest first.
    const std::vector<EventMark>& marks() const { return marks_; }

    /// As rows have it: numbers of variable length, times as differences; about 6 bytes an event.
    std::string bytes() const;

    /// `corrupt`: it is not what bytes() answered. Of more events than `times` the latest.
    static Result<LatestEvents> read(std::string_view bytes, std::uint32_t times);

    friend bool operator==(const LatestEvents&, const LatestEvents&) = default;

private:
    std::uint32_t times_;
    std::vector<EventMark> marks_;  ///< Newest first, each once.
};

}  // namespace footfall::segment_rules
