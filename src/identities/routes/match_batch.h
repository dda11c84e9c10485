#pragma once

#include "http_server/request.h"
#include "http_server/router.h"
#include "identities_routes/sources.h"

#include <cstddef>

/// Many matches in one request: NDJSON, a match a line, and an answer a line.
///
/// All lines are said to the log, then it is waited once until what was said is in rows, and so are
/// the profiles that follow; answers are read from rows, many at a time. A line that cannot be
/// taken is answered by a problem with its `line`, and harms no other one. To send it again is
/// safe: a statement is one fact.
namespace footfall::identities::routes {

/// Of a batch, packed or not.
inline constexpr std::size_t match_batch_bytes_max = 16 << 20;
inline constexpr std::size_t match_batch_lines_max = 100'000;

/// Whether a request says that it is NDJSON.
bool is_match_batch(const http_server::Request& request);

/// Answers on a thread of the batches, in turns.
http_server::Handler on_batches(const Sources& sources);

}  // namespace footfall::identities::routes
