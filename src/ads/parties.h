#pragma once

#include "ads/line.h"
#include "foundation/result.h"
#include "foundation/siphash.h"
#include "storage/batch.h"
#include "storage/store.h"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::ads {

/// Who there is. A party exists once an event or a rate has named it. Thread-safe: it has no state
/// but what it is made of, which must outlive it.
class Parties {
public:
    Parties(storage::Store& store, SipKey secret) : store_{&store}, secret_{secret} {}

    /// Puts the row of a party that has something in a currency; "": it has a rate.
    void add(
        PartyKind kind, std::string_view party, std::string_view currency, storage::Batch& batch
    ) const;

    /// The currencies of a party, "" among them if it has a rate; empty: there is none of this
    /// name. Blocks.
    Result<std::set<std::string>> currencies(PartyKind kind, std::string_view party) const;

    struct Named {
        std::string party;
        std::set<std::string> currencies;
    };

    struct Listed {
        std::vector<Named> parties;
        bool more = false;  ///< There are more behind the last one.
    };

    /// At most so many parties behind `after`, in the order of their names, of those whose names
    /// begin with `prefix`. Blocks: a read in each lane.
    Result<Listed> list(
        PartyKind kind, std::string_view prefix, std::string_view after, std::size_t most
    ) const;

private:
    storage::Store* store_;
    SipKey secret_;
};

}  // namespace footfall::ads
