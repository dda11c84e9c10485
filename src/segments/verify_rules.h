#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "identities/resolution.h"
#include "segment_rules/latest_events.h"
#include "segment_rules/rule.h"
#include "segments/segments.h"
#include "storage/store.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace footfall::segments {

/// The rules that are in force, by name of the segment.
struct RuleInForce {
    std::int64_t segment = 0;
    segment_rules::Rule rule;
};

using RulesInForceByName = std::map<std::string, RuleInForce, std::less<>>;

/// Of these segments. Blocks.
Result<RulesInForceByName> read_rules_in_force(storage::Store& store, std::span<const Segment> all);

/// Who is in segments by rules, worked out from rows of what ids did and of profiles, for a check:
/// it shares no code with who derives but for what a single rule says of a person. Holds an entry
/// for each id that did something that rules ask for, and, where rules go by data, for each id of
/// a profile. Used by one thread. Blocks.
class RuledRecount {
public:
    Result<void> read(storage::Store& store, std::span<const Segment> all);

    /// Whose people may be in a segment by a rule.
    const std::set<identities::Id>& ids() const { return ids_; }

    /// What is said of a profile. Which value stands for it where several were said is a setting,
    /// which who counts again does not know: of such people nothing is certain.
    void say(const std::string& sid, std::span<const identities::Member> members);

    bool is_unsure(const std::string& sid) const { return unsure_.contains(sid); }

    bool is_unsure(const identities::Id& id) const { return unsure_ids_.contains(id); }

    /// With those by members.
    std::set<std::int64_t> segments_of(
        const std::string& sid,
        const std::set<identities::Id>& ids,
        const std::set<std::int64_t>& members,
        Instant now
    ) const;

private:
    using Latest = std::map<std::uint64_t, segment_rules::LatestEvents>;  ///< By term.

    RulesInForceByName rules_;
    std::map<std::string, std::int64_t, std::less<>> numbers_;  ///< Of all segments.
    std::map<std::uint64_t, segment_rules::EventTerm> terms_;
    std::set<std::string> data_names_;
    std::set<identities::Id> ids_;
    std::map<identities::Id, Latest> did_;
    std::map<std::string, std::map<std::string, std::string>> data_;  ///< By sid, then name.
    std::set<std::string> unsure_;
    std::set<identities::Id> unsure_ids_;
};

}  // namespace footfall::segments
