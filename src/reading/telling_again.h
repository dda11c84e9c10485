#pragma once

#include "events/control.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "people/people.h"
#include "people/read_seals.h"
#include "projecting/owners.h"
#include "reading/own_reads.h"
#include "reading/readership.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::reading {

/// Who took back a part is another reader since then. What was left is told again under that one,
/// through the log, some time later, and then the former reader and their key go: from then on
/// nobody can read in any log what was taken back.
///
/// On a cluster one process does it, the owner of the first lane, once all lanes have come past a
/// mark (events::ReadsMark) that was said `after` the take-back: so a log that lags, or a lane that
/// nobody counts, makes it wait, and nothing that was read is lost. The others forget with it. What
/// is told twice, when that lane changes hands or after a crash, is the same facts.
///
/// Used by one thread; all must outlive it.
class TellingAgain {
public:
    /// A reader that is so old is known to all processes: none takes in a read under the former
    /// one any more.
    static constexpr std::chrono::minutes after{10};
    /// So long a mark may take before another is said: a lane that changed hands has forgotten it.
    static constexpr std::chrono::minutes mark_again{10};
    /// Whose lane it is tells again.
    static constexpr std::uint32_t telling_lane = 0;

    using Say = std::function<Result<void>(std::span<const events::ControlInLane>)>;

    struct Sources {
        Readership* readership = nullptr;
        people::People* people = nullptr;
        const people::ReadSeals* seals = nullptr;
        const Clock* clock = nullptr;
        SipKey secret;                         ///< The deployment's: of lanes.
        Say say;                               ///< Durably: intake::Collector::say_each().
        projecting::Owners* owners = nullptr;  ///< Null: all lanes are counted here.
    };

    explicit TellingAgain(Sources sources) : sources_{std::move(sources)} {}

    /// Does what is due. Waits for the store. On failure it is done the next time.
    Result<void> turn(const std::stop_token& stop = {});

    /// When the next turn is due: soon while lanes are waited for.
    std::chrono::seconds pause() const;

private:
    /// Somebody of whom something is to be told, or was.
    struct Due {
        std::string actor;
        std::shared_ptr<const people::Past> past;

        /// When the last of the former readers became one.
        Instant through() const { return past->formers.back().at; }
    };

    struct Told {
        Instant at{};       ///< When.
        Instant through{};  ///< Due::through().
    };

    std::vector<Due> due() const;
    Result<void> follow(std::span<const Due> all);
    void keep_told(std::span<const Due> all);
    bool has_passed(Instant told, std::optional<Instant> passed) const;
    bool was_told(const Due& due) const;
    Result<void> tell_all(std::span<const Due> all, const std::stop_token& stop);
    Result<void> add_reads(const people::Past& past, std::vector<events::ControlInLane>& records);
    Result<void> forget_all(std::span<const Due> all);
    Result<void> say_mark(std::optional<Instant> passed);

    const Sources sources_;
    std::map<std::string, Told, std::less<>> told_;  ///< By actor, until they are forgotten.
    std::optional<Instant> mark_;                    ///< The last one that was said.
    bool waits_ = false;                             ///< For lanes to come past it.
};

}  // namespace footfall::reading
