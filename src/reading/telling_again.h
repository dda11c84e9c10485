#pragma once

#include "events/control.h"
#include "foundation/clock.h"
#include "foundation/result.h"
#include "people/people.h"
#include "people/read_seals.h"
#include "reading/own_reads.h"
#include "reading/readership.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>

namespace footfall::reading {

/// Who took back a part is another reader since then. What was left is told again under that one,
/// through the log, some time later, and then the former reader and their key go: from then on
/// nobody can read in any log what was taken back.
///
/// What is told twice, by two processes or after a crash, is the same facts. Used by one thread;
/// all must outlive it.
class TellingAgain {
public:
    /// A reader that is so old is known to all processes, and all that was read before is in rows.
    static constexpr std::chrono::minutes after{10};
    /// So long after it was told all processes have taken it in.
    static constexpr std::chrono::minutes until_it_is_known{1};

    struct Sources {
        Readership* readership = nullptr;
        people::People* people = nullptr;
        const people::ReadSeals* seals = nullptr;
        const Clock* clock = nullptr;
        SipKey secret;  ///< The deployment's: of lanes.
        /// Says it in a lane, durably: intake::Collector::say().
        std::function<Result<void>(const events::Control&, std::uint32_t lane)> say;
    };

    explicit TellingAgain(Sources sources)
        : sources_{std::move(sources)}, begun_{sources_.clock->now()} {}

    /// Does what is due. Waits for the store. On failure it is done the next time.
    Result<void> turn(const std::stop_token& stop = {});

private:
    struct Told {
        Instant at{};       ///< When.
        Instant through{};  ///< FormerReader::at of the last of them.
    };

    Result<void> tell(const people::Past& past);

    const Sources sources_;
    const Instant begun_;
    std::map<std::string, Told, std::less<>> told_;  ///< By actor, until they are forgotten.
};

}  // namespace footfall::reading
