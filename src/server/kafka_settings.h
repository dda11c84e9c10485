#pragma once

#include "server/configuration.h"

#include <chrono>
#include <optional>
#include <string_view>

namespace footfall::server {

/// `invalid_input`: this setting, and what is wrong with it.
std::unexpected<Error> wrong(const Setting& setting, std::string_view what);

// The settings of the logs of a cluster, and of what a process does there.
Result<void> read_log(const Setting& setting, Configuration& configuration);
Result<void> read_kafka(const Setting& setting, Configuration& configuration);
Result<void> read_kafka_prefix(const Setting& setting, Configuration& configuration);
Result<void> read_kafka_replicas(const Setting& setting, Configuration& configuration);
Result<void> read_judged_json(const Setting& setting, Configuration& configuration);
Result<void> read_instance(const Setting& setting, Configuration& configuration);
Result<void> read_advertise(const Setting& setting, Configuration& configuration);
Result<void> read_roles(const Setting& setting, Configuration& configuration);

/// Addresses stand in what is written for other programs as they could be read then.
std::chrono::seconds published_kept(std::optional<std::chrono::seconds> keep_addresses);

/// Whether it stands for all addresses of the machine, so that nobody can be told to ask there.
bool is_every_address(std::string_view address);

/// ADDRESS:PORT, with commas between.
bool are_addresses(std::string_view text);

}  // namespace footfall::server
