#pragma once

#include "http_server/client.h"
#include "test_support/reading_load.h"

#include <thread>

namespace footfall::cluster_test {

/// People who read, share and take back at a steady rate beside whatever else is done, on a thread
/// of its own.
class ReadingClients {
public:
    struct Places {
        http_server::ServerUrl write;
        http_server::ServerUrl read;
    };

    /// `number`: of this load, which no other on the cluster had.
    ReadingClients(Places places, std::size_t number, std::uint64_t seed);
    ReadingClients(const ReadingClients&) = delete;
    ReadingClients& operator=(const ReadingClients&) = delete;
    ~ReadingClients();

    /// Returns when all that was begun is acknowledged.
    void stop();

    /// After stop(). Waits until who asks there is told what follows from what was acknowledged:
    /// all of it, and nothing that was taken back. Reports to gtest.
    void check(http_server::Client client);

    const test_support::ReadingLoad& load() const { return load_; }

private:
    void run(const std::stop_token& stop);

    const Places places_;
    test_support::ReadingLoad load_;
    std::jthread thread_;
};

}  // namespace footfall::cluster_test
