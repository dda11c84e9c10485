#pragma once

#include "api/front_door.h"
#include "reading_routes/people_routes.h"

#include <cstddef>

namespace footfall::reading::routes {

inline constexpr std::size_t people_lines_max = 100'000;
/// When unpacked; unpacked or not, a body is limited by the server as well.
inline constexpr std::size_t people_bytes_max = 16 << 20;

/// Adds POST /api/v1/people: a person a line, in NDJSON, which may be packed with gzip. Some lines
/// are said together and are durable before the next are read, so a failure may leave a beginning
/// done: sending all again is safe.
void add_people_batch_route(api::FrontDoor& door, const PeopleSources& sources);

}  // namespace footfall::reading::routes
