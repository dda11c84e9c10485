#pragma once

#include "api/front_door.h"
#include "api/web_assets.h"

#include <string>
#include <utility>
#include <vector>

namespace footfall::api {

/// The dashboard at "/": its files with an ETag, and headers that let it load nothing from
/// elsewhere.
void add_web_routes(FrontDoor& door, const WebAssets& assets);

/// Answers a file that was built in, with its ETag and these headers besides; 304 to who has it.
http_server::Handler serve_asset(
    const WebAsset& asset, std::vector<std::pair<std::string, std::string>> headers
);

}  // namespace footfall::api
