#pragma once

#include "journal_kafka/kafka_log.h"

#include <cstdint>
#include <string>

namespace footfall::journal_kafka {

/// The brokers that tools/cluster started, by FOOTFALL_TEST_KAFKA. Its absence is a failure, never
/// a test left out.
ClusterOptions test_cluster();

/// A topic of a new name, replicated as far as there are brokers: to all, and one may be away.
TopicOptions fresh_topic(std::uint32_t lanes);

}  // namespace footfall::journal_kafka
