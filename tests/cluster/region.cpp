#include "region.h"

#include "test_support/must.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace footfall::cluster_test {

using namespace test_support;

namespace {

void add(const std::vector<std::string>& more, std::vector<std::string>& words) {
    words.insert(words.end(), more.begin(), more.end());
}

}  // namespace

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr) {
        give_up(fmt::format(
            "{} is not set: tools/cluster up --nodes 1 --datacenters 2 --brokers 1, source "
            "build/cluster/env",
            name
        ));
    }
    return value;
}

Region::Region(std::string datacenter, std::string contacts, const std::string& keyspace)
    : datacenter_{std::move(datacenter)},
      contacts_{std::move(contacts)},
      keyspace_{keyspace},
      topics_{variable("FOOTFALL_TEST_KAFKA")} {}

std::vector<std::string> Region::store_words() const {
    std::vector<std::string> words{"--store", "cassandra"};
    add(keyspace_words(), words);
    return words;
}

std::vector<std::string> Region::keyspace_words() const {
    return {
        "--cassandra",
        contacts_,
        "--cassandra-datacenter",
        datacenter_,
        "--cassandra-keyspace",
        keyspace_,
        "--cassandra-region-keyspace",
        keyspace_ + "_" + datacenter_
    };
}

std::vector<std::string> Region::log_words() const {
    return {
        "--log",
        "kafka",
        "--kafka",
        variable("FOOTFALL_TEST_KAFKA"),
        "--kafka-prefix",
        topics_.prefix()
    };
}

void Region::make_tables() const {
    std::vector<std::string> words{"schema", "apply"};
    add(keyspace_words(), words);
    add({"--cassandra-replication", variable("FOOTFALL_CASSANDRA_REPLICATION")}, words);
    const CommandResult made = run_footfall(std::move(words));
    ASSERT_EQ(made.exit_code, 0) << made.output << made.errors;
}

void Region::start(const std::string& guards) {
    std::vector<std::string> flags = store_words();
    add(log_words(), flags);
    add({"--kafka-replicas", "1", "--instance", "one", "--config", guards}, flags);
    add({"--memory", "256MiB"}, flags);
    server_ = std::make_unique<FootfallProcess>("none", flags);
}

CommandResult Region::verify() const {
    std::vector<std::string> words{"verify", "identities"};
    add(store_words(), words);
    add(log_words(), words);
    return run_footfall(std::move(words));
}

std::vector<std::string> Region::rows_of(const std::string& table) const {
    std::vector<std::string> words{"table", table, "--json", "--limit", "1000000"};
    add({"--looks", "1000000"}, words);
    add(store_words(), words);
    const CommandResult told = run_footfall(std::move(words));
    EXPECT_EQ(told.exit_code, 0) << told.errors;
    std::vector<std::string> rows;
    std::istringstream lines{told.output};
    for (std::string line; std::getline(lines, line);) {
        rows.push_back(std::move(line));
    }
    std::ranges::sort(rows);
    return rows;
}

std::vector<Region::Act> Region::acts() const {
    const CommandResult told = run_footfall({"audit", "export", "--server", server_->url()});
    EXPECT_EQ(told.exit_code, 0) << told.errors;
    std::vector<Act> acts;
    std::istringstream lines{told.output};
    for (std::string line; std::getline(lines, line);) {
        const boost::json::object act = parse_object(line);
        if (act.contains("entry")) {
            acts.push_back(
                {.number = act.at("entry").to_number<std::uint64_t>(),
                 .kind = std::string{act.at("kind").as_string()},
                 .detail = act.at("detail").as_object()}
            );
        }
    }
    return acts;
}

CommandResult Region::verify_audit(const std::string& kept) const {
    return run_footfall({"audit", "verify", "--server", server_->url(), "--checkpoint", kept});
}

}  // namespace footfall::cluster_test
