#include "segments/verify_rules.h"

#include "identities/profile_data.h"
#include "identities/profile_rows.h"
#include "identities/schema.h"
#include "identities/sid.h"
#include "segment_events/counted_terms.h"
#include "segment_events/did_rows.h"
#include "segment_events/schema.h"
#include "segments/rule_rows.h"
#include "storage/blocking.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

namespace footfall::segments {
namespace {

void add_data_names(const segment_rules::Rule& rule, std::set<std::string>& names) {
    if (const auto* const datum = std::get_if<segment_rules::DatumTerm>(&rule.is)) {
        names.insert(datum->name);
    } else if (const auto* const group = std::get_if<segment_rules::Group>(&rule.is)) {
        for (const segment_rules::Rule& each : group->parts) {
            add_data_names(each, names);
        }
    }
}

template <class Take>
Result<void> for_each_of(storage::Store& store, const storage::Table& table, const Take& take) {
    storage::ScanQuery query{.table = &table};
    do {
        TRY(storage::Page page, storage::scan_page(store, query));
        TRY_VOID(take(page.rows));
        query.continuation = std::move(page.continuation);
    } while (!query.continuation.empty());
    return {};
}

}  // namespace

Result<RulesInForceByName> read_rules_in_force(
    storage::Store& store, std::span<const Segment> all
) {
    std::map<std::string_view, std::int64_t> numbers;
    for (const Segment& each : all) {
        numbers.emplace(each.name, each.number);
    }
    TRY(const std::vector<RuleRow> rows, read_rules(store));
    TRY(const Filled filled, read_filled(store));
    RulesInForceByName rules;
    for (const RuleRow& each : rows) {
        const auto segment = numbers.find(each.name);
        const auto since = filled.find(each.segment);
        if (segment == numbers.end() || segment->second != each.segment || since == filled.end() ||
            since->second != each.since) {
            continue;
        }
        TRY(segment_rules::Rule rule, rule_in(each));
        rules.emplace(each.name, RuleInForce{.segment = each.segment, .rule = std::move(rule)});
    }
    return rules;
}

Result<void> RuledRecount::read(storage::Store& store, std::span<const Segment> all) {
    for (const Segment& each : all) {
        numbers_.emplace(each.name, each.number);
    }
    TRY(rules_, read_rules_in_force(store, all));
    for (const auto& [name, kept] : rules_) {
        for (const segment_rules::EventTerm& term : segment_rules::event_terms_of(kept.rule)) {
            terms_.emplace(segment_events::hash_of(term), term);
        }
        add_data_names(kept.rule, data_names_);
    }
    if (!terms_.empty()) {
        TRY_VOID(for_each_of(
            store,
            segment_events::segment_did_table,
            [&](const storage::Rows& page) -> Result<void> {
                for (std::size_t row = 0; row < page.size(); ++row) {
                    const segment_events::DidRow did = segment_events::read_did_row(page, row);
                    const auto term = terms_.find(did.key.term);
                    if (term == terms_.end()) {
                        continue;
                    }
                    const std::uint32_t times = term->second.times;
                    TRY(const auto events, segment_rules::LatestEvents::read(did.events, times));
                    did_[did.key.id].try_emplace(did.key.term, times).first->second.add(events);
                    ids_.insert(did.key.id);
                }
                return {};
            }
        ));
    }
    if (data_names_.empty()) {
        return {};
    }
    return for_each_of(
        store,
        identities::profile_table,
        [&](const storage::Rows& page) -> Result<void> {
            std::set<std::string> sids;
            for (std::size_t row = 0; row < page.size(); ++row) {
                sids.insert(identities::read_sid(page.at(row, 0).text()));
            }
            TRY(const auto profiles, identities::read_profiles(store, sids));
            for (const auto& [sid, members] : profiles) {
                for (const identities::Member& each : members) {
                    ids_.insert(each.id);
                }
            }
            return {};
        }
    );
}

void RuledRecount::say(const std::string& sid, std::span<const identities::Member> members) {
    if (data_names_.empty()) {
        return;
    }
    for (const identities::Winner& each :
         identities::winners(members, identities::default_rules())) {
        if (!data_names_.contains(each.name)) {
            continue;
        }
        data_[sid][each.name] = each.value;
        if (each.others > 0) {
            unsure_.insert(sid);
            for (const identities::Member& member : members) {
                unsure_ids_.insert(member.id);
            }
        }
    }
}

std::set<std::int64_t> RuledRecount::segments_of(
    const std::string& sid,
    const std::set<identities::Id>& ids,
    const std::set<std::int64_t>& members,
    Instant now
) const {
    Latest did;
    for (const identities::Id& each : ids) {
        if (const auto of_id = did_.find(each); of_id != did_.end()) {
            for (const auto& [term, events] : of_id->second) {
                did.try_emplace(term, terms_.at(term).times).first->second.add(events);
            }
        }
    }
    segment_rules::Person person{
        .did =
            [&](const segment_rules::EventTerm& term) {
                const auto events = did.find(segment_events::hash_of(term));
                const auto end =
                    events == did.end() ? std::nullopt : events->second.until(term.within);
                return end && now < *end;
            },
        .datum = [&](const std::string& name) -> std::optional<std::string> {
            const auto of_person = data_.find(sid);
            if (of_person == data_.end() || !of_person->second.contains(name)) {
                return std::nullopt;
            }
            return of_person->second.at(name);
        },
        .is_in = {}
    };
    // Rules go round in no circle, or they would not have been taken.
    person.is_in = [&](const std::string& name) {
        const auto number = numbers_.find(name);
        const auto rule = rules_.find(name);
        return (number != numbers_.end() && members.contains(number->second)) ||
               (rule != rules_.end() && segment_rules::holds(rule->second.rule, person));
    };
    std::set<std::int64_t> segments = members;
    for (const auto& [name, kept] : rules_) {
        if (segment_rules::holds(kept.rule, person)) {
            segments.insert(kept.segment);
        }
    }
    return segments;
}

}  // namespace footfall::segments
