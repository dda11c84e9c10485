#include "identities/normalised.h"
#include "identities/schema.h"
#include "identities/sid.h"
#include "segment_events/filling.h"
#include "segment_events/schema.h"
#include "segments/derivation.h"
#include "segments/schema.h"
#include "storage/blocking.h"

#include <algorithm>
#include <utility>

namespace footfall::segments {
namespace {

constexpr std::size_t ruled_at_once = 1000;

/// Whoever is found is looked at when the rule is in force.
Result<void> note_nobody(
    std::span<const segment_events::Id> /*ids*/, storage::Batch& /*batch*/
) {
    return {};
}

}  // namespace

/// Behind what members say.
Result<void> Derivation::add_ruled(People& people, Instant now) {
    if (rules_->in_order.empty()) {
        return {};
    }
    std::vector<identities::Id> ids;
    std::vector<std::size_t> of;
    std::size_t number = 0;
    for (const auto& [sid, person] : people) {
        for (const identities::Id& each : person.ids) {
            ids.push_back(each);
            of.push_back(number);
        }
        ++number;
    }
    TRY(const std::vector<segment_events::HoldsUntil> until,
        segment_events::read_holds_until_of(*store_, ids, of, number, rules_->terms));
    number = 0;
    for (auto& [sid, person] : people) {
        const segment_events::HoldsUntil& of_person = until[number++];
        if (person.ids.empty()) {
            continue;
        }
        std::vector<std::int64_t> before;
        if (person.stored) {
            before = person.stored->segments;
        }
        add_by_rules(
            *rules_,
            &in_force_,
            {.until = &of_person, .data = &person.data, .before = before, .now = now},
            person.segments
        );
        if (const auto end = next_end(of_person, now)) {
            const std::int64_t at = end->time_since_epoch().count();
            person.looks = person.looks == 0 ? at : std::min(person.looks, at);
        }
    }
    return {};
}

/// Some of what is to be done until rules that changed are in force.
Result<bool> Derivation::step_rules() {
    if (taking_ && taking_->rules != rules_) {
        taking_.reset();
    }
    if (!taking_) {
        taking_ = begun_taking(rules_);
        if (!taking_) {
            return false;
        }
    }
    Taking& taking = *taking_;
    switch (taking.stage) {
        case Taking::Stage::fill:
            return fill(taking);
        case Taking::Stage::people:
        case Taking::Stage::did:
        case Taking::Stage::profiles:
            return look_by_rules(taking);
        case Taking::Stage::done:
            TRY_VOID(end_taking(taking));
            taking_.reset();
            return true;
    }
    return false;
}

/// Absent: the rules that are in force are these.
std::optional<Derivation::Taking> Derivation::begun_taking(const std::shared_ptr<const Rules>& rules
) const {
    Taking taking{.rules = rules};
    std::set<segment_rules::EventTerm> counted;
    std::set<std::int64_t> ruled;
    Instant newest{};
    for (const Rules::Kept& each : rules->in_order) {
        const std::int64_t segment = each.row.segment;
        ruled.insert(segment);
        std::set<segment_rules::EventTerm> terms = segment_rules::event_terms_of(each.rule);
        const auto filled = filled_.find(segment);
        if (filled != filled_.end() && filled->second == each.row.since) {
            counted.merge(terms);
            continue;
        }
        taking.written.emplace(segment, each.row.since);
        taking.has_data |= segment_rules::goes_by_data(each.rule);
        newest = std::max(newest, each.row.since);
        for (const segment_rules::EventTerm& term : terms) {
            taking.terms.insert(rules->hashes.at(term));
        }
        taking.unfilled.merge(terms);
    }
    for (const auto& [segment, since] : filled_) {
        if (!ruled.contains(segment)) {
            taking.gone.insert(segment);
        }
    }
    if (taking.written.empty() && taking.gone.empty()) {
        return std::nullopt;
    }
    for (const segment_rules::EventTerm& each : counted) {
        taking.unfilled.erase(each);
    }
    taking.known = options_.shared ? newest + rules_known_after : newest;
    return taking;
}

/// Finds in the log what terms count of what happened before, one term after the other. Then the
/// rules are in force for whoever is looked at, and all are.
Result<bool> Derivation::fill(Taking& taking) {
    const Instant now = clock_->now();
    if (now < taking.known) {
        return false;
    }
    if (options_.has_log && !taking.unfilled.empty()) {
        intake::Intake* const intake = intake_;
        if (intake == nullptr) {
            return false;
        }
        const segment_rules::EventTerm& term = *taking.unfilled.begin();
        if (!taking.filling) {
            const auto known_as = [settling = settling_](segment_events::Id id) {
                return identities::normalised(*settling->guards(), std::move(id));
            };
            taking.filling = std::make_unique<segment_events::Filling>(
                *intake, *store_, term, note_nobody, now, known_as
            );
        }
        TRY(const bool more, taking.filling->step());
        if (!more) {
            taking.filling.reset();
            taking.unfilled.erase(term);
        }
        return true;
    }
    for (const auto& [segment, since] : taking.written) {
        in_force_.insert_or_assign(segment, since);
    }
    for (const std::int64_t each : taking.gone) {
        in_force_.erase(each);
    }
    taking.stage = Taking::Stage::people;
    return true;
}

/// People who are in segments, ids that did what the rules ask for, profiles of which something is
/// said.
Result<bool> Derivation::look_by_rules(Taking& taking) {
    const bool looks_at_profiles = taking.stage == Taking::Stage::profiles;
    const bool looks_at_people = taking.stage == Taking::Stage::people;
    const bool has_some =
        looks_at_people || (looks_at_profiles ? taking.has_data : !taking.terms.empty());
    Asked asked;
    if (has_some) {
        const storage::Table& table = looks_at_people     ? segment_person_table
                                      : looks_at_profiles ? identities::profile_table
                                                          : segment_events::segment_did_table;
        TRY(storage::Page page,
            storage::scan_page(
                *store_, {.table = &table, .max_rows = ruled_at_once, .continuation = taking.cursor}
            ));
        for (std::size_t row = 0; row < page.rows.size(); ++row) {
            if (looks_at_people || looks_at_profiles) {
                asked.sids.insert(identities::read_sid(page.rows.at(row, 0).text()));
                continue;
            }
            segment_events::DidRow did = segment_events::read_did_row(page.rows, row);
            if (taking.terms.contains(did.key.term)) {
                asked.ids.insert(std::move(did.key.id));
            }
        }
        taking.cursor = std::move(page.continuation);
    }
    if (!asked.empty()) {
        TRY_VOID(look(std::move(asked)));
    }
    if (taking.cursor.empty()) {
        taking.stage = looks_at_people     ? Taking::Stage::did
                       : looks_at_profiles ? Taking::Stage::done
                                           : Taking::Stage::profiles;
    }
    return true;
}

Result<void> Derivation::end_taking(const Taking& taking) {
    storage::Batch batch;
    for (const auto& [segment, since] : taking.written) {
        add_filled(segment, since, batch);
    }
    for (const std::int64_t each : taking.gone) {
        erase_filled(each, batch);
    }
    TRY_VOID(storage::write_durably(*store_, batch));
    for (const auto& [segment, since] : taking.written) {
        filled_.insert_or_assign(segment, since);
    }
    for (const std::int64_t each : taking.gone) {
        filled_.erase(each);
    }
    return {};
}

}  // namespace footfall::segments
