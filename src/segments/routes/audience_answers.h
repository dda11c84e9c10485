#pragma once

#include "http_server/request.h"
#include "segments_routes/sources.h"

#include <optional>
#include <string>
#include <vector>

/// Answers about numbers of people to keys that may see nothing else (the scope `audience`).
namespace footfall::segments::routes {

/// The answer that refuses who may see neither people nor numbers of them; absent: come in.
std::optional<http_server::Response> refuse_strangers(
    const api::Doorkeeper& keeper, const http_server::Request& request
);

/// Whether whoever asks, and may come in, sees numbers only.
bool is_audience(const Sources& sources, const http_server::Request& request);

/// {"name":,"people":|null,"exact":false,"error":|null,"fewer_than":|null,"day":}
http_server::Response answer_audience_segment(
    const Sources& sources, const http_server::Request& request, const std::string& segment
);

/// The same of an expression, without a name.
http_server::Response answer_audience_count(
    const Sources& sources, const http_server::Request& request, const Expression& expression
);

/// Sizes, and every pair once.
http_server::Response answer_audience_overlap(
    const Sources& sources,
    const http_server::Request& request,
    const std::vector<std::string>& segments
);

}  // namespace footfall::segments::routes
