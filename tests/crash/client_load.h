#pragma once

#include "foundation/random.h"
#include "test_support/footfall_process.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::crash {

inline constexpr std::size_t object_count = 50;

/// Numbers by object.
using PerObject = std::array<std::uint64_t, object_count>;

std::string object_name(std::size_t object);

/// A client that puts tokens of its own, keeps what it attempted and what was acknowledged, and
/// knows the server only by its answers. For one thread at a time.
class ClientLoad {
public:
    ClientLoad(std::size_t number, std::uint64_t seed) : number_{number}, random_{seed} {}

    /// Puts, one after the other on one connection, until the server is gone.
    void run(const test_support::FootfallProcess& server);

    /// Distinct tokens that were sent, answered or not.
    void add_attempted(PerObject& sums) const;

    /// Distinct tokens of which at least one PUT was answered 200.
    void add_acknowledged(PerObject& sums) const;

    /// The acknowledged tokens as lines of a batch.
    void append_acknowledged(std::vector<std::string>& lines) const;

    /// All tokens that were ever sent, as lines of a batch.
    void append_attempted(std::vector<std::string>& lines) const;

    std::uint64_t puts_sent() const { return puts_sent_; }

    std::uint64_t puts_acknowledged() const { return puts_acknowledged_; }

    /// How often the server was full and said so.
    std::uint64_t refusals() const { return refusals_; }

    /// Answers that no healthy server gives.
    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    struct Token {
        std::size_t object;
        bool acknowledged;
    };

    std::size_t new_token();
    std::size_t any_token();
    bool put_one(http_server::Client& client);
    bool put_batch(http_server::Client& client);
    bool refused(const http_server::ClientResponse& answer);
    void acknowledge(std::size_t token);
    std::string text_of(std::size_t token) const;
    std::string line_of(std::size_t token) const;

    const std::size_t number_;
    Random random_;
    std::vector<Token> tokens_;
    PerObject acknowledged_{};
    std::uint64_t puts_sent_ = 0;
    std::uint64_t puts_acknowledged_ = 0;
    std::uint64_t refusals_ = 0;
    std::vector<std::string> complaints_;
};

}  // namespace footfall::crash
