#pragma once

#include "by_profile/profiles.h"
#include "identities/identities.h"

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace footfall::identities::routes {

/// Tells other jobs which profile an actor is in, as rows have it now. Thread-safe; what it is
/// given must outlive it.
class ActorProfiles final : public by_profile::Profiles {
public:
    /// `settles_anew`: whether profiles may not follow the newest guards yet.
    ActorProfiles(Identities& identities, std::function<bool()> settles_anew)
        : identities_{&identities}, settles_anew_{std::move(settles_anew)} {}

    Result<std::vector<std::string>> of(std::span<const std::string> actors) override;
    Result<Unsettled> unsettled() override;

private:
    Identities* identities_;
    std::function<bool()> settles_anew_;
};

}  // namespace footfall::identities::routes
