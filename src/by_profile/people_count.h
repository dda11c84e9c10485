#pragma once

#include "foundation/result.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::by_profile {

/// Days since 1970-01-01.
using Day = std::int32_t;

/// What some events come to.
struct PeopleFigures {
    std::uint64_t counted = 0;  ///< Events.
    std::uint64_t actors = 0;   ///< Different ones.
    std::uint64_t people = 0;   ///< The same, where those in one profile are one.

    friend bool operator==(const PeopleFigures&, const PeopleFigures&) = default;
};

/// Counts people of each day and of all, exactly, in two steps: who acted on which day, and then
/// which of those are one person. A plain value of one thread.
class PeopleCount {
public:
    /// An event of that day. `person`: who did it (events::person_of); `actor`: the same by the
    /// name that was given, empty where none was.
    void add(Day day, std::uint64_t person, std::string_view actor);

    /// One of which nobody knows who did it.
    void add_unknown(Day day) { ++days_[day]; }

    /// The next actors that have a name and no place yet, at most so many; none: all have.
    std::vector<std::string> next_named(std::size_t most) const;

    /// Places the first of next_named(), in their order: `profile` is the same for those who are
    /// one person, and empty for one who is nobody else.
    void place(std::span<const std::string> profiles);

    bool has(std::uint64_t person) const { return numbers_.contains(person); }

    struct Figures {
        PeopleFigures all;
        std::map<Day, PeopleFigures> days;  ///< Those with events.
    };

    /// Once all are placed.
    Figures figures() const;

    std::size_t actors() const { return actors_.size(); }

    /// Of memory, about.
    std::size_t bytes() const;

private:
    /// Which of all that were met.
    using Number = std::uint32_t;

    struct Actor {
        std::uint64_t profile = 0;  ///< A hash: of whom it is one person with.
        std::uint32_t name_begin = 0;
        std::uint32_t name_size = 0;  ///< 0: it has none.
    };

    std::string_view name_of(const Actor& actor) const {
        return std::string_view{names_}.substr(actor.name_begin, actor.name_size);
    }

    boost::unordered_flat_map<std::uint64_t, Number> numbers_;  ///< By person.
    std::vector<Actor> actors_;                                 ///< By number.
    std::string names_;
    std::map<Day, std::uint64_t> days_;                    ///< Events.
    boost::unordered_flat_set<std::uint64_t> actor_days_;  ///< Day and number.
    Number placed_ = 0;                                    ///< Those below have their place.
};

}  // namespace footfall::by_profile
