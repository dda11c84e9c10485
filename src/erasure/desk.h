#pragma once

#include "erasure/ledger.h"
#include "events/event.h"
#include "foundation/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::erasure {

/// What somebody asks to be erased.
struct Wish {
    std::vector<events::Identifier> ids;
    std::string_view kind;  ///< As of Receipt.
    std::string author;     ///< Who asks: the name of a key, or "this machine".
    /// How the audit log calls them beside their ids: by profile and by facts (audit/acts.h).
    std::vector<std::string> persons = {};
};

/// Where erasures are asked for. Thread-safe.
class Desk {
public:
    Desk() = default;
    Desk(const Desk&) = delete;
    Desk& operator=(const Desk&) = delete;
    virtual ~Desk() = default;

    /// Erases these. When this returns the ledger has them, durably, and answers here tell nothing
    /// of them; what else is to be done the receipt says, and is done behind it, whatever happens
    /// to this process. Failures: `outcome_unknown`, the store's; say it again. Blocks.
    virtual Result<Receipt> erase(Wish wish) = 0;

    /// Absent: there is none of this id. Blocks for a read.
    virtual Result<std::optional<Receipt>> find(std::string_view receipt) = 0;

    /// What a part that is open waits for, for people: one sentence without its full stop.
    virtual std::string waits_for(const Receipt& receipt, Part part) const = 0;

    /// As Ledger::receipts().
    virtual Result<std::vector<Receipt>> list(std::string_view after, std::size_t limit) = 0;
};

}  // namespace footfall::erasure
