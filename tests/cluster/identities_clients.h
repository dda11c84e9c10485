#pragma once

#include "foundation/random.h"
#include "http_server/client.h"
#include "test_support/identities_load.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace footfall::cluster_test {

/// A client that says who is who to whichever of several servers answers, on a thread of its own:
/// things that nobody else speaks of, and the links of a chain of ids, each with the next one.
class IdentitiesClient {
public:
    /// `number`: no other client has it. Servers: their ports on this machine.
    IdentitiesClient(std::size_t number, std::uint64_t seed, std::vector<std::uint16_t> servers);
    IdentitiesClient(const IdentitiesClient&) = delete;
    IdentitiesClient& operator=(const IdentitiesClient&) = delete;
    ~IdentitiesClient();

    /// Returns when all that was begun is acknowledged; what was not within a long time is a
    /// complaint.
    void stop();

    /// After stop(): what a server says otherwise than it should, under guards that have so many
    /// ids of the chain in a profile at most; "": nothing.
    std::string difference(test_support::Api& api, std::size_t per_profile) const;

    const test_support::IdentitiesLoad& load() const { return load_; }

    /// Answers that no healthy server gives.
    std::vector<std::string> complaints() const;

    /// Links of the chain that were acknowledged.
    std::size_t chained() const { return chained_; }

    static constexpr const char* chain = "chain";  ///< The network of its ids.

private:
    void run(const std::stop_token& stop);
    bool lengthen(http_server::Client& client);
    std::string chain_id(std::size_t at) const;

    const std::size_t number_;
    const std::vector<std::uint16_t> servers_;
    // The thread's, and after stop() the caller's.
    Random random_;
    test_support::IdentitiesLoad load_;
    std::size_t chained_ = 0;
    std::vector<std::string> complaints_;
    std::jthread thread_;
};

}  // namespace footfall::cluster_test
