#pragma once

#include <string_view>
#include <vector>

namespace footfall::api {

/// A file that is built into the program, whose bytes therefore live as long as it does.
struct WebAsset {
    std::string_view path;  ///< "/app.js"
    std::string_view content_type;
    std::string_view bytes;
};

/// What a program serves as its dashboard.
using WebAssets = std::vector<WebAsset>;

/// The files that npm made of a dashboard (web/), as they are built in.
struct WebBundle {
    std::string_view index_html;
    std::string_view app_js;
    std::string_view app_css;
    std::string_view favicon_svg;
    std::string_view pages;  ///< The paths of its pages, one a line, "/" among them.
};

/// The files of a bundle by their paths. Each page has a path of its own, and each is answered with
/// index.html: which one is asked for is the bundle's business.
WebAssets web_assets(const WebBundle& bundle);

/// In place of a dashboard one page that says that there is none.
WebAssets no_web_assets();

}  // namespace footfall::api
