#include "api/web_assets.h"

#include <ranges>

namespace footfall::api {

WebAssets web_assets(const WebBundle& bundle) {
    WebAssets assets{
        {.path = "/app.js", .content_type = "text/javascript; charset=utf-8", .bytes = bundle.app_js
        },
        {.path = "/app.css", .content_type = "text/css; charset=utf-8", .bytes = bundle.app_css},
        {.path = "/favicon.svg", .content_type = "image/svg+xml", .bytes = bundle.favicon_svg}
    };
    for (const auto line : std::views::split(bundle.pages, '\n')) {
        if (const std::string_view path{line}; !path.empty()) {
            assets.push_back(
                {.path = path,
                 .content_type = "text/html; charset=utf-8",
                 .bytes = bundle.index_html}
            );
        }
    }
    return assets;
}

WebAssets no_web_assets() {
    return {
        {.path = "/",
         .content_type = "text/plain; charset=utf-8",
         .bytes = "This footfall was built without its dashboard (FOOTFALL_WEB=OFF). The API is at "
                  "/api/v1.\n"}
    };
}

}  // namespace footfall::api
