#pragma once

#include "foundation/result.h"
#include "records/byte_source.h"

#include <string_view>
#include <vector>

namespace footfall::cli {

/// How often something came, from CSV lines of a time and a count ("1998-06-30 21:41:00,229426"),
/// one for each of many equally long stretches, in order. Only lines whose time begins with
/// `period`; the first line may be a heading. `invalid_input`, with file and line: another kind of
/// line, more than 10 million of them, or nothing that came.
Result<std::vector<double>> read_rate_profile(records::ByteSource& source, std::string_view period);

}  // namespace footfall::cli
