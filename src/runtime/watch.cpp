#include "runtime/watch.h"

#include "foundation/log.h"

#include <utility>

namespace footfall::runtime {

Watch::Watch(Options options, Read read)
    : read_{std::move(read)},
      turns_{
          options.what,
          options.urgency,
          [this, what = options.what, period = options.period](const std::stop_token&) {
              const Result<void> done = read_();
              if (!done && !failed_) {
                  log(LogLevel::warning, "{} cannot be read again: {}", what, done.error().message);
              }
              failed_ = !done;
              return period;
          }
      } {}

}  // namespace footfall::runtime
