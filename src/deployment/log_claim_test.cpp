#include "deployment/log_claim.h"

#include <gmock/gmock.h>

namespace footfall::deployment {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const TopicOwner ours{.deployment = "0000000000000001", .keyspace = "shop"};
const TopicPlace here{.prefix = "shop.", .cluster = "kafka-1"};

/// What is said when the start is refused; "": it is not.
std::string refusal(const LogClaim& claim) {
    const Result<void> checked = check_claim(claim);
    if (checked) {
        return "";
    }
    EXPECT_EQ(checked.error().kind, ErrorKind::invalid_input) << "wrong settings: not tried again";
    return checked.error().message;
}

TEST(CheckClaim, what_belongs_together_or_to_nobody_is_taken) {
    EXPECT_EQ(refusal({.ours = ours, .here = here}), "") << "the first start";
    EXPECT_EQ(refusal({.ours = ours, .here = here, .ours_are = here, .theirs = ours}), "");
    EXPECT_EQ(refusal({.ours = ours, .here = here, .theirs = ours}), "") << "half of a first start";
    const TopicOwner before{.deployment = ours.deployment, .keyspace = "of before it moved"};
    EXPECT_EQ(refusal({.ours = ours, .here = here, .ours_are = here, .theirs = before}), "");
}

TEST(CheckClaim, topics_of_another_deployment_are_refused_naming_both) {
    const TopicOwner other{.deployment = "0000000000000002", .keyspace = "blog"};
    const auto both = AllOf(
        HasSubstr("topics shop.* of the Kafka cluster kafka-1 belong to"),
        HasSubstr("deployment 0000000000000002 (keyspace blog)"),
        HasSubstr("deployment 0000000000000001 (keyspace shop)")
    );
    const std::string new_one = refusal({.ours = ours, .here = here, .theirs = other});
    EXPECT_THAT(new_one, both);
    EXPECT_THAT(new_one, HasSubstr("choose a kafka_prefix that nobody has, or the keyspace"));
    const TopicPlace mine{.prefix = "mine.", .cluster = "kafka-1"};
    const std::string mistaken =
        refusal({.ours = ours, .here = here, .ours_are = mine, .theirs = other});
    EXPECT_THAT(mistaken, both);
    EXPECT_THAT(mistaken, HasSubstr("set kafka_prefix to mine."));
    const std::string taken =
        refusal({.ours = ours, .here = here, .ours_are = here, .theirs = other});
    EXPECT_THAT(taken, both);
    EXPECT_THAT(taken, AllOf(HasSubstr("were deleted"), HasSubstr("schema new-topics")));
}

TEST(CheckClaim, a_keyspace_that_was_lost_is_told_from_one_of_others) {
    const TopicOwner lost{.deployment = "0000000000000002", .keyspace = "shop"};
    const std::string said = refusal({.ours = ours, .here = here, .theirs = lost});
    EXPECT_THAT(said, AllOf(HasSubstr("made anew"), HasSubstr("restore"), HasSubstr("secret")));
}

TEST(CheckClaim, each_region_has_topics_of_its_own) {
    const TopicOwner ams{.deployment = ours.deployment, .keyspace = "shop", .region = "ams"};
    const TopicOwner fra{.deployment = ours.deployment, .keyspace = "shop", .region = "fra"};
    EXPECT_EQ(refusal({.ours = ams, .here = here, .ours_are = here, .theirs = ams}), "");
    EXPECT_EQ(refusal({.ours = ams, .here = here, .theirs = ours}), "") << "it was the only one";
    for (const TopicOwner& other : {fra, ours}) {
        EXPECT_THAT(
            refusal({.ours = other, .here = here, .theirs = ams}),
            AllOf(
                HasSubstr("are those of deployment 0000000000000001 (keyspace shop, region ams)"),
                HasSubstr("choose a kafka_prefix that nobody has")
            )
        );
    }
}

TEST(CheckClaim, topics_that_were_lost_are_told_from_those_that_are_elsewhere) {
    const std::string gone = refusal({.ours = ours, .here = here, .ours_are = here});
    EXPECT_THAT(
        gone,
        AllOf(
            HasSubstr("deployment 0000000000000001"),
            HasSubstr("no topic shop.deployment any more"),
            HasSubstr("schema new-topics")
        )
    );
    const std::string other_brokers = refusal(
        {.ours = ours, .here = here, .ours_are = TopicPlace{.prefix = "shop.", .cluster = "kafka-0"}
        }
    );
    EXPECT_THAT(
        other_brokers,
        AllOf(
            HasSubstr("set kafka to the brokers of the cluster kafka-0"),
            Not(HasSubstr("set kafka_prefix")),
            HasSubstr("schema new-topics")
        )
    );
    const std::string other_prefix = refusal(
        {.ours = ours, .here = here, .ours_are = TopicPlace{.prefix = "old.", .cluster = "kafka-1"}}
    );
    EXPECT_THAT(other_prefix, AllOf(HasSubstr("kafka_prefix to old."), HasSubstr("topics shop.*")));
}

}  // namespace
}  // namespace footfall::deployment
