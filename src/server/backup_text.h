#pragma once

#include "backup/step.h"
#include "cli/progress.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace footfall::server {

/// "812 bytes", "64.0 MB".
std::string size_text(std::uint64_t bytes);

/// What `--time` says: the moment that a restore is to stop at; absent for "": a backup is restored
/// as it is. `invalid_input` when it is no moment.
Result<std::optional<Instant>> moment_of(std::string_view time);

/// Shows how many bytes are done, on standard error, and clears it at its end.
class ByteProgress {
public:
    /// `clock` must outlive it.
    explicit ByteProgress(const Clock& clock) : progress_{clock, cli::standard_error_output()} {}

    /// To be given to the work; this must outlive it.
    backup::BeforeStep before_step();

    void clear() { progress_.clear(); }

private:
    cli::Progress progress_;
};

}  // namespace footfall::server
