#pragma once

#include <string>
#include <vector>

namespace footfall::test_support {

/// The words by which `footfall serve` keeps its rows at `data`, a data directory. While
/// FOOTFALL_TEST_STORE is "cassandra" they name a keyspace instead that stands for it, on the
/// cluster of FOOTFALL_CASSANDRA: a new directory is an empty keyspace, the same one is what was
/// left in it. So the same tests hold for both stores. The same of the topics of its logs.
std::vector<std::string> store_words(const std::string& data);

/// The same for a verb that makes nothing, as `verify`: only where store and log are.
std::vector<std::string> place_words(const std::string& data);

/// Whether the logs of events are on Kafka, and the rows on Cassandra: FOOTFALL_TEST_LOG is
/// "kafka", and the brokers are those of FOOTFALL_TEST_KAFKA.
bool log_is_kafka();

/// Makes a keyspace of that cluster as empty as a new one. As run_cql().
void empty_keyspace(const std::string& keyspace);

/// Runs one statement on that cluster. Programs built without Cassandra give up.
void run_cql(const std::string& statement);

/// The bytes of the first cell that a statement answers; "": there is no row. As run_cql().
std::string cell_of_cql(const std::string& statement);

/// The bytes of all cells of all tables of a keyspace, however they are packed in files. As
/// run_cql().
std::string all_cells(const std::string& keyspace);

}  // namespace footfall::test_support
