#pragma once

#include "test_support/api.h"
#include "test_support/footfall_process.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::crash {

/// A client that fills the server's buffers as fast as it can: batches of ten thousand new tokens,
/// one after the other. A batch is known by its number alone, so that millions of tokens can be
/// remembered, put again and counted. For one thread at a time.
class BulkLoad {
public:
    static constexpr std::size_t lines_a_batch = 10'000;

    explicit BulkLoad(std::size_t number) : number_{number} {}

    /// Posts up to `batches` new batches, or until the server is gone.
    void run(const test_support::FootfallProcess& server, std::size_t batches);

    std::size_t batches() const { return acknowledged_.size(); }

    bool acknowledged(std::size_t batch) const { return acknowledged_[batch]; }

    /// The batch as it was sent.
    std::string lines_of(std::size_t batch) const;

    /// An object that got tokens of `batch` and how many at least (of acknowledged batches) and at
    /// most (of all that were sent) it must have.
    struct Bounds {
        std::string object;
        std::uint64_t least = 0;
        std::uint64_t most = 0;
    };

    Bounds bounds_of_an_object_in(std::size_t batch, std::size_t which) const;

    std::uint64_t tokens_acknowledged() const;

    /// How often the server was full and said so.
    std::uint64_t refusals() const { return refusals_; }

    /// Answers that no healthy server gives.
    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    std::string object_of(std::size_t batch, std::size_t line) const;

    const std::size_t number_;
    std::vector<bool> acknowledged_;  // by batch
    std::uint64_t refusals_ = 0;
    std::vector<std::string> complaints_;
};

}  // namespace footfall::crash
