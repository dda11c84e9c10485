#pragma once

#include "events/verdict.h"
#include "intake/intake.h"
#include "test_support/api.h"
#include "views/cell.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace footfall::power {

/// The judged log of a program as a plain list: what stands in it, what a judge makes of it who
/// looks at all that came before, and the numbers that follow. Reports to gtest.
class JudgedLog {
public:
    /// Reads all of it. Fails the test where an id stands in it twice, or a verdict is not that of
    /// the definition: design section 4.
    explicit JudgedLog(intake::Intake& intake);

    /// The event of this id; null: it is not there.
    const events::JudgedEvent* find(const std::string& id) const;

    std::size_t size() const { return by_id_.size(); }

    /// What GET /api/v1/events/{id} says of an event must be what stands in the log.
    void check_event(test_support::Api& api, const std::string& id) const;

    /// What GET /api/v1/views/{object} says, of all time and of each day, must be what follows.
    void check_views(test_support::Api& api, const std::string& object, const std::string& days)
        const;

private:
    using ByReason = std::map<std::string, std::uint64_t>;  ///< "": counted.

    struct OfObject {
        std::map<views::Day, ByReason> days;
        std::set<std::string> people;
    };

    void read_lane(intake::Intake& intake, std::uint32_t lane);

    std::map<std::string, events::JudgedEvent> by_id_;
    std::map<std::pair<std::string, std::string>, OfObject> objects_;  ///< By action and object.
};

}  // namespace footfall::power
