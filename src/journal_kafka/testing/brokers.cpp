#include "brokers.h"

#include "foundation/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <unistd.h>

namespace footfall::journal_kafka {

ClusterOptions test_cluster() {
    const char* const brokers =
        std::getenv("FOOTFALL_TEST_KAFKA");  // NOLINT(concurrency-mt-unsafe)
    CHECK(
        brokers != nullptr,
        "FOOTFALL_TEST_KAFKA is not set: tools/cluster up --nodes 0 --brokers 3 && source "
        "build/cluster/env"
    );
    return {.brokers = brokers};
}

TopicOptions fresh_topic(std::uint32_t lanes) {
    static std::atomic<int> count = 0;
    const std::string brokers = test_cluster().brokers;
    const auto replicas = static_cast<std::uint16_t>(1 + std::ranges::count(brokers, ','));
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return {
        .name = fmt::format("test-{}-{}-{}", ::getpid(), now, count.fetch_add(1)),
        .lanes = lanes,
        .replicas = replicas,
        .in_sync = static_cast<std::uint16_t>(replicas / 2 + 1)
    };
}

}  // namespace footfall::journal_kafka
