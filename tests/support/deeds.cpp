#include "test_support/deeds.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

namespace footfall::test_support {

std::string Deeds::lines(std::size_t count) {
    std::string lines;
    for (; count > 0; --count) {
        if (sent_.empty() || random_.below(10) != 0) {
            sent_.push_back(next());
        }
        const Deed& deed =
            random_.below(10) == 0 ? sent_[random_.below(sent_.size())] : sent_.back();
        lines += fmt::format(
            R"({{"id":"d{}","time":"{:%FT%TZ}","action":"{}","object":"o{}","actor":"a{}"}})"
            "\n",
            deed.id,
            fmt::gmtime(deed.time),
            deed.is_buy ? "buy" : "open",
            deed.object,
            deed.actor
        );
        said_.insert(deed.id);
    }
    return lines;
}

std::pair<std::size_t, std::set<std::string>> Deeds::who(const Holds& holds) const {
    std::map<std::uint64_t, std::vector<Deed>> by_person;
    for (const Deed& each : sent_) {
        if (said_.contains(each.id)) {
            by_person[person_of(each.actor)].push_back(each);
        }
    }
    std::set<std::uint64_t> people;
    for (const auto& [person, deeds] : by_person) {
        if (holds(deeds)) {
            people.insert(person);
        }
    }
    std::set<std::string> ids;
    for (std::uint64_t actor = 0; actor < actors; ++actor) {
        const bool is_known = by_person.contains(actor) || of_.contains(actor);
        if (is_known && people.contains(person_of(actor))) {
            ids.insert(fmt::format("a{}", actor));
        }
    }
    return {people.size(), ids};
}

std::size_t Deeds::count(
    const std::vector<Deed>& deeds, bool buys, int object, std::uint64_t days
) {
    return static_cast<std::size_t>(std::ranges::count_if(deeds, [&](const Deed& each) {
        return each.is_buy == buys && each.days < days &&
               (object < 0 || each.object == static_cast<std::uint64_t>(object));
    }));
}

std::uint64_t Deeds::person_of(std::uint64_t actor) const {
    const auto found = of_.find(actor);
    return found == of_.end() ? actor : found->second;
}

Deeds::Deed Deeds::next() {
    constexpr std::uint64_t day = 86'400;
    const std::uint64_t days = random_.below(40);
    return {
        .id = next_++,
        .time = begun_ - static_cast<std::time_t>(days * day + day / 2 + random_.below(day / 8)),
        .is_buy = random_.below(4) == 0,
        .object = random_.below(50),
        .actor = random_.below(actors) * random_.below(actors) / actors,
        .days = days
    };
}

}  // namespace footfall::test_support
