#pragma once

#include "foundation/result.h"
#include "identities/fact.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::segments::routes {

/// Of one batch, packed or not.
inline constexpr std::size_t member_batch_bytes_max = 16 << 20;
inline constexpr std::size_t member_batch_lines_max = 100'000;

/// The longest that a member stays without being sent again: what is longer is more likely
/// milliseconds than a wish.
inline constexpr std::chrono::seconds member_ttl_max = std::chrono::years{100};

/// One good line of a batch of members.
struct MemberLine {
    std::size_t line = 0;  ///< From 1.
    identities::Id id;
    std::optional<std::chrono::seconds> ttl;  ///< Absent: until it is taken out.
};

/// A line that was not taken, and why.
struct RejectedMember {
    std::size_t line = 0;
    std::string detail;
};

struct MemberLines {
    std::vector<MemberLine> good;
    std::vector<RejectedMember> rejected;
};

/// Reads NDJSON lines {"identifier":"www","id_name":"id","id_value":"w111","ttl":60}, some at a
/// time, so that a large batch need not keep a thread from others. Blank lines are passed over; a
/// bad line is rejected by itself, and so is one with a field that there is not: a misspelt ttl
/// must not be a member for ever. Not thread-safe.
class MemberLineReader {
public:
    /// `body` must outlive the reader.
    explicit MemberLineReader(std::string_view body);
    ~MemberLineReader();
    MemberLineReader(const MemberLineReader&) = delete;
    MemberLineReader& operator=(const MemberLineReader&) = delete;

    bool done() const { return left_.empty(); }

    /// The next lines, at most so many, good and rejected together.
    MemberLines next(std::size_t lines_max);

private:
    struct Parser;

    std::string_view left_;
    std::size_t number_ = 0;  ///< Of the last line taken.
    std::unique_ptr<Parser> parser_;
};

}  // namespace footfall::segments::routes
