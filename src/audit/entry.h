#pragma once

#include "audit/acts.h"
#include "audit/sha256.h"
#include "foundation/clock.h"
#include "foundation/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::audit {

/// An entry of the log.
struct Entry {
    std::uint64_t number = 0;
    Instant time;
    std::string kind;
    std::string author;
    std::string detail;        ///< A JSON object, on one line.
    std::vector<Hash> people;  ///< Commitments to what is said of persons.

    friend bool operator==(const Entry&, const Entry&) = default;
};

/// The bytes that are hashed, which are one line of JSON, without a line feed:
/// {"entry":,"time":,"kind":,"author":,"detail":,"people":[..]}. Below 64 KiB, as a bundle needs.
std::string entry_bytes(const Entry& entry);

/// The hash of those bytes as a leaf.
Hash leaf_of(const Entry& entry);

/// How an entry is shown: the same line with `"leaf"`, its hash in base64, as last member. Whoever
/// cuts that member off has the bytes that are hashed.
std::string entry_line(std::string_view bytes, const Hash& leaf);

/// What a line is taken apart into: the bytes that are hashed as they stand in the line, and the
/// leaf that it shows. `corrupt`: it is no such line.
struct ShownEntry {
    std::uint64_t number = 0;
    std::string bytes;
    Hash leaf{};
};

Result<ShownEntry> read_entry_line(std::string_view line);

/// The act as it is to be recorded: its detail as one line. `invalid_input`: it is not as Act says.
Result<void> check_act(Act& act);

/// 2026-11-29T10:00:00.000000Z.
std::string audit_time(Instant time);

}  // namespace footfall::audit
