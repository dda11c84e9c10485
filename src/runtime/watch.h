#pragma once

#include "foundation/result.h"
#include "runtime/turns.h"

#include <functional>
#include <string>

namespace footfall::runtime {

/// Reads again and again what other processes change: a thread in the background. What cannot be
/// read stays as it was known; the log says so once, until it can be read again. What `read` refers
/// to must outlive it; it goes when a read under way has ended.
class Watch {
public:
    struct Options {
        std::string what;  ///< Names it in the log, and the thread: at most 15 characters.
        Turns::Pause period;
        Urgency urgency = Urgency::background;
    };

    using Read = std::move_only_function<Result<void>()>;

    Watch(Options options, Read read);

private:
    Read read_;
    bool failed_ = false;  ///< The last time.
    Turns turns_;          // last: ends before what it uses
};

}  // namespace footfall::runtime
