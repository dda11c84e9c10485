#pragma once

#include "events/verdict.h"
#include "segment_events/counted_terms.h"
#include "segment_events/did_rows.h"
#include "segment_rules/rule.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace footfall::segment_events {

/// Until when each term holds of each id, from all events there are, each once: by definition.
inline std::map<Id, HoldsUntil> hold_by_definition(
    const std::vector<events::JudgedEvent>& all, const std::set<segment_rules::EventTerm>& terms
) {
    std::map<Id, HoldsUntil> holds;
    for (const segment_rules::EventTerm& term : terms) {
        std::map<Id, std::vector<Instant>> times;
        for (const events::JudgedEvent& judged : all) {
            const auto id = id_of(judged.event);
            if (id && judged.verdict.counted() &&
                segment_rules::is_counted_by(term, judged.event)) {
                times[*id].push_back(judged.event.time);
            }
        }
        for (auto& [id, of_id] : times) {
            std::ranges::sort(of_id, std::ranges::greater{});
            if (of_id.size() >= term.times) {
                holds[id][hash_of(term)] = of_id[term.times - 1] + term.within;
            }
        }
    }
    return holds;
}

/// The same as rows say it.
inline std::map<Id, HoldsUntil> hold_by_rows(
    storage::Store& store, const std::set<Id>& ids, const CountedTerms& terms
) {
    std::map<Id, HoldsUntil> holds;
    for (const Id& id : ids) {
        HoldsUntil until = read_holds_until(store, std::array{id}, terms).value();
        if (!until.empty()) {
            holds.emplace(id, std::move(until));
        }
    }
    return holds;
}

}  // namespace footfall::segment_events
