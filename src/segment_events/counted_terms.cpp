#include "segment_events/counted_terms.h"

#include "foundation/siphash.h"
#include "segment_rules/rule_json.h"

#include <boost/json/serialize.hpp>

namespace footfall::segment_events {

std::uint64_t hash_of(const segment_rules::EventTerm& term) {
    // Rows outlive the process, and may move: so no secret, and the text that is one a term. Who
    // writes rules chooses it, and gains nothing by two that are the same.
    return siphash13({0x7465726d, 1}, boost::json::serialize(segment_rules::json_of({term})));
}

CountedTerms::CountedTerms(const std::set<segment_rules::EventTerm>& terms) {
    for (const segment_rules::EventTerm& term : terms) {
        const Counted counted{.term = term, .hash = hash_of(term)};
        by_action_[term.action].push_back(counted);
        by_hash_.emplace(counted.hash, counted);
    }
}

const std::vector<CountedTerms::Counted>& CountedTerms::of_action(const std::string& action) const {
    static const std::vector<Counted> none;
    const auto found = by_action_.find(action);
    return found == by_action_.end() ? none : found->second;
}

const CountedTerms::Counted* CountedTerms::find(std::uint64_t hash) const {
    const auto found = by_hash_.find(hash);
    return found == by_hash_.end() ? nullptr : &found->second;
}

}  // namespace footfall::segment_events
