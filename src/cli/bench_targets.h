#pragma once

#include "foundation/result.h"
#include "records/byte_source.h"

#include <string>
#include <vector>

namespace footfall::cli {

/// What is asked for, a line each: a path with its query, "/api/v1/views/a?from=2026-11-01", as it
/// stands in a request. `invalid_input`, with file and line: another kind of line, more than a
/// million of them, or none.
Result<std::vector<std::string>> read_bench_targets(records::ByteSource& source);

}  // namespace footfall::cli
