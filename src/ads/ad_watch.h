#pragma once

#include "ads/ad_registry.h"
#include "runtime/turns.h"

#include <chrono>

namespace footfall::ads {

/// Reads again and again what other processes changed of the registered ads: a thread in the
/// background. What cannot be read stays as it was known. `ads` must outlive it, and its store be
/// open until this has gone, which waits while the store is asked.
class AdWatch {
public:
    /// Changes are to be seen within a second.
    static constexpr std::chrono::milliseconds usual_period{500};

    explicit AdWatch(AdRegistry& ads, std::chrono::milliseconds period = usual_period);

private:
    bool failed_ = false;  ///< The last time.
    runtime::Turns turns_;
};

}  // namespace footfall::ads
