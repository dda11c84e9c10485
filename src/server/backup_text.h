#pragma once

#include "backup/open_depot.h"
#include "backup/step.h"
#include "cli/progress.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <CLI/App.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace footfall::server {

/// "812 bytes", "64.0 MB".
std::string size_text(std::uint64_t bytes);

/// Adds `--from` and `--encryption-key` to a verb that reads backups.
void add_address(CLI::App& verb, backup::Address& from);

/// Adds `--encryption-key` to a verb.
void add_key(CLI::App& verb, backup::Address& address);

/// Which backup is restored, and up to when: `--from`, and `--backup` or `--time`.
struct RestoredBackup {
    backup::Address from;
    std::string name;  ///< Empty: the newest.
    std::string time;

    void add_to(CLI::App& verb);

    /// The moment to stop at; absent: it is restored as it is. `invalid_input` when it is none.
    Result<std::optional<Instant>> moment() const;
};

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
