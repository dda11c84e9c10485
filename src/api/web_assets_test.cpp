#include "api/web_assets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace footfall::api {
namespace {

using testing::UnorderedElementsAre;

std::vector<std::string_view> paths_of(const WebAssets& assets, std::string_view content_type) {
    std::vector<std::string_view> paths;
    for (const WebAsset& asset : assets) {
        if (asset.content_type == content_type) {
            paths.push_back(asset.path);
        }
    }
    return paths;
}

TEST(WebAssets, every_page_of_a_bundle_is_answered_with_its_index) {
    const WebAssets assets = web_assets(
        {.index_html = "html",
         .app_js = "js",
         .app_css = "css",
         .favicon_svg = "svg",
         .pages = "/\n/views\n/tally\n"}
    );
    EXPECT_THAT(
        paths_of(assets, "text/html; charset=utf-8"), UnorderedElementsAre("/", "/views", "/tally")
    );
    EXPECT_TRUE(std::ranges::all_of(assets, [](const WebAsset& asset) {
        return (asset.bytes == "html") == asset.content_type.starts_with("text/html");
    }));
    EXPECT_EQ(assets.size(), 6U);
}

TEST(WebAssets, a_program_without_a_dashboard_says_so) {
    const WebAssets assets = no_web_assets();
    ASSERT_EQ(assets.size(), 1U);
    EXPECT_EQ(assets[0].path, "/");
    EXPECT_THAT(std::string{assets[0].bytes}, testing::HasSubstr("FOOTFALL_WEB=OFF"));
}

}  // namespace
}  // namespace footfall::api
