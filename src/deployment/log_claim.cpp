#include "deployment/log_claim.h"

#include "foundation/log.h"
#include "journal_kafka/topic_mark.h"
#include "storage/deployment.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <chrono>
#include <string_view>
#include <utility>

namespace footfall::deployment {
namespace {

namespace json = boost::json;
using journal_kafka::TopicMark;

/// The fact of the keyspace, and the topic, that name each other.
constexpr std::string_view topics_fact = "kafka_topics";
constexpr std::string_view mark_topic = "deployment";

/// How long a topic that has to be there is looked for: brokers hear of a new one a moment later.
constexpr std::chrono::seconds looking_for_mark{5};

/// Each region has topics of its own.
std::string topics_fact_of(const Claimant& claimant) {
    return std::string{topics_fact} + (claimant.region.empty() ? "" : "/" + claimant.region);
}

std::string text_of(const TopicPlace& place) {
    return json::serialize(json::object{{"prefix", place.prefix}, {"cluster", place.cluster}});
}

std::string text_of(const TopicOwner& owner) {
    json::object text{{"deployment", owner.deployment}, {"keyspace", owner.keyspace}};
    if (!owner.region.empty()) {
        text["region"] = owner.region;
    }
    return json::serialize(text);
}

/// Two texts of a JSON object; `where` it stands.
Result<std::pair<std::string, std::string>> read_pair(
    std::string_view text, const char* first, const char* second, std::string_view where
) {
    boost::system::error_code error;
    const json::value value = json::parse(text, error);
    const json::object* const object = error ? nullptr : value.if_object();
    const auto member = [&](const char* name) {
        const json::value* const found = object == nullptr ? nullptr : object->if_contains(name);
        return found == nullptr ? nullptr : found->if_string();
    };
    const json::string* const one = member(first);
    const json::string* const other = member(second);
    if (one == nullptr || other == nullptr) {
        return fail(
            ErrorKind::corrupt,
            fmt::format("{} does not say {} and {}: \"{}\"", where, first, second, text)
        );
    }
    return std::pair{std::string{*one}, std::string{*other}};
}

Result<TopicPlace> read_place(std::string_view text) {
    TRY(auto pair, read_pair(text, "prefix", "cluster", "the fact kafka_topics of the keyspace"));
    return TopicPlace{.prefix = std::move(pair.first), .cluster = std::move(pair.second)};
}

Result<TopicOwner> read_owner(std::string_view text, const TopicPlace& here) {
    TRY(auto pair,
        read_pair(
            text,
            "deployment",
            "keyspace",
            fmt::format("the first record of topic {}{}", here.prefix, mark_topic)
        ));
    TopicOwner owner{.deployment = std::move(pair.first), .keyspace = std::move(pair.second)};
    const json::value whole = json::parse(text);
    if (const json::value* const region = whole.as_object().if_contains("region")) {
        owner.region = region->is_string() ? std::string{region->get_string()} : std::string{};
    }
    return owner;
}

std::string named(const TopicPlace& place) {
    return fmt::format("topics {}* of the Kafka cluster {}", place.prefix, place.cluster);
}

std::string named(const TopicOwner& owner) {
    const std::string region = owner.region.empty() ? "" : ", region " + owner.region;
    return fmt::format("deployment {} (keyspace {}{})", owner.deployment, owner.keyspace, region);
}

/// What settings lead to the topics that the deployment has.
std::string settings_for(const TopicPlace& wanted, const TopicPlace& here) {
    std::string settings;
    if (wanted.prefix != here.prefix) {
        settings = fmt::format("kafka_prefix to {}", wanted.prefix);
    }
    if (wanted.cluster != here.cluster) {
        settings += settings.empty() ? "" : " and ";
        settings += fmt::format("kafka to the brokers of the cluster {}", wanted.cluster);
    }
    return "set " + settings;
}

constexpr std::string_view new_topics =
    "choose a kafka_prefix that nobody has, and make its topics this deployment's by `footfall "
    "schema new-topics`";

/// The topics are another deployment's.
std::unexpected<Error> of_others(const LogClaim& claim, const TopicOwner& theirs) {
    std::string remedy;
    if (claim.ours_are && *claim.ours_are != claim.here) {
        remedy = settings_for(*claim.ours_are, claim.here);
    } else if (claim.ours_are) {
        remedy = fmt::format(
            "the topics of this deployment were deleted, and others made under their names: {}",
            new_topics
        );
    } else if (theirs.keyspace == claim.ours.keyspace) {
        remedy =
            "the keyspace was made anew, or is of another Cassandra cluster: restore the one that "
            "was there from a backup or an export, for what is in the topics can only be read with "
            "its secret; or begin anew with a kafka_prefix that nobody has";
    } else {
        remedy =
            "choose a kafka_prefix that nobody has, or the keyspace of the topics by "
            "cassandra_keyspace; if that keyspace is lost, restore it from a backup or an export";
    }
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "the {} belong to {}, and the settings name the keyspace of {}: each would count what "
            "is the other's; {}",
            named(claim.here),
            named(theirs),
            named(claim.ours),
            remedy
        )
    );
}

/// The topics are those of another region of the deployment: both would count half of what comes.
std::unexpected<Error> of_another_region(const LogClaim& claim, const TopicOwner& theirs) {
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "the {} are those of {}, and the settings name those of {}: each region has topics of "
            "its own; choose a kafka_prefix that nobody has, or set cassandra_datacenter to {}, "
            "and cassandra_region_keyspace to its keyspace",
            named(claim.here),
            named(theirs),
            named(claim.ours),
            theirs.region
        )
    );
}

/// The deployment has other topics.
std::unexpected<Error> elsewhere(const LogClaim& claim, const TopicPlace& ours_are) {
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "{} has the {}, and the settings name the {}: {}; if the former are lost, or given up "
            "for good, `footfall schema new-topics` makes the latter its own",
            named(claim.ours),
            named(ours_are),
            named(claim.here),
            settings_for(ours_are, claim.here)
        )
    );
}

std::unexpected<Error> lost(const LogClaim& claim) {
    return fail(
        ErrorKind::invalid_input,
        fmt::format(
            "{} has the {}, but there is no topic {}{} any more: they were deleted, or their "
            "brokers lost what they had. Under the same names new records would be taken for those "
            "that were counted: {}",
            named(claim.ours),
            named(claim.here),
            claim.here.prefix,
            mark_topic,
            new_topics
        )
    );
}

Result<TopicMark> reach(const KafkaPlace& place) {
    return TopicMark::reach(
        {.brokers = place.brokers}, place.prefix + std::string{mark_topic}, place.replicas
    );
}

/// Of the deployment in a store, whose secret may not be drawn yet.
Result<std::string> name_of(storage::Store& store) {
    TRY(const auto drawn, storage::stored_secret(store));
    if (!drawn) {
        return "of no name yet";
    }
    TRY(const SipKey secret, storage::load_secret(store));
    return storage::deployment_id(secret);
}

Result<LogClaim> read_claim(
    storage::Store& store, const Claimant& claimant, const KafkaPlace& place, const TopicMark& mark
) {
    TRY(std::string deployment, name_of(store));
    LogClaim claim{
        .ours =
            {.deployment = std::move(deployment),
             .keyspace = claimant.keyspace,
             .region = claimant.region},
        .here = {.prefix = place.prefix, .cluster = mark.cluster_id()}
    };
    // In this order: the mark is made first, so where the keyspace names it, it has to be there.
    TRY(const auto topics, storage::stored_fact(store, topics_fact_of(claimant)));
    if (topics) {
        TRY(claim.ours_are, read_place(*topics));
    }
    const bool has_to_be = claim.ours_are == claim.here;
    TRY(const auto marked, mark.read(has_to_be ? looking_for_mark : std::chrono::milliseconds{0}));
    if (marked) {
        TRY(claim.theirs, read_owner(*marked, claim.here));
    }
    return claim;
}

Result<void> settle_mark(LogClaim& claim, const TopicMark& mark) {
    TRY(const std::string stands, mark.settle(text_of(claim.ours)));
    TRY(claim.theirs, read_owner(stands, claim.here));
    return check_claim(claim);
}

}  // namespace

Result<void> check_claim(const LogClaim& claim) {
    if (claim.theirs && claim.theirs->deployment != claim.ours.deployment) {
        return of_others(claim, *claim.theirs);
    }
    // A region may have begun as all of the deployment.
    if (claim.theirs && !claim.theirs->region.empty() &&
        claim.theirs->region != claim.ours.region) {
        return of_another_region(claim, *claim.theirs);
    }
    if (claim.ours_are && *claim.ours_are != claim.here) {
        return elsewhere(claim, *claim.ours_are);
    }
    if (claim.ours_are && !claim.theirs) {
        return lost(claim);
    }
    return {};
}

Result<void> claim_topics(
    storage::Store& store, const Claimant& claimant, const KafkaPlace& place
) {
    TRY(const TopicMark mark, reach(place));
    TRY(LogClaim claim, read_claim(store, claimant, place, mark));
    TRY_VOID(check_claim(claim));
    if (!claim.theirs) {
        TRY_VOID(settle_mark(claim, mark));
        log(LogLevel::info, "the {} are those of {} now", named(claim.here), named(claim.ours));
    }
    if (!claim.ours_are) {
        TRY(const std::string stands,
            settle_fact(store, topics_fact_of(claimant), text_of(claim.here)));
        TRY(claim.ours_are, read_place(stands));
    }
    return check_claim(claim);
}

Result<void> check_topics(
    storage::Store& store, const Claimant& claimant, const KafkaPlace& place
) {
    TRY(const TopicMark mark, reach(place));
    TRY(const LogClaim claim, read_claim(store, claimant, place, mark));
    return check_claim(claim);
}

Result<std::optional<TopicPlace>> move_to_topics(
    storage::Store& store, const Claimant& claimant, const KafkaPlace& place
) {
    TRY(const TopicMark mark, reach(place));
    TRY(LogClaim claim, read_claim(store, claimant, place, mark));
    std::optional<TopicPlace> before = std::exchange(claim.ours_are, std::nullopt);
    TRY_VOID(check_claim(claim));
    if (!claim.theirs && before == claim.here) {
        // Where the events themselves are there, only what says whose they are went.
        TRY(const bool has_events, mark.is_topic(place.prefix + "judged"));
        if (!has_events) {
            claim.ours_are = before;
            return lost(claim);
        }
    }
    if (!claim.theirs) {
        TRY_VOID(settle_mark(claim, mark));
    }
    TRY_VOID(storage::replace_fact(store, topics_fact_of(claimant), text_of(claim.here)));
    return before;
}

}  // namespace footfall::deployment
