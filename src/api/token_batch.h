#pragma once

#include "http_server/router.h"
#include "runtime/task.h"
#include "tokens/token_counters.h"

namespace footfall::api {

inline constexpr std::size_t batch_lines_max = 100'000;
/// When unpacked; unpacked or not, a body is limited by the server as well.
inline constexpr std::size_t batch_bytes_max = 16 << 20;

/// POST /api/v1/counter: puts the tokens of an NDJSON body, which may be packed with gzip, line by
/// line, and answers how many were accepted and which lines were not. A failure of the store
/// answers for the whole batch; sending it again is safe.
runtime::Task<> put_token_batch(tokens::TokenCounters* counters, http_server::Exchange* exchange);

}  // namespace footfall::api
