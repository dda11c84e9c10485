#include "server/setting_table.h"

#include "jobs/list.h"
#include "server/job_settings.h"
#include "server/setting_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <vector>

namespace footfall::server {
namespace {

constexpr jobs::Default value(std::string_view text) {
    return {.text = text, .is_value = true};
}

constexpr jobs::Default words(std::string_view text) {
    return {.text = text, .is_value = false};
}

constexpr std::array<SettingRow, 39> own_settings{{
    {.name = "listen",
     .takes = "ADDR:PORT",
     .without = value("127.0.0.1:8080"),
     .help = "Where to serve; port 0 takes any free one",
     .read = read_listen},
    {.name = "data",
     .takes = "DIR",
     .without = value("./footfall-data"),
     .help = "The data directory; made if missing",
     .concerns = Concerns::directory,
     .locates = Locates::rows,
     .read = read_data},
    {.name = "sync",
     .takes = "WHEN",
     .without = value("always"),
     .help = "always: answer once it is on disk; or an interval such as 200ms",
     .concerns = Concerns::directory,
     .read = read_sync},
    {.name = "memory",
     .takes = "SIZE",
     .without = value("256MiB"),
     .help = "Memory for everything: the store and the objects counted",
     .read = read_memory},
    {.name = "backup_directory",
     .takes = "DIR",
     .without = words("none"),
     .help = "Where the server makes backups when it is asked for one, a directory or "
             "s3://BUCKET/PREFIX",
     .concerns = Concerns::directory,
     .read = read_backup_directory},
    {.name = "backup_encryption_key",
     .takes = "FILE",
     .without = words("none"),
     .help = "A file with the key that backups are encrypted with, 64 hexadecimal digits",
     .concerns = Concerns::directory,
     .read = read_backup_encryption_key},
    {.name = "backup_rate",
     .takes = "SIZE",
     .without = value("50MiB"),
     .help = "So much a second a backup reads and copies at most, while the server serves",
     .concerns = Concerns::directory,
     .read = read_backup_rate},
    {.name = "backup_every",
     .takes = "TIME",
     .without = words("none"),
     .help = "So long after the newest backup the server makes the next; none: when it is asked",
     .concerns = Concerns::directory,
     .read = read_backup_every},
    {.name = "backup_keep",
     .takes = "N",
     .without = words("all"),
     .help = "So many backups stay when the server has made one by backup_every",
     .concerns = Concerns::directory,
     .read = read_backup_keep},
    {.name = "backup_history",
     .takes = "SIZE",
     .without = value("1GiB"),
     .help =
         "What was written since the last backup is kept for `restore --time`, up to this size; "
         "or none",
     .concerns = Concerns::directory,
     .read = read_backup_history},
    {.name = "threads",
     .takes = "N",
     .without = value("0"),
     .help = "Threads that serve; 0: one a core",
     .read = read_threads},
    {.name = "rules",
     .takes = "FILE",
     .without = words("the standard rules"),
     .help = "The rule file that events are judged by",
     .read = read_rules},
    {.name = "redis",
     .takes = "ADDR:PORT",
     .without = words("each goes by its own"),
     .help = "Where processes share what rules on rates have counted",
     .read = read_redis},
    {.name = "keep_events",
     .takes = "TIME",
     .without = value("90d"),
     .help = "How long events are kept; what was counted of them stays. Or forever",
     .read = read_keep_events},
    {.name = "keep_addresses",
     .takes = "TIME",
     .without = value("7d"),
     .help = "How long the addresses of events are shown, then only a keyed hash; or forever",
     .read = read_keep_addresses},
    {.name = "sites",
     .takes = "ORIGINS",
     .without = words("none"),
     .help = "Sites whose pages may send events, such as https://example.org",
     .read = read_sites},
    {.name = "trusted_proxies",
     .takes = "NETWORKS",
     .without = words("none"),
     .help = "Networks of proxies whose X-Forwarded-For is believed",
     .read = read_trusted_proxies},
    {.name = "reading_sites",
     .takes = "HOSTS",
     .without = words("all"),
     .help = "Hosts on which reads are shared, with those below them, such as news.example",
     .read = read_reading_sites},
    {.name = "reading_ttl",
     .takes = "TIME",
     .without = value("30d"),
     .help =
         "How many days a shared read lives after the day it was read; a shorter one lets older "
         "ones go for ever",
     .read = read_reading_ttl},
    {.name = "reading_least",
     .takes = "N",
     .without = value("5"),
     .help = "What fewer people have read stands in no list for everybody",
     .read = read_reading_least},
    {.name = "store",
     .takes = "STORE",
     .without = value("rocksdb"),
     .help = "Where rows are kept: rocksdb (in --data) or cassandra",
     .concerns = Concerns::choice,
     .locates = Locates::rows,
     .read = read_store},
    {.name = "cassandra",
     .takes = "NODES",
     .without = value("127.0.0.1:9042"),
     .help = "Some nodes, ADDRESS:PORT with commas between",
     .concerns = Concerns::cassandra,
     .locates = Locates::rows,
     .read = read_contacts},
    {.name = "cassandra_datacenter",
     .takes = "NAME",
     .without = value("dc1"),
     .help = "The nearest datacenter, whose nodes are asked",
     .concerns = Concerns::cassandra,
     .locates = Locates::rows,
     .read = read_datacenter},
    {.name = "cassandra_keyspace",
     .takes = "NAME",
     .without = value("footfall"),
     .help = "The keyspace of all tables",
     .concerns = Concerns::cassandra,
     .locates = Locates::rows,
     .read = read_keyspace},
    {.name = "cassandra_region_keyspace",
     .takes = "NAME",
     .without = words("there is one region"),
     .help = "Where several regions share that keyspace: the one of tables that each makes anew",
     .concerns = Concerns::cassandra,
     .locates = Locates::rows,
     .read = read_region_keyspace},
    {.name = "cassandra_user",
     .takes = "NAME",
     .without = words("nobody"),
     .help = "Who asks; the password is FOOTFALL_CASSANDRA_PASSWORD or in --config",
     .concerns = Concerns::cassandra,
     .locates = Locates::rows,
     .read = read_user},
    {.name = "cassandra_password",
     .takes = "TEXT",
     .without = words("none"),
     .help = "The password of that user",
     .concerns = Concerns::cassandra,
     .locates = Locates::rows,
     .read = read_password,
     .is_flag = false},
    {.name = "cassandra_replication",
     .takes = "COPIES",
     .without = words("they have to be there"),
     .help = "Copies a datacenter, such as dc1:3,dc2:1, to make keyspace and tables with "
             "if they are missing",
     .concerns = Concerns::cassandra,
     .locates = Locates::rows,
     .read = read_replication},
    {.name = "cassandra_counts",
     .takes = "LEVEL",
     .without = value("local_quorum"),
     .help = "How many replicas answer for counts: local_quorum, or local_one, which may "
             "be a moment old",
     .concerns = Concerns::cassandra,
     .locates = Locates::rows,
     .read = read_counts_level},
    {.name = "cassandra_remote_reads",
     .takes = "WHETHER",
     .without = value("no"),
     .help = "yes: objects of counters that the nearest datacenter cannot answer are "
             "asked of another one; or no",
     .concerns = Concerns::cassandra,
     .locates = Locates::rows,
     .read = read_remote_reads},
    {.name = "log",
     .takes = "LOG",
     .without = value("rocksdb"),
     .help = "Where events are kept: rocksdb (in --data) or kafka",
     .concerns = Concerns::choice,
     .locates = Locates::log,
     .read = read_log},
    {.name = "kafka",
     .takes = "BROKERS",
     .without = value("127.0.0.1:9092"),
     .help = "Some brokers, ADDRESS:PORT with commas between",
     .concerns = Concerns::kafka,
     .locates = Locates::log,
     .read = read_kafka},
    {.name = "kafka_prefix",
     .takes = "TEXT",
     .without = value("footfall."),
     .help = "What the names of the topics begin with",
     .concerns = Concerns::kafka,
     .locates = Locates::log,
     .read = read_kafka_prefix},
    {.name = "kafka_replicas",
     .takes = "N",
     .without = value("3"),
     .help = "Copies of each record, if the topics are to be made",
     .concerns = Concerns::kafka,
     .locates = Locates::log,
     .read = read_kafka_replicas},
    {.name = "reading_ingress",
     .takes = "on|off",
     .without = value("off"),
     .help = "Take reads that name their actor by the topic ingress, too, where they lie in clear",
     .concerns = Concerns::kafka,
     .read = read_reading_ingress},
    {.name = "judged_json",
     .takes = "on|off",
     .without = value("off"),
     .help = "Write judged events as JSON to the topic judged.json, for other programs",
     .concerns = Concerns::kafka,
     .read = read_judged_json},
    {.name = "instance",
     .takes = "NAME",
     .without = words("it goes to others"),
     .help = "This process's name in the cluster; its work waits for it after a restart",
     .concerns = Concerns::kafka,
     .read = read_instance},
    {.name = "advertise",
     .takes = "ADDR:PORT",
     .without = words("where it listens"),
     .help = "Where the other processes reach this one",
     .concerns = Concerns::kafka,
     .read = read_advertise},
    {.name = "roles",
     .takes = "ROLES",
     .without = words("all"),
     .help = "What this process does: some of collect,guard,project,query",
     .concerns = Concerns::kafka,
     .read = read_roles},
}};

}  // namespace

std::span<const SettingRow> all_settings() {
    static const std::vector<SettingRow> all = [] {
        std::vector<SettingRow> rows{own_settings.begin(), own_settings.end()};
        std::ranges::copy(rows_of_jobs(jobs::all()), std::back_inserter(rows));
        return rows;
    }();
    return all;
}

const SettingRow* find_setting(std::string_view name) {
    const auto all = all_settings();
    const auto found = std::ranges::find(all, name, &SettingRow::name);
    return found == all.end() ? nullptr : &*found;
}

std::string flag_of(const SettingRow& setting) {
    std::string flag = fmt::format("--{}", setting.name);
    std::ranges::replace(flag, '_', '-');
    return flag;
}

std::string variable_of(const SettingRow& setting) {
    std::string variable = "FOOTFALL_";
    std::ranges::transform(setting.name, std::back_inserter(variable), [](unsigned char letter) {
        return static_cast<char>(std::toupper(letter));
    });
    return variable;
}

std::string help_of(const SettingRow& setting) {
    return fmt::format("{} [{}]", setting.help, setting.without.text);
}

}  // namespace footfall::server
