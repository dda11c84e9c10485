#pragma once

#include "foundation/result.h"
#include "server/configuration.h"

#include <chrono>
#include <optional>
#include <string_view>

namespace footfall::server {

// What the rows of the table of settings (setting_table.h) read a setting by: each puts what is
// written into the configuration. `invalid_input` says where it is written and what it takes.

Result<void> read_listen(const Setting& setting, Configuration& configuration);
Result<void> read_sync(const Setting& setting, Configuration& configuration);
Result<void> read_memory(const Setting& setting, Configuration& configuration);
Result<void> read_backup_directory(const Setting& setting, Configuration& configuration);
Result<void> read_backup_encryption_key(const Setting& setting, Configuration& configuration);
Result<void> read_backup_every(const Setting& setting, Configuration& configuration);
Result<void> read_backup_keep(const Setting& setting, Configuration& configuration);
Result<void> read_backup_history(const Setting& setting, Configuration& configuration);
Result<void> read_backup_rate(const Setting& setting, Configuration& configuration);
Result<void> read_threads(const Setting& setting, Configuration& configuration);
Result<void> read_data(const Setting& setting, Configuration& configuration);
Result<void> read_rules(const Setting& setting, Configuration& configuration);
Result<void> read_redis(const Setting& setting, Configuration& configuration);
Result<void> read_keep_events(const Setting& setting, Configuration& configuration);
Result<void> read_keep_addresses(const Setting& setting, Configuration& configuration);
Result<void> read_trusted_proxies(const Setting& setting, Configuration& configuration);
Result<void> read_sites(const Setting& setting, Configuration& configuration);

// What holds of all reads.
Result<void> read_reading_sites(const Setting& setting, Configuration& configuration);
Result<void> read_reading_ttl(const Setting& setting, Configuration& configuration);
Result<void> read_reading_least(const Setting& setting, Configuration& configuration);
Result<void> read_reading_ingress(const Setting& setting, Configuration& configuration);

// Where rows are kept, and how a cluster of Cassandra is reached.
Result<void> read_store(const Setting& setting, Configuration& configuration);
Result<void> read_contacts(const Setting& setting, Configuration& configuration);
Result<void> read_datacenter(const Setting& setting, Configuration& configuration);
Result<void> read_keyspace(const Setting& setting, Configuration& configuration);
Result<void> read_region_keyspace(const Setting& setting, Configuration& configuration);
Result<void> read_user(const Setting& setting, Configuration& configuration);
Result<void> read_password(const Setting& setting, Configuration& configuration);
Result<void> read_replication(const Setting& setting, Configuration& configuration);
Result<void> read_counts_level(const Setting& setting, Configuration& configuration);
Result<void> read_remote_reads(const Setting& setting, Configuration& configuration);

// The settings of the logs of a cluster, and of what a process does there.
Result<void> read_log(const Setting& setting, Configuration& configuration);
Result<void> read_kafka(const Setting& setting, Configuration& configuration);
Result<void> read_kafka_prefix(const Setting& setting, Configuration& configuration);
Result<void> read_kafka_replicas(const Setting& setting, Configuration& configuration);
Result<void> read_judged_json(const Setting& setting, Configuration& configuration);
Result<void> read_instance(const Setting& setting, Configuration& configuration);
Result<void> read_advertise(const Setting& setting, Configuration& configuration);
Result<void> read_roles(const Setting& setting, Configuration& configuration);

/// `invalid_input`: this setting, and what is wrong with it.
std::unexpected<Error> wrong(const Setting& setting, std::string_view what);

/// Whether it stands for all addresses of the machine, so that nobody can be told to ask there.
bool is_every_address(std::string_view address);

/// ADDRESS:PORT, with commas between.
bool are_addresses(std::string_view text);

}  // namespace footfall::server
