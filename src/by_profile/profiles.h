#pragma once

#include "foundation/result.h"

#include <span>
#include <string>
#include <vector>

namespace footfall::by_profile {

/// Which profile an actor is in: what jobs that count people ask, and the one that knows who is who
/// answers. Thread-safe. All calls block.
class Profiles {
public:
    Profiles() = default;
    Profiles(const Profiles&) = delete;
    Profiles& operator=(const Profiles&) = delete;
    virtual ~Profiles() = default;

    /// Most actors that are asked for at once.
    static constexpr std::size_t asked_max = 1000;

    /// The name of the profile that each of these actors is in, in their order; empty: it is in
    /// none, or unites nobody.
    virtual Result<std::vector<std::string>> of(std::span<const std::string> actors) = 0;

    /// Actors whose profiles are not as they will be.
    struct Unsettled {
        bool may_be_any = false;  ///< Nobody knows which.
        std::vector<std::string> actors = {};
    };

    /// To be asked after of(): whose profiles somebody was writing, or has still to write.
    virtual Result<Unsettled> unsettled() = 0;
};

}  // namespace footfall::by_profile
