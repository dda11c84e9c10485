#include "journal_kafka/topic_settings.h"

#include "foundation/log.h"
#include "foundation/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace footfall::journal_kafka {
namespace {

constexpr std::size_t file_bytes_max = 64 << 20;

/// Compares the settings of one topic, each by its own rule.
class Comparison {
public:
    Comparison(const TopicOptions& wanted, const ExistingTopic& existing)
        : wanted_{wanted}, existing_{existing} {}

    TopicFaults faults() && {
        compare_cleanup();
        compare_kept();
        compare_size();
        compare_copies();
        return std::move(faults_);
    }

private:
    std::string_view text(std::string_view name) const {
        const auto found = existing_.settings.find(name);
        return found == existing_.settings.end() ? std::string_view{} : found->second;
    }

    /// Absent: below 0, which Kafka takes for no bound, or not told.
    std::optional<std::uint64_t> number(std::string_view name) const {
        return parse_unsigned(text(name));
    }

    std::string with_remedy(const std::string& what, std::string_view setting) const {
        return fmt::format(
            "kafka: topic {}: {}: kafka-configs --bootstrap-server ... --alter --topic {} "
            "--add-config {}",
            wanted_.name,
            what,
            wanted_.name,
            setting
        );
    }

    void warn(const std::string& what, const std::string& setting) {
        faults_.warnings.push_back(with_remedy(what, setting));
    }

    void refuse(const std::string& what, const std::string& setting) {
        (wanted_.of_others ? faults_.warnings : faults_.refused)
            .push_back(with_remedy(what, setting));
    }

    void compare_cleanup() {
        if (text("cleanup.policy").contains("compact")) {
            refuse(
                "cleanup.policy is compact, so records go that have the key of a later one, and "
                "those without a key are not taken",
                "cleanup.policy=delete"
            );
        }
    }

    /// How long records stay, and whether they may go for other reasons.
    void compare_kept() {
        const auto kept = number("retention.ms");
        const bool for_ever = wanted_.kept.count() < 0;
        const auto least = static_cast<std::uint64_t>(wanted_.kept.count());
        const std::string as_wanted = fmt::format("retention.ms={}", wanted_.kept.count());
        if (for_ever && kept) {
            refuse(
                fmt::format(
                    "retention.ms is {}, so records go by their age, counted or not; footfall "
                    "itself lets go what was kept long enough",
                    *kept
                ),
                as_wanted
            );
        } else if (!for_ever && kept && *kept < least) {
            warn(
                fmt::format(
                    "retention.ms is {}, so what nobody reads for that long is lost; {} ms are "
                    "meant",
                    *kept,
                    least
                ),
                as_wanted
            );
        }
        const bool is_told = !text("retention.ms").empty();
        if (wanted_.kept_at_most && is_told && (!kept || *kept > least)) {
            warn(
                fmt::format(
                    "retention.ms is {}, so addresses stay there for longer than the {} ms that "
                    "keep_addresses allows",
                    text("retention.ms"),
                    least
                ),
                as_wanted
            );
        }
        if (const auto bytes = number("retention.bytes")) {
            const std::string what = fmt::format(
                "retention.bytes is {}, so the oldest records of a lane go when it has more, read "
                "or not",
                *bytes
            );
            if (for_ever) {
                refuse(what, "retention.bytes=-1");
            } else {
                warn(what, "retention.bytes=-1");
            }
        }
    }

    void compare_size() {
        const auto bytes = number("max.message.bytes");
        if (bytes && *bytes < message_bytes_max) {
            warn(
                fmt::format(
                    "max.message.bytes is {}, so the largest records are not taken; {} are meant",
                    *bytes,
                    message_bytes_max
                ),
                fmt::format("max.message.bytes={}", message_bytes_max)
            );
        }
    }

    void compare_copies() {
        if (existing_.replicas > 0 && existing_.replicas < wanted_.replicas) {
            faults_.warnings.push_back(fmt::format(
                "kafka: topic {}: a lane has {} of the {} copies that kafka_replicas says: make "
                "more by kafka-reassign-partitions, or set kafka_replicas to {}",
                wanted_.name,
                existing_.replicas,
                wanted_.replicas,
                existing_.replicas
            ));
        }
        const auto in_sync = number("min.insync.replicas");
        if (in_sync && existing_.replicas > 0 && *in_sync > existing_.replicas) {
            refuse(
                fmt::format(
                    "min.insync.replicas is {}, and a lane has {} copies, so no record is taken",
                    *in_sync,
                    existing_.replicas
                ),
                fmt::format(
                    "min.insync.replicas={}",
                    std::min<std::uint32_t>(wanted_.in_sync, existing_.replicas)
                )
            );
        } else if (in_sync && *in_sync < wanted_.in_sync) {
            warn(
                fmt::format(
                    "min.insync.replicas is {}, so a record may be acknowledged that only so many "
                    "brokers have, and be lost with them; {} is meant",
                    *in_sync,
                    wanted_.in_sync
                ),
                fmt::format("min.insync.replicas={}", wanted_.in_sync)
            );
        }
        if (text("unclean.leader.election.enable") == "true") {
            warn(
                "unclean.leader.election.enable is true, so a broker may lead a lane that has not "
                "all of its acknowledged records",
                "unclean.leader.election.enable=false"
            );
        }
    }

    const TopicOptions& wanted_;
    const ExistingTopic& existing_;
    TopicFaults faults_;
};

}  // namespace

Settings settings_of(const TopicOptions& topic) {
    Settings settings{
        {"cleanup.policy", "delete"},
        {"retention.ms", fmt::format("{}", topic.kept.count())},
        {"retention.bytes", "-1"},
        {"min.insync.replicas", fmt::format("{}", topic.in_sync)},
        {"unclean.leader.election.enable", "false"},
        {"max.message.bytes", fmt::format("{}", message_bytes_max)},
    };
    if (topic.file_for) {
        settings.emplace_back("segment.ms", fmt::format("{}", topic.file_for->count()));
        settings.emplace_back("segment.bytes", fmt::format("{}", file_bytes_max));
    }
    return settings;
}

TopicFaults compare_topic(const TopicOptions& wanted, const ExistingTopic& existing) {
    return Comparison{wanted, existing}.faults();
}

Result<std::map<std::string, std::string, std::less<>>> topic_settings(
    rd_kafka_t& client, const std::string& topic, std::chrono::milliseconds patience
) {
    const std::string what = fmt::format("ask for the settings of topic {}", topic);
    const Owned<rd_kafka_ConfigResource_t> asked{
        rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str())
    };
    const auto options = within(client, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, patience);
    const Owned<rd_kafka_queue_t> answers{rd_kafka_queue_new(&client)};
    rd_kafka_ConfigResource_t* only = asked.get();
    rd_kafka_DescribeConfigs(&client, &only, 1, options.get(), answers.get());
    TRY(const auto event, wait_for_answer(*answers, what, patience));
    std::size_t count = 0;
    const rd_kafka_ConfigResource_t** const found = rd_kafka_DescribeConfigs_result_resources(
        rd_kafka_event_DescribeConfigs_result(event.get()), &count
    );
    std::map<std::string, std::string, std::less<>> settings;
    for (const rd_kafka_ConfigResource_t* const each : std::span{found, count}) {
        TRY_VOID(outcome_of(rd_kafka_ConfigResource_error(each), what));
        std::size_t entries = 0;
        const rd_kafka_ConfigEntry_t** const all = rd_kafka_ConfigResource_configs(each, &entries);
        for (const rd_kafka_ConfigEntry_t* const entry : std::span{all, entries}) {
            const char* const value = rd_kafka_ConfigEntry_value(entry);
            settings.emplace(rd_kafka_ConfigEntry_name(entry), value == nullptr ? "" : value);
        }
    }
    return settings;
}

Result<void> check_settings(
    rd_kafka_t& client,
    const TopicOptions& topic,
    std::uint32_t replicas,
    std::chrono::milliseconds patience
) {
    auto settings = topic_settings(client, topic.name, patience);
    if (!settings) {
        log(LogLevel::warning,
            "{}; whether records stay long enough and in enough copies is not checked",
            settings.error().message);
        settings.emplace();
    }
    const TopicFaults faults =
        compare_topic(topic, {.replicas = replicas, .settings = *std::move(settings)});
    for (const std::string& warning : faults.warnings) {
        log(LogLevel::warning, "{}", warning);
    }
    if (!faults.refused.empty()) {
        return fail(ErrorKind::invalid_input, faults.refused.front());
    }
    return {};
}

}  // namespace footfall::journal_kafka
