#include "api/web_assets.h"

#include <array>

// #embed is C23; clang 19, our reference compiler, knows it in C++ too. WEB_DIST is the folder npm
// built (web/).
#pragma clang diagnostic ignored "-Wc23-extensions"

namespace footfall::api {
namespace {

constexpr unsigned char index_html[] = {
#embed "index.html"
};
constexpr unsigned char app_js[] = {
#embed "app.js"
};
constexpr unsigned char app_css[] = {
#embed "app.css"
};
constexpr unsigned char favicon_svg[] = {
#embed "favicon.svg"
};

template <std::size_t size>
std::string_view text(const unsigned char (&bytes)[size]) {
    return {
        reinterpret_cast<const char*>(bytes), size
    };  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

}  // namespace

std::span<const WebAsset> web_assets() {
    static const std::array assets{
        WebAsset{
            .path = "/", .content_type = "text/html; charset=utf-8", .bytes = text(index_html)
        },
        // Every page has its own address; which one is asked for is the page's business.
        WebAsset{
            .path = "/views", .content_type = "text/html; charset=utf-8", .bytes = text(index_html)
        },
        WebAsset{
            .path = "/app.js",
            .content_type = "text/javascript; charset=utf-8",
            .bytes = text(app_js)
        },
        WebAsset{
            .path = "/app.css", .content_type = "text/css; charset=utf-8", .bytes = text(app_css)
        },
        WebAsset{
            .path = "/favicon.svg", .content_type = "image/svg+xml", .bytes = text(favicon_svg)
        },
    };
    return assets;
}

}  // namespace footfall::api
