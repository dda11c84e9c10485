#include "identities/fact_rows.h"
#include "identities/later_rows.h"
#include "identities/row_check.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace footfall::identities {

Settling RowCheck::settling(std::size_t facts_max) const {
    return {
        *store_,
        {.secret = options_.secret,
         .ledger = options_.ledger,
         .guards = *guards_.guards,
         .sight = {.facts_max = facts_max},
         .clock = options_.clock,
         .only_read_places = true}
    };
}

/// Of one id, with as many facts as who settles later looks at.
Result<std::optional<Neighbourhood>> RowCheck::stands(std::span<const Id> ids) const {
    auto known = settling(options_.facts_max).settled(ids);
    if (!known && known.error().kind == ErrorKind::conflict && ids.size() == 1) {
        return settling(std::max(options_.facts_max, options_.later_facts_max)).settled(ids);
    }
    return known;
}

Result<void> RowCheck::read_noted() {
    constexpr std::size_t noted_max = 1'000'000;
    TRY(const std::vector<Later> notes, read_later(*store_, noted_max));
    noted_.clear();
    for (const Later& each : notes) {
        noted_.insert(each.ids.begin(), each.ids.end());
    }
    return {};
}

bool RowCheck::has_noted(std::span<const Id> ids) const {
    return std::ranges::any_of(ids, [&](const Id& each) { return noted_.contains(each); });
}

/// Rows of all of it may follow only once the noted one is settled.
Result<bool> RowCheck::hangs_with_noted(std::span<const Id> ids) const {
    if (noted_.empty()) {
        return false;
    }
    const auto component = read_component(*store_, ids, options_.facts_max);
    if (!component && component.error().kind != ErrorKind::conflict) {
        return std::unexpected(component.error());
    }
    return component ? std::ranges::any_of(
                           component->ids, [&](const Id& each) { return noted_.contains(each); }
                       )
                     : has_noted(ids);
}

Result<bool> RowCheck::is_beside_noted(const Id& id) const {
    if (noted_.empty() || noted_.contains(id)) {
        return !noted_.empty();
    }
    const auto known = settling(options_.facts_max).know({&id, 1});
    if (!known && known.error().kind != ErrorKind::conflict &&
        known.error().kind != ErrorKind::corrupt) {
        return std::unexpected(known.error());
    }
    return known && std::ranges::any_of(noted_, [&](const Id& each) {
               return known->open.contains(each) || known->beside.contains(each);
           });
}

}  // namespace footfall::identities
