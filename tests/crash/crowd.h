#pragma once

#include "bulk_load.h"
#include "client_load.h"
#include "event_load.h"

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace footfall::crash {

/// All clients of one run, and what must be true of the server after whatever was done to it. Each
/// check reports to gtest.
class Crowd {
public:
    explicit Crowd(std::uint64_t seed);

    /// What is to be more than the server has memory for.
    enum class Flood { none, tokens, views };

    /// Every client puts until the server is gone, each on a thread; clients of batches only in a
    /// flood of tokens, since they leave the others little room. The crowd and the server must
    /// outlive the threads.
    std::vector<std::jthread> start(const test_support::FootfallProcess& server, Flood flood);

    /// Counts lie between what was acknowledged and what was attempted: of all objects of single
    /// PUTs, and of some of those of bulk batches. Views of some objects are exactly what follows
    /// from the events that were sent.
    void check_sample(const test_support::FootfallProcess& server, Random& random);

    /// A count may hide a lost token behind one that was stored but not acknowledged: so every
    /// acknowledged token is put again, and none may be new.
    void check_acknowledged(const test_support::FootfallProcess& server) const;

    /// When every token was put again and acknowledged, the counts are exactly what was attempted.
    void check_sums(const test_support::FootfallProcess& server) const;

    /// The same of the views of all objects.
    void check_views(const test_support::FootfallProcess& server);

    void print_sums() const;

private:
    void check_complaints() const;
    void put_bulk_again(const test_support::FootfallProcess& server, bool all) const;

    std::vector<ClientLoad> clients_;
    std::vector<BulkLoad> bulk_clients_;
    std::vector<EventLoad> event_clients_;
};

}  // namespace footfall::crash
