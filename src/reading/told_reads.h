#pragma once

#include "reading/url_readers.h"

#include <string>
#include <string_view>
#include <vector>

namespace footfall::reading {

/// A read that is told again (events::ReadsToldAgain).
struct ToldRead {
    std::string url;  ///< Canonical.
    QuarterOfTime quarter = 0;

    friend bool operator==(const ToldRead&, const ToldRead&) = default;
};

/// What is sealed of some of one day and lane.
std::string text_of(const std::vector<ToldRead>& reads);

/// None where it is no such text: a newer program wrote it.
std::vector<ToldRead> told_reads(std::string_view text);

}  // namespace footfall::reading
