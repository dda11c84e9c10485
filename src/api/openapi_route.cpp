#include "api/openapi_route.h"

#include "api/front_door.h"

#include <optional>
#include <string_view>

// #embed is C23; clang 19, our reference compiler, knows it in C++ too.
#pragma clang diagnostic ignored "-Wc23-extensions"

namespace footfall::api {
namespace {

constexpr char description[] = {
#embed "openapi.json"
};

}  // namespace

void add_openapi_route(FrontDoor& door) {
    door.add_page(
        http_server::Method::get,
        "/openapi.json",
        [](http_server::Exchange& exchange) -> std::optional<runtime::Task<>> {
            exchange.response().content_type = "application/json";
            exchange.response().static_body = std::string_view{description, sizeof description};
            return std::nullopt;
        }
    );
}

}  // namespace footfall::api
