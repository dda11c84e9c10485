#pragma once

#include "test_support/api.h"
#include "test_support/footfall_process.h"
#include "test_support/run_command.h"
#include "test_support/test_topics.h"

#include <boost/json/object.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace footfall::cluster_test {

/// What tools/cluster says of two datacenters, of the environment; the test ends where it is not
/// there.
std::string variable(const char* name);

/// A datacenter, its log, a server and those who talk to it. Used by one thread.
class Region {
public:
    Region(std::string datacenter, std::string contacts, const std::string& keyspace);

    void make_tables() const;

    void start(const std::string& guards);

    const std::string& name() const { return datacenter_; }

    test_support::FootfallProcess& server() { return *server_; }

    test_support::Api api() const { return test_support::Api{*server_}; }

    /// `footfall verify identities`.
    test_support::CommandResult verify() const;

    /// The rows of a table, in order.
    std::vector<std::string> rows_of(const std::string& table) const;

    /// An entry of the audit log.
    struct Act {
        std::uint64_t number = 0;
        std::string kind;
        boost::json::object detail;
    };

    /// All that `footfall audit export` writes but its end, where the head stands.
    std::vector<Act> acts() const;

    /// Holds the audit log to this head of it, which somebody kept in a file.
    test_support::CommandResult verify_audit(const std::string& kept) const;

private:
    std::vector<std::string> store_words() const;
    std::vector<std::string> keyspace_words() const;
    std::vector<std::string> log_words() const;

    const std::string datacenter_;
    const std::string contacts_;
    const std::string keyspace_;
    test_support::TestTopics topics_;
    std::unique_ptr<test_support::FootfallProcess> server_;
};

}  // namespace footfall::cluster_test
