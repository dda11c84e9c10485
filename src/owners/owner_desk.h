#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "owners/owned_lanes.h"
#include "projecting/projection_host.h"

#include <string>
#include <string_view>

namespace footfall::owners {

/// Answers other processes of the deployment for the lanes that are counted here, from memory.
/// Thread-safe, never waits. All must outlive it.
class OwnerDesk {
public:
    OwnerDesk(
        projecting::ProjectionHost& host, const OwnedLanes& lanes, SipKey secret, const Clock& clock
    )
        : host_{&host}, lanes_{&lanes}, secret_{secret}, clock_{&clock} {}

    /// Whether `proof` shows that a process of the deployment sent this.
    bool knows(std::string_view proof, std::string_view question) const;

    /// The answer to a question (wire.h): what may not be in rows, of lanes that are ours under the
    /// generation that was asked for, before and after they were looked at. `invalid_input`: it is
    /// none.
    Result<std::string> answer(std::string_view question) const;

private:
    projecting::ProjectionHost* host_;
    const OwnedLanes* lanes_;
    const SipKey secret_;
    const Clock* clock_;
};

}  // namespace footfall::owners
