#include "server/setting_readers.h"

#include <string_view>
#include <utility>

namespace footfall::server {
namespace {

/// Names that mean the same in quotes and without.
bool is_keyspace_name(std::string_view name) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
    return !name.empty() && name.size() <= 48 &&
           letters.find(name.front()) != std::string_view::npos &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
               std::string_view::npos;
}

}  // namespace

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

Result<void> read_keyspace(const Setting& setting, Configuration& configuration) {
    if (!is_keyspace_name(setting.text)) {
        return wrong(
            setting,
            "cassandra_keyspace takes at most 48 of a-z, 0-9 and _, a letter first, such as "
            "footfall"
        );
    }
    configuration.cluster.keyspace = setting.text;
    return {};
}

Result<void> read_region_keyspace(const Setting& setting, Configuration& configuration) {
    if (!is_keyspace_name(setting.text)) {
        return wrong(
            setting,
            "cassandra_region_keyspace takes at most 48 of a-z, 0-9 and _, a letter first, such as "
            "footfall_dc1"
        );
    }
    configuration.cluster.region_keyspace = setting.text;
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

}  // namespace footfall::server
