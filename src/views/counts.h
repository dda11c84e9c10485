#pragma once

#include "foundation/result.h"
#include "views/compact_array.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::views {

/// Why an event was refused, as a small number; 0 is "", the reason of those that were counted.
using ReasonId = std::uint32_t;

/// Numbers for reasons, given in the order they come: of this process only, never stored. Reasons
/// come from rules, of which there are few. Not thread-safe.
class Reasons {
public:
    static constexpr std::size_t reasons_max = 1 << 10;

    Reasons() { id_of(""); }

    /// Of a reason that a rule gave: more than `reasons_max` are a bug.
    ReasonId id_of(std::string_view reason);

    /// Of a reason that may be anything; absent when there are too many.
    std::optional<ReasonId> find_id(std::string_view reason);

    const std::string& text_of(ReasonId id) const { return texts_[id]; }

private:
    std::map<std::string, ReasonId, std::less<>> ids_;
    std::vector<std::string> texts_;
};

/// Events of a quarter-hour that were refused for a reason, or counted: "".
struct CountOfReason {
    unsigned quarter = 0;
    std::string reason;
    std::uint64_t events = 0;

    friend bool operator==(const CountOfReason&, const CountOfReason&) = default;
};

/// Numbers of events by quarter-hour of a day (0 to 95) and reason. A total has all of its events
/// in quarter-hour 0. 8 bytes for each pair that there is; one needs none of the heap. A plain
/// value that can be moved, not thread-safe.
class Counts {
public:
    static constexpr unsigned quarters = 96;
    static constexpr std::uint64_t events_max = (std::uint64_t{1} << 47) - 1;  ///< Of a pair.

    struct Entry {
        unsigned quarter;
        ReasonId reason;
        std::uint64_t events;
    };

    void add(unsigned quarter, ReasonId reason, std::uint64_t events = 1);

    /// By quarter-hour, then reason.
    std::size_t size() const { return slots_.size(); }

    Entry at(std::size_t index) const { return entry_of(slots_.all()[index]); }

    std::uint64_t counted() const;
    std::uint64_t refused() const;

    /// Bytes of the heap.
    std::size_t bytes() const { return slots_.bytes(); }

    /// As it is stored: the same bytes for the same events, whatever the numbers of the reasons.
    std::string written(const Reasons& reasons) const;

    static Result<Counts> read(std::string_view bytes, Reasons& reasons);

    /// For who has numbers of his own for reasons: cheaper than to write and to read.
    std::vector<CountOfReason> told(const Reasons& reasons) const;

    /// Of what was told; `corrupt` when these are too many reasons.
    static Result<Counts> of(std::span<const CountOfReason> told, Reasons& reasons);

private:
    // Quarter-hour, reason, events from the highest bit on.
    static constexpr unsigned events_bits = 47;
    static constexpr unsigned reason_bits = 10;

    static Entry entry_of(std::uint64_t slot) {
        return {
            .quarter = static_cast<unsigned>(slot >> (events_bits + reason_bits)),
            .reason = static_cast<ReasonId>(slot >> events_bits & ((1U << reason_bits) - 1)),
            .events = slot & events_max
        };
    }

    [[no_unique_address]] CompactArray<std::uint64_t> slots_;
};

}  // namespace footfall::views
