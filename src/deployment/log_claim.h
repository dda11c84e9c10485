#pragma once

#include "deployment/log_place.h"
#include "foundation/result.h"
#include "storage/store.h"

#include <optional>
#include <string>

namespace footfall::deployment {

/// The topics of a deployment.
struct TopicPlace {
    std::string prefix;
    std::string cluster;  ///< As its brokers call it.

    friend bool operator==(const TopicPlace&, const TopicPlace&) = default;
};

/// Who has topics.
struct TopicOwner {
    std::string deployment;   ///< storage::deployment_id().
    std::string keyspace;     ///< Where it was when it took them; for people.
    std::string region = {};  ///< Which took them; empty: there was one.

    friend bool operator==(const TopicOwner&, const TopicOwner&) = default;
};

/// What a keyspace and topics say of each other (docs/decisions/0055-deployment-id.md).
struct LogClaim {
    TopicOwner ours;  ///< The deployment in the keyspace that settings name.
    TopicPlace here;  ///< The topics that settings name.
    /// The topics that the keyspace has; absent: none yet.
    std::optional<TopicPlace> ours_are = {};
    /// Who has these topics; absent: nobody yet.
    std::optional<TopicOwner> theirs = {};
};

/// Which keyspace settings name, and which region of it; empty: there is one.
struct Claimant {
    std::string keyspace;
    std::string region = {};
};

/// Success when they belong together, or may from now on. `invalid_input`: the topics are another
/// deployment's, or of another region, the deployment has other ones, or lost these; both are
/// named, and what to do. Pure.
Result<void> check_claim(const LogClaim& claim);

/// Takes the topics for the deployment in `store`, or a region of it, which has its secret, unless
/// they are its own already; `invalid_input` as above. Of several processes that do so at once all
/// find the same. Waits.
Result<void> claim_topics(storage::Store& store, const Claimant& claimant, const KafkaPlace& place);

/// The same, and takes nothing. Waits.
Result<void> check_topics(storage::Store& store, const Claimant& claimant, const KafkaPlace& place);

/// Gives the deployment in `store` these topics in place of those that it has, for good; answers
/// which those were, absent: none. For people, who stop all its processes before. `invalid_input`:
/// they are another deployment's, or were its own and are lost. Waits.
Result<std::optional<TopicPlace>> move_to_topics(
    storage::Store& store, const Claimant& claimant, const KafkaPlace& place
);

}  // namespace footfall::deployment
