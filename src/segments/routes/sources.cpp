#include "segments_routes/sources.h"

#include "api/on_pool.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace footfall::segments::routes {
namespace {

runtime::Task<> answer_on(
    runtime::BlockingPool* pool,
    Sources sources,
    const Answer* answer,
    http_server::Exchange* exchange
) {
    auto work = [&] { return (*answer)(sources, exchange->request()); };
    exchange->response() = co_await api::on_pool(pool, std::move(work), exchange->client_left());
}

}  // namespace

http_server::Handler on(runtime::BlockingPool* pool, const Sources& sources, Answer answer) {
    return [pool, sources, answer = std::move(answer)](http_server::Exchange& exchange) {
        return std::optional{answer_on(pool, sources, &answer, &exchange)};
    };
}

api::Asked<std::string> segment_in_path(const http_server::Request& request) {
    return api::name_in_path(request, 0, "segment", name_bytes_max);
}

http_server::Response answer_failure(const Error& error) {
    return api::answer_error(error, error.kind == ErrorKind::not_found ? "segment" : "");
}

http_server::Response answer_unknown(const std::string& segment) {
    return answer_failure(
        {.kind = ErrorKind::not_found, .message = fmt::format("there is no segment \"{}\"", segment)
        }
    );
}

}  // namespace footfall::segments::routes
