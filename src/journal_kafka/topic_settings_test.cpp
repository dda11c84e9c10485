#include "journal_kafka/topic_settings.h"

#include <gmock/gmock.h>

#include <chrono>
#include <string>

namespace footfall::journal_kafka {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const TopicOptions judged{.name = "footfall.judged"};

/// One that is as it is made, but for one setting.
ExistingTopic made_with(
    const TopicOptions& topic, const std::string& name, const std::string& value
) {
    ExistingTopic existing{.replicas = topic.replicas};
    for (const auto& [each, text] : settings_of(topic)) {
        existing.settings[each] = text;
    }
    existing.settings[name] = value;
    return existing;
}

TEST(CompareTopic, one_that_is_as_it_was_made_is_right) {
    for (const TopicOptions& topic :
         {judged,
          TopicOptions{.name = "a", .replicas = 1, .in_sync = 1},
          TopicOptions{.name = "b", .kept = 168h, .kept_at_most = true, .file_for = 1h}}) {
        EXPECT_TRUE(compare_topic(topic, made_with(topic, "segment.ms", "604800000")).none());
    }
    EXPECT_TRUE(compare_topic(judged, {.replicas = 5}).none()) << "more copies, settings not told";
}

TEST(CompareTopic, refuses_what_loses_events_or_takes_none) {
    struct Case {
        std::string name;
        std::string value;
        std::string why;
        std::string remedy;
    };

    const std::vector<Case> cases{
        {"cleanup.policy", "compact,delete", "cleanup.policy is compact", "cleanup.policy=delete"},
        {"retention.ms",
         "604800000",
         "retention.ms is 604800000, so records go by their age",
         "retention.ms=-1"},
        {"retention.bytes", "1000000", "retention.bytes is 1000000", "retention.bytes=-1"},
        {"min.insync.replicas", "4", "no record is taken", "min.insync.replicas=2"},
    };
    for (const Case& each : cases) {
        const TopicFaults faults = compare_topic(judged, made_with(judged, each.name, each.value));
        EXPECT_THAT(faults.warnings, IsEmpty());
        EXPECT_THAT(
            faults.refused,
            ElementsAre(AllOf(
                HasSubstr("topic footfall.judged: "),
                HasSubstr(each.why),
                testing::EndsWith("--alter --topic footfall.judged --add-config " + each.remedy)
            ))
        );
        TopicOptions of_others = judged;
        of_others.of_others = true;
        const TopicFaults told = compare_topic(of_others, made_with(judged, each.name, each.value));
        EXPECT_THAT(told.refused, IsEmpty()) << "it is not ours";
        EXPECT_THAT(told.warnings, testing::SizeIs(1));
    }
}

TEST(CompareTopic, warns_of_what_is_worse_than_it_was_to_be) {
    const auto warning_of = [](const std::string& name, const std::string& value) {
        const TopicFaults faults = compare_topic(judged, made_with(judged, name, value));
        EXPECT_THAT(faults.refused, IsEmpty());
        EXPECT_THAT(faults.warnings, testing::SizeIs(1));
        return faults.warnings.empty() ? "" : faults.warnings.front();
    };
    EXPECT_THAT(
        warning_of("min.insync.replicas", "1"),
        AllOf(HasSubstr("min.insync.replicas is 1"), testing::EndsWith("min.insync.replicas=2"))
    );
    EXPECT_THAT(
        warning_of("unclean.leader.election.enable", "true"),
        testing::EndsWith("unclean.leader.election.enable=false")
    );
    EXPECT_THAT(
        warning_of("max.message.bytes", "1048588"), testing::EndsWith("max.message.bytes=2097152")
    );
    ExistingTopic lonely = made_with(judged, "min.insync.replicas", "2");
    lonely.replicas = 2;
    EXPECT_THAT(
        compare_topic(judged, lonely).warnings,
        ElementsAre(AllOf(HasSubstr("2 of the 3 copies"), HasSubstr("set kafka_replicas to 2")))
    );
}

TEST(CompareTopic, what_is_kept_for_a_time_is_kept_neither_shorter_nor_for_longer_than_addresses) {
    const TopicOptions events{.name = "events", .kept = 168h};
    EXPECT_THAT(
        compare_topic(events, made_with(events, "retention.ms", "3600000")).warnings,
        ElementsAre(AllOf(HasSubstr("3600000"), testing::EndsWith("retention.ms=604800000")))
    );
    for (const std::string longer : {"2592000000", "-1"}) {
        const ExistingTopic existing = made_with(events, "retention.ms", longer);
        EXPECT_TRUE(compare_topic(events, existing).none()) << longer;
        TopicOptions with_addresses = events;
        with_addresses.kept_at_most = true;
        EXPECT_THAT(
            compare_topic(with_addresses, existing).warnings,
            ElementsAre(
                AllOf(HasSubstr("keep_addresses"), testing::EndsWith("retention.ms=604800000"))
            )
        );
    }
    EXPECT_THAT(
        compare_topic(events, made_with(events, "retention.bytes", "1000")).refused, IsEmpty()
    );
}

}  // namespace
}  // namespace footfall::journal_kafka
