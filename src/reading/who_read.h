#pragma once

#include "foundation/result.h"
#include "people/people.h"
#include "reading/readership.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace footfall::reading {

inline constexpr std::size_t urls_max = 100;
inline constexpr std::size_t names_max = 1'000'000;  ///< Of an answer.

/// Which of these friends read which of these URLs.
struct WhoQuestion {
    /// Who asks; absent: nobody who has a name, to whom readers that appear to their friends alone
    /// do not appear.
    std::optional<std::string> actor = {};
    /// Whom they ask about; absent: those whom `actor` lists, which must be there then.
    std::optional<std::vector<std::string>> friends = {};
    std::vector<std::string> urls;  ///< As they were written, at most urls_max.
    std::size_t names = names_max;  ///< Most names a URL.
};

struct UrlAnswer {
    std::vector<std::string> readers;  ///< By name.
    std::size_t count = 0;             ///< How many they are, with those that were cut.
};

struct WhoAnswer {
    std::vector<UrlAnswer> urls;  ///< In the order asked.
    /// Whoever counts some of them did not answer: what is in memory there alone, which is a second
    /// of reads, is missing.
    bool provisional = false;
};

/// URLs of one canonical form have one answer. Equal to what each friend's own list says, while
/// facts are in memory alone, too, here or where they are counted. Waits for some reads.
Result<WhoAnswer> who_read(
    Readership& readership, people::People& people, const WhoQuestion& question
);

}  // namespace footfall::reading
