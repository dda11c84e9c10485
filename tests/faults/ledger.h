#pragma once

#include "test_support/api.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::faults {

/// Batches of tokens that were sent, and which of them were acknowledged: what must be there
/// whatever happens to the disk. Each batch has a thousand tokens on ten objects of its own.
class Ledger {
public:
    static constexpr std::size_t lines_a_batch = 1000;

    /// Posts one more batch; the answer as it came.
    http_server::ClientResponse post(test_support::Api& api);

    std::size_t acknowledged() const;

    /// Puts all acknowledged tokens again; how many of them were new to the server, so had been
    /// lost.
    std::uint64_t lost(test_support::Api& api) const;

    /// Counts of all objects of acknowledged batches. Any but the right one, and any answer that is
    /// no count, is a line.
    std::vector<std::string> differences(test_support::Api& api) const;

private:
    std::vector<bool> acknowledged_;  // by batch
};

}  // namespace footfall::faults
