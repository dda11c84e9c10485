#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "journal/log.h"
#include "projecting/recount.h"
#include "storage/store.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::projecting {

/// What a comparison came to.
struct Verified {
    std::uint64_t events = 0;
    std::uint64_t objects = 0;  ///< Of which numbers were compared.
    std::uint64_t differences = 0;
};

/// What is held to what.
struct VerifiedParts {
    storage::Store* store;
    journal::Log* log;
    SipKey secret;
    const people::ReadSeals* seals = nullptr;  ///< As of RecountPart.
    Instant now{};                             ///< The same.
    const Clock* clock = nullptr;              ///< The same.
    /// Of each lane: the records before it are compared.
    std::vector<std::uint64_t> ends;
    /// Asks how far rows are stored, each lane's records before that. Where others write rows
    /// meanwhile it moves on, and what is missing behind it is waited for.
    std::function<Result<std::vector<std::uint64_t>>()> stored;
    bool alone = false;  ///< As of RecountPart.
    /// How long nothing may come of a lane before it is said to be missing.
    std::chrono::milliseconds patience{30'000};
    std::stop_token stop = {};  ///< Ends it early: `cancelled`.
};

/// Who is told of a comparison while it runs.
struct VerifyListeners {
    std::function<void(const std::string&)> difference;  ///< Each, as a sentence.
    std::function<void(std::uint64_t)> progress;         ///< Events counted so far, now and then.
    /// What is no difference, and to be known of the result. Null: nobody listens.
    std::function<void(const std::string&)> remark = {};
};

/// Counts what a job made of the log of judged events again, record by record, and holds what is
/// stored to that. Of events that are kept no more a recount knows what its tables of them say.
///
/// Others may count meanwhile: rows say up to which record they were counted, and are held to the
/// log up to there; also above `ends`. If events leave the log while a part is counted, that part
/// is counted again.
///
/// Lane by lane, and a lane with more than a million events in parts, so that memory stays within a
/// few hundred MiB.
Result<Verified> verify(
    const VerifiedParts& parts, const MakeRecount& make, const VerifyListeners& listeners
);

}  // namespace footfall::projecting
