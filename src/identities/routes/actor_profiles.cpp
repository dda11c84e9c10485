#include "identities_routes/actor_profiles.h"

#include "identities/normalised.h"
#include "identities/profile_rows.h"
#include "identities/said_facts.h"

namespace footfall::identities::routes {

Result<std::vector<std::string>> ActorProfiles::of(std::span<const std::string> actors) {
    const RecordedGuards guards = identities_->guards();
    std::vector<Id> ids;
    ids.reserve(actors.size());
    for (const std::string& each : actors) {
        ids.push_back(normalised(
            *guards.guards,
            {.identifier = std::string{own_network},
             .id_name = std::string{own_id_name},
             .id_value = each}
        ));
    }
    TRY(const Index index, read_index(identities_->settling().levels(), ids));
    std::vector<std::string> names;
    names.reserve(ids.size());
    for (const Id& each : ids) {
        const auto found = index.find(each);
        const bool unites = found != index.end() && !found->second.shared;
        names.push_back(unites ? found->second.sid : std::string{});
    }
    return names;
}

Result<by_profile::Profiles::Unsettled> ActorProfiles::unsettled() {
    TRY(const std::vector<Id> ids, identities_->half_settled());
    Unsettled unsettled{.may_be_any = settles_anew_()};
    for (const Id& each : ids) {
        if (each.identifier == own_network && each.id_name == own_id_name) {
            unsettled.actors.push_back(each.id_value);
        }
    }
    return unsettled;
}

}  // namespace footfall::identities::routes
