#include "server/configuration.h"

#include "foundation/address.h"
#include "foundation/check.h"
#include "foundation/parse_number.h"
#include "guard_redis/connection.h"
#include "jobs/job.h"
#include "jobs/list.h"
#include "server/kafka_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <ranges>
#include <span>
#include <utility>

namespace footfall::server {
namespace {

Result<void> read_listen(const Setting& setting, Configuration& configuration) {
    auto listen = parse_address(setting.text);
    if (!listen) {
        return wrong(setting, "listen takes ADDRESS:PORT, for example 127.0.0.1:8080");
    }
    configuration.address = std::move(listen->address);
    configuration.port = listen->port;
    return {};
}

Result<void> read_sync(const Setting& setting, Configuration& configuration) {
    if (setting.text == "always") {
        configuration.sync_interval.reset();
        return {};
    }
    std::string_view digits = setting.text;
    const bool milliseconds = digits.ends_with("ms");
    digits.remove_suffix(milliseconds ? 2 : 0);
    const auto number = parse_unsigned(digits);
    if (!milliseconds || !number || *number < 1 || *number > 60'000) {
        return wrong(
            setting, "sync takes always, or an interval from 1ms to 60000ms, for example 200ms"
        );
    }
    configuration.sync_interval = std::chrono::milliseconds{static_cast<std::int64_t>(*number)};
    return {};
}

Result<void> read_memory(const Setting& setting, Configuration& configuration) {
    std::string_view digits = setting.text;
    std::uint64_t unit = 0;
    if (digits.ends_with("MiB")) {
        unit = 1 << 20;
    } else if (digits.ends_with("GiB")) {
        unit = 1 << 30;
    }
    digits.remove_suffix(std::min<std::size_t>(digits.size(), 3));
    while (digits.ends_with(' ')) {
        digits.remove_suffix(1);
    }
    const auto number = parse_unsigned(digits);
    if (unit == 0 || !number || *number * unit < (64 << 20) || *number > (1 << 20)) {
        return wrong(setting, "memory takes a size of at least 64MiB, for example 512MiB or 2GiB");
    }
    configuration.memory_bytes = *number * unit;
    return {};
}

Result<void> read_threads(const Setting& setting, Configuration& configuration) {
    const auto number = parse_unsigned(setting.text);
    if (!number || *number > 256) {
        return wrong(setting, "threads takes a number from 1 to 256, or 0 for one a core");
    }
    configuration.threads = *number;
    return {};
}

Result<void> read_data(const Setting& setting, Configuration& configuration) {
    if (setting.text.empty()) {
        return wrong(setting, "data takes a directory");
    }
    configuration.data = setting.text;
    return {};
}

Result<void> read_rules(const Setting& setting, Configuration& configuration) {
    if (setting.text.empty()) {
        return wrong(setting, "rules takes a file");
    }
    configuration.rules = setting.text;
    return {};
}

Result<void> read_redis(const Setting& setting, Configuration& configuration) {
    if (setting.text.empty()) {
        configuration.redis.reset();
        return {};
    }
    auto place = parse_address(setting.text);
    if (!place || place->port == 0 || !guard_redis::is_numeric_address(place->address)) {
        return wrong(
            setting, "redis takes ADDRESS:PORT, the address in numbers, for example 10.0.0.1:6379"
        );
    }
    configuration.redis = {.address = std::move(place->address), .port = place->port};
    return {};
}

/// Longer is for ever.
constexpr std::chrono::seconds longest_keep = std::chrono::days{36'500};

Result<void> read_keep_events(const Setting& setting, Configuration& configuration) {
    if (setting.text == "forever") {
        configuration.keep_events.reset();
        return {};
    }
    constexpr std::chrono::seconds least = std::chrono::minutes{1};
    const auto keep = parse_duration(setting.text);
    if (!keep || *keep < least || *keep > longest_keep) {
        return wrong(setting, "keep_events takes forever, or 1m to 36500d, for example 90d");
    }
    configuration.keep_events = keep;
    return {};
}

Result<void> read_keep_addresses(const Setting& setting, Configuration& configuration) {
    if (setting.text == "forever") {
        configuration.keep_addresses.reset();
        return {};
    }
    const auto keep = parse_duration(setting.text);
    if (!keep || *keep > longest_keep) {
        return wrong(
            setting, "keep_addresses takes forever, or a time to 36500d, for example 7d or 0s"
        );
    }
    configuration.keep_addresses = keep;
    return {};
}

/// Networks, with commas or spaces between.
Result<void> read_trusted_proxies(const Setting& setting, Configuration& configuration) {
    std::string lines = setting.text;
    std::ranges::replace_if(lines, [](char sign) { return sign == ',' || sign == ' '; }, '\n');
    Result<guard::NetworkSet> networks = guard::NetworkSet::read(lines);
    if (!networks) {
        return wrong(setting, "trusted_proxies takes networks, for example 127.0.0.1, 10.0.0.0/8");
    }
    configuration.trusted_proxies = *std::move(networks);
    return {};
}

/// Origins, with commas or spaces between.
Result<void> read_sites(const Setting& setting, Configuration& configuration) {
    std::string_view left = setting.text;
    while (!left.empty()) {
        const std::size_t end = std::min(left.find_first_of(", "), left.size());
        const std::string_view site = left.substr(0, end);
        left.remove_prefix(std::min(end + 1, left.size()));
        if (site.empty()) {
            continue;
        }
        const std::size_t host = site.find("://");
        const bool is_http = site.starts_with("http://") || site.starts_with("https://");
        if (!is_http || host + 3 >= site.size() || site.substr(host + 3).contains('/')) {
            return wrong(
                setting, "sites takes origins, for example https://example.org, without a path"
            );
        }
        configuration.sites.emplace_back(site);
    }
    return {};
}

Result<void> read_store(const Setting& setting, Configuration& configuration) {
    if (setting.text != "rocksdb" && setting.text != "cassandra") {
        return wrong(setting, "store takes rocksdb or cassandra");
    }
    configuration.store =
        setting.text == "rocksdb" ? Configuration::Store::rocksdb : Configuration::Store::cassandra;
    return {};
}

Result<void> read_contacts(const Setting& setting, Configuration& configuration) {
    if (!are_addresses(setting.text)) {
        return wrong(
            setting, "cassandra takes ADDRESS:PORT with commas between, such as 10.0.0.1:9042"
        );
    }
    configuration.cluster.contacts = setting.text;
    return {};
}

Result<void> read_datacenter(const Setting& setting, Configuration& configuration) {
    if (setting.text.empty()) {
        return wrong(setting, "cassandra_datacenter takes the name of a datacenter, such as dc1");
    }
    configuration.cluster.datacenter = setting.text;
    return {};
}

/// Names that mean the same in quotes and without.
Result<void> read_keyspace(const Setting& setting, Configuration& configuration) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
    const std::string_view name = setting.text;
    if (name.empty() || name.size() > 48 || letters.find(name.front()) == std::string_view::npos ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string_view::npos) {
        return wrong(
            setting,
            "cassandra_keyspace takes at most 48 of a-z, 0-9 and _, a letter first, such as "
            "footfall"
        );
    }
    configuration.cluster.keyspace = setting.text;
    return {};
}

Result<void> read_user(const Setting& setting, Configuration& configuration) {
    configuration.cluster.user = setting.text;
    return {};
}

Result<void> read_password(const Setting& setting, Configuration& configuration) {
    configuration.cluster.password = setting.text;
    return {};
}

Result<void> read_replication(const Setting& setting, Configuration& configuration) {
    auto replication = storage::parse_replication(setting.text);
    if (!replication) {
        return wrong(setting, replication.error().message);
    }
    configuration.cluster.replication = *std::move(replication);
    return {};
}

Result<void> read_counts_level(const Setting& setting, Configuration& configuration) {
    if (setting.text != "local_quorum" && setting.text != "local_one") {
        return wrong(setting, "cassandra_counts takes local_quorum or local_one");
    }
    configuration.cluster.count_at_one = setting.text == "local_one";
    return {};
}

Result<void> read_remote_reads(const Setting& setting, Configuration& configuration) {
    if (setting.text != "yes" && setting.text != "no") {
        return wrong(setting, "cassandra_remote_reads takes yes or no");
    }
    configuration.cluster.remote_reads = setting.text == "yes";
    return {};
}

/// Why a setting changes nothing, as the others are; "" if it does.
std::string_view idle_because(std::string_view name, const Configuration& configuration) {
    constexpr std::array<std::string_view, 7> of_kafka{
        "kafka", "kafka_prefix", "kafka_replicas", "judged_json", "instance", "advertise", "roles"
    };
    const bool directory = configuration.store == Configuration::Store::rocksdb;
    if (directory && name.starts_with("cassandra")) {
        return "rows are kept in a data directory; set store to cassandra";
    }
    if (!configuration.log_on_kafka && std::ranges::find(of_kafka, name) != of_kafka.end()) {
        return "the log of events is with the rows, in one process; set log to kafka";
    }
    if (!directory && (name == "data" || name == "sync")) {
        return "rows are kept on Cassandra; set store to rocksdb";
    }
    return "";
}

/// Each job reads its sections; what nobody reads was refused with the file.
Result<jobs::OptionsByJob> read_jobs(const Sections& sections) {
    jobs::OptionsByJob options;
    for (const jobs::Registered* const job : jobs::all()) {
        if (job->settings != nullptr) {
            const auto own = sections.find(job->settings->section);
            TRY(options[std::string{job->name}],
                job->settings->read(
                    own == sections.end() ? std::span<const jobs::Section>{} : own->second
                ));
        }
    }
    return options;
}

/// A setting, and what reads it.
struct SettingReader {
    std::string_view name;
    Result<void> (*read)(const Setting&, Configuration&);
};

constexpr std::array<SettingReader, 28> readers{{
    {"listen", read_listen},
    {"data", read_data},
    {"sync", read_sync},
    {"memory", read_memory},
    {"threads", read_threads},
    {"rules", read_rules},
    {"redis", read_redis},
    {"keep_events", read_keep_events},
    {"keep_addresses", read_keep_addresses},
    {"sites", read_sites},
    {"trusted_proxies", read_trusted_proxies},
    {"store", read_store},
    {"cassandra", read_contacts},
    {"cassandra_datacenter", read_datacenter},
    {"cassandra_keyspace", read_keyspace},
    {"cassandra_user", read_user},
    {"cassandra_password", read_password},
    {"cassandra_replication", read_replication},
    {"cassandra_counts", read_counts_level},
    {"cassandra_remote_reads", read_remote_reads},
    {"log", read_log},
    {"kafka", read_kafka},
    {"kafka_prefix", read_kafka_prefix},
    {"kafka_replicas", read_kafka_replicas},
    {"judged_json", read_judged_json},
    {"instance", read_instance},
    {"advertise", read_advertise},
    {"roles", read_roles},
}};

}  // namespace

std::vector<std::string_view> setting_names() {
    std::vector<std::string_view> names;
    names.reserve(readers.size());
    for (const SettingReader& each : readers) {
        names.push_back(each.name);
    }
    return names;
}

Settings settings_of_environment() {
    Settings settings;
    for (const std::string_view name : setting_names()) {
        std::string variable = "FOOTFALL_";
        for (const char letter : name) {
            variable.push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(letter))));
        }
        if (const char* text = std::getenv(variable.c_str())) {
            settings.insert_or_assign(std::string{name}, Setting{.text = text, .origin = variable});
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
        const auto* const reader = std::ranges::find(readers, name, &SettingReader::name);
        CHECK(reader != readers.end(), "a setting that nobody reads", name);
        TRY_VOID(reader->read(setting, configuration));
    }
    TRY(configuration.jobs, read_jobs(sections));
    if (configuration.log_on_kafka && configuration.store != Configuration::Store::cassandra) {
        return fail(
            ErrorKind::invalid_input,
            "log kafka: its lanes go from process to process, so their rows must be where all of "
            "them find them: set store to cassandra"
        );
    }
    configuration.kafka.judged_kept = configuration.keep_events;
    for (const auto& [name, setting] : settings) {
        if (const std::string_view why = idle_because(name, configuration); !why.empty()) {
            configuration.idle.push_back(fmt::format("{} has no effect: {}", setting.origin, why));
        }
    }
    if (configuration.judged_json) {
        configuration.kafka.published_kept = published_kept(configuration.keep_addresses);
    }
    return configuration;
}

}  // namespace footfall::server
