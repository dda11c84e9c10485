#pragma once

#include "events/event.h"
#include "segment_rules/rule.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace footfall::segment_events {

/// The name of a term in rows: a hash of what it says. The same in every process, always.
std::uint64_t hash_of(const segment_rules::EventTerm& term);

/// Event terms that are counted: those that rules have. A plain value, constant once made.
class CountedTerms {
public:
    struct Counted {
        segment_rules::EventTerm term;
        std::uint64_t hash = 0;
    };

    CountedTerms() = default;
    explicit CountedTerms(const std::set<segment_rules::EventTerm>& terms);

    /// Those that could count an event of this action; others do not.
    const std::vector<Counted>& of_action(const std::string& action) const;

    /// Null: no rule has it.
    const Counted* find(std::uint64_t hash) const;

    bool empty() const { return by_action_.empty(); }

private:
    std::map<std::string, std::vector<Counted>, std::less<>> by_action_;
    std::map<std::uint64_t, Counted> by_hash_;
};

/// The terms that are in force in this process. Thread-safe.
class TermsInForce {
public:
    std::shared_ptr<const CountedTerms> now() const {
        const std::lock_guard lock{mutex_};
        return terms_;
    }

    void set(CountedTerms terms) {
        auto next = std::make_shared<const CountedTerms>(std::move(terms));
        const std::lock_guard lock{mutex_};
        terms_.swap(next);
    }

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const CountedTerms> terms_ =
        std::make_shared<const CountedTerms>();  ///< Guarded by mutex_.
};

}  // namespace footfall::segment_events
