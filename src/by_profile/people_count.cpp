#include "by_profile/people_count.h"

#include "foundation/check.h"
#include "foundation/siphash.h"

#include <utility>

namespace footfall::by_profile {
namespace {

constexpr unsigned number_bits = 32;
/// Of a node of a map of days.
constexpr std::size_t day_bytes = 64;

std::uint64_t key_of(Day day, std::uint32_t number) {
    return std::uint64_t{static_cast<std::uint32_t>(day)} << number_bits | number;
}

Day day_in(std::uint64_t key) {
    return static_cast<Day>(static_cast<std::uint32_t>(key >> number_bits));
}

/// Nobody outside can choose the name of a profile, so it needs no secret.
std::uint64_t hash_of(std::string_view profile) {
    return siphash13(SipKey{.k0 = 1, .k1 = 0}, profile);
}

}  // namespace

void PeopleCount::add(Day day, std::uint64_t person, std::string_view actor) {
    ++days_[day];
    const auto [at, is_new] = numbers_.try_emplace(person, static_cast<Number>(actors_.size()));
    if (is_new) {
        actors_.push_back(
            {.profile = person,
             .name_begin = static_cast<std::uint32_t>(names_.size()),
             .name_size = static_cast<std::uint32_t>(actor.size())}
        );
        names_ += actor;
    }
    actor_days_.insert(key_of(day, at->second));
}

std::vector<std::string> PeopleCount::next_named(std::size_t most) const {
    std::vector<std::string> named;
    for (std::size_t at = placed_; at < actors_.size() && named.size() < most; ++at) {
        if (actors_[at].name_size > 0) {
            named.emplace_back(name_of(actors_[at]));
        }
    }
    return named;
}

void PeopleCount::place(std::span<const std::string> profiles) {
    for (const std::string& profile : profiles) {
        while (placed_ < actors_.size() && actors_[placed_].name_size == 0) {
            ++placed_;
        }
        CHECK(placed_ < actors_.size(), "only who was asked for is placed");
        if (!profile.empty()) {
            actors_[placed_].profile = hash_of(profile);
        }
        ++placed_;
    }
}

PeopleCount::Figures PeopleCount::figures() const {
    Figures figures;
    for (const auto& [day, counted] : days_) {
        figures.days[day].counted = counted;
        figures.all.counted += counted;
    }
    std::map<Day, boost::unordered_flat_set<std::uint64_t>> people;
    for (const std::uint64_t key : actor_days_) {
        const Actor& actor = actors_[static_cast<Number>(key)];
        ++figures.days[day_in(key)].actors;
        people[day_in(key)].insert(actor.profile);
    }
    for (const auto& [day, of_day] : people) {
        figures.days[day].people = of_day.size();
    }
    people.clear();
    boost::unordered_flat_set<std::uint64_t> all;
    for (const Actor& actor : actors_) {
        all.insert(actor.profile);
    }
    figures.all.actors = actors_.size();
    figures.all.people = all.size();
    return figures;
}

std::size_t PeopleCount::bytes() const {
    return numbers_.bucket_count() * (sizeof(std::uint64_t) + sizeof(std::uint64_t) + 1) +
           actor_days_.bucket_count() * (sizeof(std::uint64_t) + 1) +
           actors_.capacity() * sizeof(Actor) + names_.capacity() + days_.size() * day_bytes;
}

}  // namespace footfall::by_profile
