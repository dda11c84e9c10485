#include "api/owner_routes.h"

#include "api/answers.h"
#include "api/on_pool.h"
#include "http_server/problem.h"
#include "owners/owner_client.h"
#include "owners/proof.h"
#include "owners/wire.h"

#include <optional>
#include <string>
#include <utility>

namespace footfall::api {
namespace {

using http_server::Exchange;
using http_server::Request;
using http_server::Response;

Response answer_now(const owners::OwnerDesk& desk, const Request& request) {
    if (!desk.knows(request.header(owners::proof_header), request.body)) {
        return http_server::problem(
            403,
            "proof-required",
            "only processes of this deployment are answered here; their clocks must agree within "
            "a minute",
            owners::proof_header
        );
    }
    Result<std::string> answer = desk.answer(request.body);
    if (!answer) {
        return answer_error(answer.error());
    }
    return {.content_type = "application/octet-stream", .body = *std::move(answer)};
}

runtime::Task<> answer_owner(
    const owners::OwnerDesk* desk, runtime::BlockingPool* lookups, Exchange* exchange
) {
    auto look = [&] { return answer_now(*desk, exchange->request()); };
    exchange->response() = co_await on_pool(lookups, std::move(look));
}

}  // namespace

void add_owner_route(
    FrontDoor& door, const owners::OwnerDesk& desk, runtime::BlockingPool& lookups
) {
    door.add_open(
        http_server::Method::post,
        owners::owner_path,
        [&desk, &lookups](Exchange& exchange) {
            return std::optional{answer_owner(&desk, &lookups, &exchange)};
        },
        {.bytes = owners::question_bytes_max}
    );
}

}  // namespace footfall::api
