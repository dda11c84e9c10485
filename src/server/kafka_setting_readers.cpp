#include "foundation/address.h"
#include "foundation/parse_number.h"
#include "guard_redis/connection.h"
#include "server/setting_readers.h"

#include <algorithm>
#include <ranges>

namespace footfall::server {
namespace {

/// What Kafka takes in the names of topics and of members.
constexpr std::string_view name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

}  // namespace

bool is_every_address(std::string_view address) {
    return address == "0.0.0.0" || address == "::";
}

Result<void> read_log(const Setting& setting, Configuration& configuration) {
    if (setting.text != "rocksdb" && setting.text != "kafka") {
        return wrong(setting, "log takes rocksdb or kafka");
    }
    configuration.log_on_kafka = setting.text == "kafka";
    return {};
}

Result<void> read_kafka(const Setting& setting, Configuration& configuration) {
    if (!are_addresses(setting.text)) {
        return wrong(
            setting, "kafka takes ADDRESS:PORT with commas between, such as 10.0.0.1:9092"
        );
    }
    configuration.kafka.brokers = setting.text;
    return {};
}

Result<void> read_kafka_prefix(const Setting& setting, Configuration& configuration) {
    constexpr std::size_t longest = 200;  // Kafka takes 249 for a topic
    if (setting.text.empty() || setting.text.size() > longest ||
        setting.text.find_first_not_of(name_letters) != std::string::npos) {
        return wrong(
            setting,
            "kafka_prefix takes at most 200 of a-z, A-Z, 0-9, dot, _ and -, such as footfall."
        );
    }
    configuration.kafka.prefix = setting.text;
    return {};
}

Result<void> read_kafka_replicas(const Setting& setting, Configuration& configuration) {
    const auto number = parse_unsigned(setting.text);
    if (!number || *number < 1 || *number > 15) {
        return wrong(setting, "kafka_replicas takes a number from 1 to 15, such as 3");
    }
    configuration.kafka.replicas = static_cast<std::uint16_t>(*number);
    return {};
}

Result<void> read_judged_json(const Setting& setting, Configuration& configuration) {
    if (setting.text != "on" && setting.text != "off") {
        return wrong(setting, "judged_json takes on or off");
    }
    configuration.judged_json = setting.text == "on";
    return {};
}

Result<void> read_instance(const Setting& setting, Configuration& configuration) {
    constexpr std::size_t longest = 200;
    if (setting.text.size() > longest ||
        setting.text.find_first_not_of(name_letters) != std::string::npos) {
        return wrong(
            setting, "instance takes at most 200 of a-z, A-Z, 0-9, dot, _ and -, such as node-1"
        );
    }
    configuration.kafka.instance = setting.text;
    return {};
}

Result<void> read_advertise(const Setting& setting, Configuration& configuration) {
    const auto place = parse_address(setting.text);
    if (!place || place->port == 0 || !guard_redis::is_numeric_address(place->address) ||
        is_every_address(place->address)) {
        return wrong(
            setting,
            "advertise takes the ADDRESS:PORT at which other processes reach this one, the address "
            "in numbers, for example 10.0.0.5:8080"
        );
    }
    configuration.advertise = setting.text;
    return {};
}

Result<void> read_roles(const Setting& setting, Configuration& configuration) {
    constexpr deployment::Roles none{
        .collect = false, .guard = false, .project = false, .query = false
    };
    deployment::Roles roles = none;
    bool known = true;
    for (const auto part : std::views::split(std::string_view{setting.text}, ',')) {
        const std::string_view role{part.begin(), part.end()};
        bool* const named = role == "collect"   ? &roles.collect
                            : role == "guard"   ? &roles.guard
                            : role == "project" ? &roles.project
                            : role == "query"   ? &roles.query
                                                : nullptr;
        known = known && named != nullptr;
        if (named != nullptr) {
            *named = true;
        }
    }
    if (!known || roles == none) {
        return wrong(
            setting, "roles takes some of collect, guard, project and query, with commas between"
        );
    }
    configuration.kafka.roles = roles;
    return {};
}

}  // namespace footfall::server
