#pragma once

#include "events/event.h"

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// By what a segment fills itself. Pure; costs are of the size of a rule, which is bounded.
namespace footfall::segment_rules {

inline constexpr std::size_t terms_max = 64;  ///< In a rule.
inline constexpr std::size_t depth_max = 8;   ///< Of groups in each other.
inline constexpr std::uint32_t times_max = 100;
inline constexpr std::chrono::seconds within_max = std::chrono::days{366};

/// Whose counted events of this kind are so many within a time that ends now. Empty texts stand for
/// anything; `object` or one of the others, or the action alone, may be given.
struct EventTerm {
    std::string action;
    std::string object = {};
    std::string ad = {};
    std::string reseller = {};
    std::string publisher = {};
    std::uint32_t times = 1;  ///< 1 to times_max.
    std::chrono::seconds within{};

    friend auto operator<=>(const EventTerm&, const EventTerm&) = default;
};

/// Whether an event, which counted, is one of those that the term counts.
bool is_counted_by(const EventTerm& term, const events::Event& event);

/// Whose profile says this of a datum: a certain value, or a number within bounds, both included.
struct DatumTerm {
    std::string name;
    std::string is = {};  ///< The value as JSON; empty: bounds are given.
    std::optional<std::int64_t> at_least = {};
    std::optional<std::int64_t> at_most = {};

    friend auto operator<=>(const DatumTerm&, const DatumTerm&) = default;
};

/// Whether a value, as JSON, is what the term asks for.
bool is_met_by(const DatumTerm& term, std::string_view json_value);

/// Who is in another segment.
struct SegmentTerm {
    std::string name;

    friend auto operator<=>(const SegmentTerm&, const SegmentTerm&) = default;
};

struct Rule;

/// Who is in all of its parts, in any of them, or not in the only one.
struct Group {
    enum class Kind : std::uint8_t { all, any, none };

    Kind kind = Kind::all;
    std::vector<Rule> parts;

    friend bool operator==(const Group&, const Group&);
};

struct Rule {
    std::variant<EventTerm, DatumTerm, SegmentTerm, Group> is;

    friend bool operator==(const Rule&, const Rule&) = default;
};

/// What is known of a person. Functions are called in no certain order, perhaps more than once.
struct Person {
    std::function<bool(const EventTerm&)> did;
    /// The value of a datum as JSON; absent: nobody said one.
    std::function<std::optional<std::string>(const std::string& name)> datum;
    std::function<bool(const std::string& segment)> is_in;
};

bool holds(const Rule& rule, const Person& person);

/// Whether whoever it holds for is met in a member, an event or a datum: a rule of negations alone
/// would hold for people of whom nothing is known.
bool is_grounded(const Rule& rule);

/// Whether it has a term of data of profiles.
bool goes_by_data(const Rule& rule);

std::set<std::string> segments_of(const Rule& rule);
std::set<EventTerm> event_terms_of(const Rule& rule);

/// By name of the segment that has it.
using Rules = std::map<std::string, Rule, std::less<>>;

/// The names of `rules` so that each stands behind those that its rule names; where that cannot be,
/// `circle` has the names of one that go round, the first again at the end, and `names` is empty.
struct Order {
    std::vector<std::string> names = {};
    std::vector<std::string> circle = {};
};

Order order_of(const Rules& rules);

}  // namespace footfall::segment_rules
