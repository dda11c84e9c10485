#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace footfall::people {

/// What holds of all reads of a deployment, as whoever runs it has set. A plain value.
struct ReadTerms {
    std::vector<std::string> sites = {};  ///< As of ReadDoor::Options.
    std::chrono::days ttl{30};  ///< A fact lives through the end of its UTC day and so many days.
    /// What fewer people have read stands in no list for everybody.
    std::uint64_t least = 5;
    /// Whether a read that names its actor may come by the topic `ingress`, where it lies in clear.
    bool ingress = false;

    friend bool operator==(const ReadTerms&, const ReadTerms&) = default;
};

}  // namespace footfall::people
