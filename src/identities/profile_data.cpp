#include "identities/profile_data.h"

#include "foundation/json_string.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

namespace footfall::identities {
namespace {

/// In the order of Wins.
constexpr std::array<std::string_view, 5> words_of_wins{
    "latest", "first", "longest", "sources", "strictest"
};

struct Candidate {
    const Member* member = nullptr;
    const SaidDatum* said = nullptr;
};

const std::string& value_of(const Candidate& candidate, Wins wins) {
    const Datum& datum = candidate.said->datum;
    return wins == Wins::first ? datum.first : wins == Wins::longest ? datum.longest : datum.latest;
}

std::size_t place_in(const std::vector<std::string>& order, std::string_view text) {
    return static_cast<std::size_t>(std::ranges::find(order, text) - order.begin());
}

/// The smallest rank wins.
std::int64_t rank_of(const Candidate& candidate, const DatumRule& rule) {
    const SaidDatum& said = *candidate.said;
    switch (rule.wins) {
        case Wins::first:
            return said.first.time_since_epoch().count();
        case Wins::longest:
            return -static_cast<std::int64_t>(said.datum.longest.size());
        case Wins::sources:
            return static_cast<std::int64_t>(place_in(rule.order, said.source));
        case Wins::strictest: {
            const auto found = std::ranges::find_if(rule.order, [&](const std::string& each) {
                return said.datum.latest == each || said.datum.latest == json_string(each);
            });
            return found == rule.order.end() ? -1 : found - rule.order.begin();
        }
        case Wins::latest:
            break;
    }
    return 0;
}

bool wins_over(const Candidate& one, const Candidate& other, const DatumRule& rule) {
    const auto key = [&](const Candidate& each) {
        return std::tuple{-rank_of(each, rule), each.said->last, value_of(each, rule.wins)};
    };
    const auto first = key(one);
    const auto second = key(other);
    return first != second ? first > second
                           : std::tie(one.said->source, one.member->id) <
                                 std::tie(other.said->source, other.member->id);
}

Winner winner_of(
    const std::string& name, std::span<const Candidate> candidates, const DatumRule& rule
) {
    const Candidate best =
        *std::ranges::min_element(candidates, [&](const Candidate& one, const Candidate& other) {
            return wins_over(one, other, rule);
        });
    std::set<std::string_view> values;
    for (const Candidate& each : candidates) {
        values.insert(value_of(each, rule.wins));
    }
    return {
        .name = name,
        .value = value_of(best, rule.wins),
        .wins = rule.wins,
        .source = best.said->source,
        .of = best.member->id,
        .time = rule.wins == Wins::first ? best.said->first : best.said->last,
        .others = values.size() - 1
    };
}

std::unexpected<Error> fault(std::string_view rule, std::string_view what) {
    return fail(ErrorKind::invalid_input, fmt::format("\"{}\": {}", rule, what));
}

/// The parts of a text between separators.
std::vector<std::string> parts_of(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

Result<DatumRule> read_rule(std::string_view text, std::string_view whole) {
    const std::size_t colon = text.find(':');
    const auto found = std::ranges::find(words_of_wins, text.substr(0, colon));
    if (found == words_of_wins.end()) {
        return fault(whole, "a datum goes by latest, first, longest, sources:.. or strictest:..");
    }
    DatumRule rule{.wins = static_cast<Wins>(found - words_of_wins.begin())};
    const bool wants_order = rule.wins == Wins::sources || rule.wins == Wins::strictest;
    if (wants_order != (colon != std::string_view::npos)) {
        return fault(
            whole,
            wants_order ? "this takes an order, such as sources:crm>shop"
                        : "latest, first and longest take no order"
        );
    }
    if (wants_order) {
        rule.order = parts_of(text.substr(colon + 1), '>');
    }
    const bool has_empty = std::ranges::any_of(rule.order, &std::string::empty);
    return has_empty ? fault(whole, "the order has an empty part") : Result<DatumRule>{rule};
}

}  // namespace

DatumRules default_rules() {
    return {{"consent", {.wins = Wins::strictest, .order = {"denied", "granted"}}}};
}

std::string_view name_of(Wins wins) {
    return words_of_wins.at(static_cast<std::size_t>(wins));
}

Result<DatumRules> read_rules(std::string_view text) {
    DatumRules rules = default_rules();
    std::set<std::string> named;
    for (const std::string& each : parts_of(text, ',')) {
        if (text.empty()) {
            break;
        }
        const std::size_t equal = each.find('=');
        if (equal == 0 || equal == std::string::npos) {
            return fault(each, "a rule is NAME=RULE, such as city=latest");
        }
        const std::string name = each.substr(0, equal);
        if (!named.insert(name).second) {
            return fault(each, "this datum has a rule already");
        }
        TRY(rules[name], read_rule(std::string_view{each}.substr(equal + 1), each));
    }
    return rules;
}

std::vector<Winner> winners(std::span<const Member> members, const DatumRules& rules) {
    std::map<std::string, std::vector<Candidate>> by_name;
    for (const Member& member : members) {
        for (const SaidDatum& each : member.data) {
            by_name[each.datum.name].push_back({.member = &member, .said = &each});
        }
    }
    std::vector<Winner> all;
    for (const auto& [name, candidates] : by_name) {
        const auto rule = rules.find(name);
        all.push_back(winner_of(name, candidates, rule == rules.end() ? DatumRule{} : rule->second)
        );
    }
    return all;
}

}  // namespace footfall::identities
