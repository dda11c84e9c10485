#pragma once

#include "http_server/router.h"
#include "segments_routes/sources.h"

#include <cstdint>

/// Many members in one request: NDJSON, an id a line. What is answered is durable. A line that
/// cannot be taken is told by its number, and harms no other one. To send a batch again is safe.
namespace footfall::segments::routes {

enum class MemberChange : std::uint8_t { add, remove };

/// Answers on a thread of the batches, in turns.
http_server::Handler on_member_batches(const Sources& sources, MemberChange change);

}  // namespace footfall::segments::routes
