#pragma once

#include "foundation/clock.h"
#include "metrics/metrics.h"
#include "storage/store.h"

#include <memory>
#include <string>
#include <vector>

namespace footfall::benchmarks {

/// The store with the tables of one model, made if it is not there: embedded in a folder, or a
/// keyspace of a cluster. All must outlive it. What fails ends the program.
std::unique_ptr<storage::Store> open_reading_store(
    const std::string& where,
    std::vector<const storage::Table*> tables,
    const Clock& clock,
    metrics::Metrics& metrics
);

/// Nothing of its files stays in the memory of the operating system. Does nothing on a cluster.
void forget_reading_store(const std::string& where);

/// Bytes of its files; 0 on a cluster, where a node says so.
std::uint64_t bytes_of_reading_store(const std::string& where);

/// Removes all of it.
void drop_reading_store(const std::string& where);

}  // namespace footfall::benchmarks
