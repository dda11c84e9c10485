#include "segments/rules_in_force.h"

#include "segment_rules/rule.h"

#include <algorithm>

namespace footfall::segments {
namespace {

bool has_segment(std::span<const std::int64_t> sorted, std::int64_t segment) {
    return std::ranges::binary_search(sorted, segment);
}

}  // namespace

PersonData data_of(
    std::span<const identities::Member> members, const identities::DatumRules& rules
) {
    PersonData data;
    for (identities::Winner& each : identities::winners(members, rules)) {
        data.emplace(std::move(each.name), std::move(each.value));
    }
    return data;
}

void add_by_rules(
    const Rules& rules,
    const Filled* in_force,
    const RuledPerson& person,
    std::vector<std::int64_t>& segments
) {
    const segment_rules::Person known{
        .did =
            [&](const segment_rules::EventTerm& term) {
                const auto until = person.until->find(rules.hashes.at(term));
                return until != person.until->end() && person.now < until->second;
            },
        .datum = [&](const std::string& name) -> std::optional<std::string> {
            const auto value = person.data->find(name);
            return value == person.data->end() ? std::nullopt : std::optional{value->second};
        },
        .is_in =
            [&](const std::string& name) {
                const auto number = rules.numbers.find(name);
                return number != rules.numbers.end() && has_segment(segments, number->second);
            }
    };
    for (const Rules::Kept& each : rules.in_order) {
        const std::int64_t segment = each.row.segment;
        bool is_here = has_segment(person.before, segment);
        if (in_force == nullptr ||
            (in_force->contains(segment) && in_force->at(segment) == each.row.since)) {
            is_here = segment_rules::holds(each.rule, known);
        }
        if (is_here && !has_segment(segments, segment)) {
            segments.insert(std::ranges::upper_bound(segments, segment), segment);
        }
    }
}

std::optional<Instant> next_end(const segment_events::HoldsUntil& until, Instant now) {
    std::optional<Instant> next;
    for (const auto& [hash, end] : until) {
        if (end > now && (!next || end < *next)) {
            next = end;
        }
    }
    return next;
}

}  // namespace footfall::segments
