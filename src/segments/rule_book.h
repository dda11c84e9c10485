#pragma once

#include "foundation/clock.h"
#include "foundation/result.h"
#include "segment_events/counted_terms.h"
#include "segment_rules/rule.h"
#include "segments/catalogue.h"
#include "segments/rule_rows.h"
#include "storage/store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::segments {

/// Rules there may be, and event terms in all of them: each event of its action is compared with a
/// term, and people are looked at by each rule.
inline constexpr std::size_t rules_max = 100;
inline constexpr std::size_t rule_events_max = 500;

/// Others go by a rule so much later at the most.
inline constexpr std::chrono::seconds rules_known_after{10};

/// All rules at a moment. A plain value.
struct Rules {
    struct Kept {
        RuleRow row;
        segment_rules::Rule rule;
    };

    std::vector<Kept> in_order = {};  ///< Each behind those that its rule names.
    /// Of the segments that rules name.
    std::map<std::string, std::int64_t, std::less<>> numbers = {};
    segment_events::CountedTerms terms = {};
    std::map<segment_rules::EventTerm, std::uint64_t> hashes = {};  ///< Of terms.
    bool has_data = false;  ///< Whether a rule goes by data of profiles.
};

/// The rules of segments, as rows have them: each process reads them every two seconds where others
/// write them, too, and once where not. Thread-safe; what it is given must outlive it. Blocks.
class RuleBook {
public:
    RuleBook(storage::Store& store, const Clock& clock, Catalogue& catalogue, bool shared)
        : store_{&store}, clock_{&clock}, catalogue_{&catalogue}, shared_{shared} {}

    /// Never null. The same value as long as no rule has changed.
    Result<std::shared_ptr<const Rules>> now();

    /// `invalid_input`: it names a segment that is not there.
    Result<void> check_named(const segment_rules::Rule& rule);

    /// `invalid_input`: it goes round in a circle;
    /// `conflict`: there are too many.
    Result<void> put(const Segment& segment, const segment_rules::Rule& rule, std::string author);

    /// False: it had none.
    Result<bool> remove(std::string_view name);

    /// The segment whose rule names this one; empty: none does.
    Result<std::string> who_names(std::string_view name);

    /// What events are counted by, in this process.
    const segment_events::TermsInForce& terms() const { return terms_; }

private:
    Result<void> read_again();
    Result<std::shared_ptr<const Rules>> made_of(const std::vector<RuleRow>& rows);

    storage::Store* store_;
    const Clock* clock_;
    Catalogue* catalogue_;
    const bool shared_;
    segment_events::TermsInForce terms_;
    std::mutex mutex_;
    std::shared_ptr<const Rules> rules_;  ///< Guarded by mutex_; null: not read yet.
    std::vector<RuleRow> rows_;           ///< Guarded by mutex_: what rules_ is made of.
    Instant read_{};                      ///< Guarded by mutex_.
};

}  // namespace footfall::segments
