#include "api/openapi_route.h"

#include "api/front_door.h"
#include "api/openapi_merge.h"
#include "foundation/check.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

// #embed is C23; clang 19, our reference compiler, knows it in C++ too.
#pragma clang diagnostic ignored "-Wc23-extensions"

namespace footfall::api {
namespace {

constexpr char description[] = {
#embed "openapi.json"
};

}  // namespace

void add_openapi_route(FrontDoor& door, std::span<const std::string_view> fragments) {
    auto merged = merge_openapi({description, sizeof description}, fragments);
    CHECK(merged, "the descriptions of the API fit together", merged.error().message);
    door.add_page(
        http_server::Method::get,
        "/openapi.json",
        [document = std::make_shared<const std::string>(*std::move(merged)
         )](http_server::Exchange& exchange) -> std::optional<runtime::Task<>> {
            exchange.response().content_type = "application/json";
            exchange.response().static_body = *document;
            return std::nullopt;
        }
    );
}

}  // namespace footfall::api
