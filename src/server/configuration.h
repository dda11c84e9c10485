#pragma once

#include "deployment/event_parts.h"
#include "deployment/log_place.h"
#include "deployment/store_place.h"
#include "foundation/result.h"
#include "guard/networks.h"
#include "jobs/settings.h"
#include "people/read_terms.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::server {

/// How the program is to run. Constant after start-up.
struct Configuration {
    enum class Store { rocksdb, cassandra };

    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;
    std::string advertise;  ///< Where other processes reach this one; empty: where it listens.
    Store store = Store::rocksdb;
    std::string data = "./footfall-data";   ///< Of the store rocksdb.
    deployment::ClusterPlace cluster = {};  ///< Of the store cassandra.
    bool log_on_kafka = false;              ///< Else the log of events is in the store.
    deployment::KafkaPlace kafka = {};      ///< Of the log on Kafka.
    bool judged_json = false;               ///< Judged events are written for other programs.
    std::optional<std::chrono::milliseconds>
        sync_interval;  ///< Absent: every answer waits for its fdatasync.
    std::size_t memory_bytes = 256 << 20;
    std::string backup_directory = {};  ///< Where backups are made while serving; empty: nowhere.
    std::string backup_encryption_key = {};  ///< A file with the key of them; empty: there is none.
    std::uint64_t backup_rate = 50 << 20;    ///< Bytes a second, of these.
    std::optional<std::chrono::seconds> backup_every = {};  ///< Absent: only when asked for.
    std::optional<std::size_t> backup_keep = {};            ///< With it; absent: all.
    std::uint64_t backup_history = 1 << 30;  ///< Of logs between two of these; 0: none are kept.
    std::size_t threads = 0;                 ///< 0: one a core this process may run on.
    std::optional<std::string> rules;        ///< The rule file; absent: the standard rules.
    std::optional<deployment::RedisPlace> redis;  ///< Absent: rates are not shared.
    /// From the arrival of an event until it goes; absent: events are kept for ever, as always with
    /// the log on Kafka.
    std::optional<std::chrono::seconds> keep_events = std::chrono::days{90};
    /// The same of its address, as far as it is told; absent: as long as the event.
    std::optional<std::chrono::seconds> keep_addresses = std::chrono::days{7};
    std::vector<std::string> sites = {};     ///< Whose pages may send events: origins.
    guard::NetworkSet trusted_proxies = {};  ///< Whose X-Forwarded-For is believed.
    people::ReadTerms reads = {};            ///< What holds of all reads.
    jobs::OptionsByJob jobs = {};            ///< What jobs read of their settings.
    /// Settings that were made and change nothing, with the reason, for whoever serves.
    std::vector<std::string> idle = {};

    friend bool operator==(const Configuration&, const Configuration&) = default;
};

/// A setting (setting_table.h) as written, and where: "FOOTFALL_LISTEN", "--listen",
/// "footfall.toml". Later sources replace earlier ones.
struct Setting {
    std::string text;
    std::string origin;
};

using Settings = std::map<std::string, Setting, std::less<>>;

/// The sections of a configuration file, by their names.
using Sections = std::map<std::string, std::vector<jobs::Section>, std::less<>>;

/// What a configuration file says. Unknown keys are errors, since a misspelt setting would be
/// silently ignored.
struct ConfigurationFile {
    Settings settings;
    Sections sections;
};

/// Reads a TOML file; `invalid_input` names file, line and key at fault.
Result<ConfigurationFile> read_configuration_file(const std::string& path);

/// The settings that stand in the environment as FOOTFALL_<NAME>.
Settings settings_of_environment();

/// Defaults, then the file (path "": none, or FOOTFALL_CONFIG), then the environment, then `flags`.
Result<Configuration> read_configuration(const std::string& path, const Settings& flags);

/// Settings taken together, and sections by the jobs that have them, checked; the error names the
/// origin.
Result<Configuration> resolve(const Settings& settings, const Sections& sections);

}  // namespace footfall::server
