#pragma once

#include "identities/resolution.h"
#include "jobs/settings.h"

namespace footfall::identities::routes {

/// What identities are opened with.
class IdentitiesOptions final : public jobs::Options {
public:
    Guards
        guards;  ///< Those of the configuration file; where it says none, those that hold anyway.
};

/// The guards that this process was told; null: nobody said anything.
Guards guards_in(const jobs::Options* options);

/// `identities_profile_ids`, `identities_shared_above`, and a [[identifier]] for each network of
/// which something else holds. docs/identities.md.
extern const jobs::JobSettings identities_settings;

}  // namespace footfall::identities::routes
