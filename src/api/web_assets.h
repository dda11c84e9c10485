#pragma once

#include <span>
#include <string_view>

namespace footfall::api {

/// A file of the dashboard, built into the program.
struct WebAsset {
    std::string_view path;  ///< "/app.js"
    std::string_view content_type;
    std::string_view bytes;
};

/// The dashboard's files; without a dashboard in the build, one page that says so.
std::span<const WebAsset> web_assets();

}  // namespace footfall::api
