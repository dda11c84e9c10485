#pragma once

#include "http_server/client.h"
#include "test_support/ledger_load.h"

#include <thread>

namespace footfall::cluster_test {

/// A ledger's load at a steady rate beside whatever else is done, on a thread of its own.
class LedgerClients {
public:
    struct Places {
        http_server::ServerUrl write;
        http_server::ServerUrl read;
    };

    /// `number`: of this load, which no other on the cluster had.
    LedgerClients(Places places, std::size_t number, std::uint64_t seed);
    LedgerClients(const LedgerClients&) = delete;
    LedgerClients& operator=(const LedgerClients&) = delete;
    ~LedgerClients();

    /// Returns when all that was begun is acknowledged.
    void stop();

    /// After stop(). Waits until all is counted, and holds what is told there to what was sent.
    /// Reports to gtest.
    void check(http_server::Client client);

    const test_support::LedgerLoad& load() const { return load_; }

private:
    void run(const std::stop_token& stop);

    const Places places_;
    test_support::LedgerLoad load_;
    std::jthread thread_;
};

}  // namespace footfall::cluster_test
