#pragma once

#include "foundation/random.h"
#include "http_server/client.h"
#include "test_support/api.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace footfall::test_support {

/// A client that seals one month after the other, and keeps each statement of a sealed month: from
/// then on it may not change by a byte. For one thread at a time.
class SealLoad {
public:
    /// The months ascending, as "2026-10"; the parties as "/api/v1/resellers/r1".
    SealLoad(std::vector<std::string> months, std::vector<std::string> party_paths)
        : months_{std::move(months)}, parties_{std::move(party_paths)} {}

    /// Says a seal of the next month, or hears that it is sealed and keeps its statements, or
    /// compares one of those that it has. False: it got no answer.
    bool step(http_server::Client& client, Random& random);

    /// Compares all of them. Reports to gtest.
    void check(Api& api) const;

    /// From now on the next month is to be sealed, if one is left.
    void seal_next();

    bool is_sealing() const { return sealed_ < wanted_; }

    std::size_t sealed() const { return sealed_; }

    std::size_t statements() const { return statements_.size(); }

    const std::vector<std::string>& complaints() const { return complaints_; }

private:
    bool seal(http_server::Client& client);
    bool keep_statements(http_server::Client& client);

    const std::vector<std::string> months_;
    const std::vector<std::string> parties_;
    bool said_ = false;       ///< The seal of the next one was answered as done.
    std::size_t wanted_ = 0;  ///< Months that are to be sealed.
    std::size_t sealed_ = 0;  ///< Months whose statements are kept.
    std::map<std::string, std::string> statements_;  ///< By their paths.
    std::vector<std::string> complaints_;
};

}  // namespace footfall::test_support
