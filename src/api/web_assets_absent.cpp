#include "api/web_assets.h"

#include <array>

namespace footfall::api {

std::span<const WebAsset> web_assets() {
    static constexpr std::array assets{WebAsset{
        .path = "/",
        .content_type = "text/plain; charset=utf-8",
        .bytes = "This footfall was built without its dashboard (FOOTFALL_WEB=OFF). The API is at "
                 "/api/v1.\n"
    }};
    return assets;
}

}  // namespace footfall::api
