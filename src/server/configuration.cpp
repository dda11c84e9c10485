#include "server/configuration.h"

#include "foundation/check.h"
#include "jobs/list.h"
#include "server/job_settings.h"
#include "server/setting_readers.h"
#include "server/setting_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace footfall::server {
namespace {

/// Why a setting changes nothing, as the others are; "" if it does.
std::string_view idle_because(Concerns concerns, const Configuration& configuration) {
    const bool directory = configuration.store == Configuration::Store::rocksdb;
    switch (concerns) {
        case Concerns::all:
        case Concerns::choice:
            return "";
        case Concerns::directory:
            return directory ? "" : "rows are kept on Cassandra; set store to rocksdb";
        case Concerns::cassandra:
            return directory ? "rows are kept in a data directory; set store to cassandra" : "";
        case Concerns::kafka:
            return configuration.log_on_kafka
                       ? ""
                       : "the log of events is with the rows, in one process; set log to kafka";
    }
    return "";
}

/// Addresses stand in topics of other programs as they could be read then. However short they are
/// to be told, whoever takes records up has so long to be started again.
constexpr std::chrono::seconds topics_kept_least = std::chrono::hours{1};
constexpr std::chrono::seconds published_kept_most = std::chrono::days{7};

const SettingRow& row_of(std::string_view name) {
    const SettingRow* const row = find_setting(name);
    CHECK(row != nullptr, "a setting that is not in the table", name);
    return *row;
}

}  // namespace

Settings settings_of_environment() {
    Settings settings;
    for (const SettingRow& each : all_settings()) {
        const std::string variable = variable_of(each);
        if (const char* text = std::getenv(variable.c_str())) {
            settings.insert_or_assign(
                std::string{each.name}, Setting{.text = text, .origin = variable}
            );
        }
    }
    return settings;
}

Result<Configuration> read_configuration(const std::string& path, const Settings& flags) {
    const char* const named = std::getenv("FOOTFALL_CONFIG");
    const std::string file_path = path.empty() && named != nullptr ? named : path;
    ConfigurationFile file;
    if (!file_path.empty()) {
        TRY(file, read_configuration_file(file_path));
    }
    Settings settings = std::move(file.settings);
    for (const Settings& later : {settings_of_environment(), flags}) {
        for (const auto& [name, setting] : later) {
            settings.insert_or_assign(name, setting);
        }
    }
    return resolve(settings, file.sections);
}

Result<Configuration> resolve(const Settings& settings, const Sections& sections) {
    Configuration configuration;
    for (const auto& [name, setting] : settings) {
        if (const SettingRow& row = row_of(name); row.read != nullptr) {
            TRY_VOID(row.read(setting, configuration));
        }
    }
    TRY(configuration.jobs, read_jobs(jobs::all(), settings, sections));
    if (configuration.log_on_kafka && configuration.store != Configuration::Store::cassandra) {
        return fail(
            ErrorKind::invalid_input,
            "log kafka: its lanes go from process to process, so their rows must be where all of "
            "them find them: set store to cassandra"
        );
    }
    if (const auto& cluster = configuration.cluster; cluster.keyspace == cluster.region_keyspace) {
        return fail(
            ErrorKind::invalid_input,
            fmt::format(
                "cassandra_region_keyspace is {}, as cassandra_keyspace, which all regions share: "
                "what each makes anew needs a keyspace of its own, such as {}_dc1",
                cluster.keyspace,
                cluster.keyspace
            )
        );
    }
    configuration.kafka.judged_kept = configuration.keep_events;
    for (const auto& [name, setting] : settings) {
        if (const std::string_view why = idle_because(row_of(name).concerns, configuration);
            !why.empty()) {
            configuration.idle.push_back(fmt::format("{} has no effect: {}", setting.origin, why));
        }
    }
    deployment::KafkaPlace& kafka = configuration.kafka;
    if (configuration.keep_addresses) {
        kafka.addresses_kept = std::max(*configuration.keep_addresses, topics_kept_least);
    }
    if (configuration.judged_json) {
        kafka.published_kept =
            std::min(kafka.addresses_kept.value_or(published_kept_most), published_kept_most);
    }
    kafka.memory_bytes = configuration.memory_bytes;
    return configuration;
}

}  // namespace footfall::server
