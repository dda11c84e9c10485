#include "segment_rules/rule.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace footfall::segment_rules {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};

bool is_any_or(const std::string& wanted, const std::string& given) {
    return wanted.empty() || wanted == given;
}

/// Calls `take` with each term of a rule.
template <class Take>
void for_each_term(const Rule& rule, const Take& take) {
    std::visit(
        Overloaded{
            [&](const Group& group) {
                for (const Rule& part : group.parts) {
                    for_each_term(part, take);
                }
            },
            [&](const auto& term) { take(term); }
        },
        rule.is
    );
}

bool group_holds(const Group& group, const Person& person) {
    const auto part_holds = [&](const Rule& part) { return holds(part, person); };
    switch (group.kind) {
        case Group::Kind::all:
            return std::ranges::all_of(group.parts, part_holds);
        case Group::Kind::any:
            return std::ranges::any_of(group.parts, part_holds);
        case Group::Kind::none:
            return std::ranges::none_of(group.parts, part_holds);
    }
    return false;
}

/// Looks through what rules name, depth first.
class Ordering {
public:
    explicit Ordering(const Rules& rules) : rules_{&rules} {}

    Order run() {
        for (const auto& [name, rule] : *rules_) {
            if (!visit(name)) {
                return {.circle = std::move(path_)};
            }
        }
        return {.names = std::move(names_)};
    }

private:
    enum class State : std::uint8_t { open, done };

    /// False: there is a circle, which `path_` is then. As deep as rules lead on from one to the
    /// other: at most as many as there are segments.
    bool visit(const std::string& name) {
        const auto rule = rules_->find(name);
        if (rule == rules_->end()) {
            return true;
        }
        if (const auto seen = states_.find(name); seen != states_.end()) {
            if (seen->second == State::done) {
                return true;
            }
            path_.erase(path_.begin(), std::ranges::find(path_, name));
            path_.push_back(name);
            return false;
        }
        states_.emplace(name, State::open);
        path_.push_back(name);
        for (const std::string& named : segments_of(rule->second)) {
            if (!visit(named)) {
                return false;
            }
        }
        path_.pop_back();
        states_[name] = State::done;
        names_.push_back(name);
        return true;
    }

    const Rules* rules_;
    std::map<std::string, State, std::less<>> states_;
    std::vector<std::string> path_;
    std::vector<std::string> names_;
};

}  // namespace

bool operator==(const Group& left, const Group& right) {
    return left.kind == right.kind && left.parts == right.parts;
}

bool is_counted_by(const EventTerm& term, const events::Event& event) {
    // An event without an ad is one of the ad that its object is (ads do the same).
    const std::string& ad = event.ad.empty() ? event.object : event.ad;
    return term.action == event.action && is_any_or(term.object, event.object) &&
           is_any_or(term.ad, ad) && is_any_or(term.reseller, event.reseller) &&
           is_any_or(term.publisher, event.publisher);
}

bool is_met_by(const DatumTerm& term, std::string_view json_value) {
    if (!term.is.empty()) {
        return json_value == term.is;
    }
    std::int64_t number = 0;
    const auto read = std::from_chars(json_value.begin(), json_value.end(), number);
    return read.ec == std::errc{} && read.ptr == json_value.end() &&
           number >= term.at_least.value_or(number) && number <= term.at_most.value_or(number);
}

bool holds(const Rule& rule, const Person& person) {
    return std::visit(
        Overloaded{
            [&](const EventTerm& term) { return person.did(term); },
            [&](const DatumTerm& term) {
                const std::optional<std::string> value = person.datum(term.name);
                return value && is_met_by(term, *value);
            },
            [&](const SegmentTerm& term) { return person.is_in(term.name); },
            [&](const Group& group) { return group_holds(group, person); }
        },
        rule.is
    );
}

bool is_grounded(const Rule& rule) {
    const auto* const group = std::get_if<Group>(&rule.is);
    if (group == nullptr) {
        return true;
    }
    switch (group->kind) {
        case Group::Kind::all:
            return std::ranges::any_of(group->parts, is_grounded);
        case Group::Kind::any:
            return std::ranges::all_of(group->parts, is_grounded);
        case Group::Kind::none:
            return false;
    }
    return false;
}

std::set<std::string> segments_of(const Rule& rule) {
    std::set<std::string> names;
    for_each_term(
        rule,
        Overloaded{
            [&](const SegmentTerm& term) { names.insert(term.name); }, [](const auto& /*term*/) {}
        }
    );
    return names;
}

bool goes_by_data(const Rule& rule) {
    if (const auto* const group = std::get_if<Group>(&rule.is)) {
        return std::ranges::any_of(group->parts, goes_by_data);
    }
    return std::holds_alternative<DatumTerm>(rule.is);
}

std::set<EventTerm> event_terms_of(const Rule& rule) {
    std::set<EventTerm> terms;
    for_each_term(
        rule, Overloaded{[&](const EventTerm& term) { terms.insert(term); }, [](const auto&) {}}
    );
    return terms;
}

Order order_of(const Rules& rules) {
    return Ordering{rules}.run();
}

}  // namespace footfall::segment_rules
