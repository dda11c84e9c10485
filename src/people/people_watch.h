#pragma once

#include "people/people.h"
#include "runtime/turns.h"

#include <chrono>

namespace footfall::people {

/// Reads again and again what other processes were told of people: a thread in the background. What
/// cannot be read stays as it was known. `people` must outlive it, and its store be open until this
/// has gone, which waits while the store is asked.
class PeopleWatch {
public:
    /// Consent is to hold everywhere within a second.
    static constexpr std::chrono::milliseconds usual_period{300};

    explicit PeopleWatch(People& people, std::chrono::milliseconds period = usual_period);

private:
    bool failed_ = false;  ///< The last time.
    runtime::Turns turns_;
};

}  // namespace footfall::people
