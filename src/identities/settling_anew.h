#pragma once

#include "foundation/result.h"
#include "identities/identities.h"
#include "identities/recorded_guards.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace footfall::identities {

/// Settles all known ids anew where the newest guards are others than their profiles were settled
/// under, part of the index by part. Which parts are done stands in rows: so it goes on after a
/// restart, and several processes do it at once, most often not the same parts.
///
/// Where a network doubles its partitions meanwhile, those that it has more at the end are settled,
/// too: an entry that went from a part that was still to be settled is in one of them.
///
/// Facts that are said meanwhile are settled under the newest guards by whoever writes them, so an
/// id that is not in the index yet is not missed.
///
/// Used by one thread. What it is given must outlive it. All calls block.
class SettlingAnew {
public:
    /// `seed`: at which part it begins; of each process another.
    SettlingAnew(Identities& identities, std::uint64_t seed)
        : identities_{&identities}, seed_{seed} {}

    /// Parts that are to be settled anew; 0: profiles follow the newest guards.
    Result<std::size_t> parts_left();

    /// Settles some parts, for as long as about a thousand ids take. Answers how many parts are
    /// left. Ids with which too much hangs together stay as they are. Failures: the store's;
    /// `cancelled`.
    Result<std::size_t> go_on(const std::stop_token& stop);

private:
    struct Part {
        std::string identifier;
        std::int64_t partition = 0;
    };

    Result<void> find_parts();
    Result<std::vector<Part>> take_parts();
    Result<void> settle_parts(std::span<const Part> parts, const std::stop_token& stop);

    storage::Store& store() const { return identities_->settling().store(); }

    Identities* identities_;
    const std::uint64_t seed_;
    GuardsVersion version_;    ///< Under which `left_` are to be settled.
    std::vector<Part> left_;   ///< The next one last.
    std::size_t settled_ = 0;  ///< Ids of this turn.
    bool is_through_ = true;   ///< Whether nothing is left, and a row says so.
};

}  // namespace footfall::identities
