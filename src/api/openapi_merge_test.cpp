#include "api/openapi_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall::api {
namespace {

constexpr std::string_view base =
    R"({"openapi":"3.1.0","tags":[{"name":"live"}],"paths":{"/b":{"get":1},"/a":{}},)"
    R"("components":{"schemas":{"Name":{"type":"string"}}}})";

std::string merged(std::vector<std::string_view> fragments) {
    auto document = merge_openapi(base, fragments);
    return document ? *std::move(document) : document.error().message;
}

TEST(OpenapiMerge, a_base_alone_stays_as_it_is) {
    EXPECT_EQ(merged({}), base);
}

TEST(OpenapiMerge, what_fragments_define_stands_behind_the_base_in_their_order) {
    EXPECT_EQ(
        merged(
            {R"({"tags": [{"name": "views"}], "paths": {"/z": {}, "/c": {}}})",
             R"({"paths": {"/0": {}}, "components": {"schemas": {"Ad": {}}, "parameters": {"day": {}}}})"
            }
        ),
        R"({"openapi":"3.1.0","tags":[{"name":"live"},{"name":"views"}],)"
        R"("paths":{"/b":{"get":1},"/a":{},"/z":{},"/c":{},"/0":{}},)"
        R"("components":{"schemas":{"Name":{"type":"string"},"Ad":{}},"parameters":{"day":{}}}})"
    );
}

TEST(OpenapiMerge, what_two_define_is_named) {
    const std::vector<std::pair<std::string_view, std::string>> cases{
        {R"({"paths":{"/a":{}}})", "fragment 2 defines /a of paths again"},
        {R"({"paths":{"/c":{}}})", "fragment 2 defines /c of paths again"},
        {R"({"components":{"schemas":{"Name":{}}}})",
         "fragment 2 defines Name of components/schemas again"},
        {R"({"components":{"parameters":{"day":{}}}})",
         "fragment 2 defines day of components/parameters again"},
        {R"({"components":{"responses":{"Gone":{}}}})",
         "fragment 2 defines Gone of components/responses again"},
        {R"({"tags":[{"name":"live"}]})", "fragment 2 defines live of tags again"},
        {R"({"info":{}})", "fragment 2 has info, which only the base has"},
    };
    constexpr std::string_view first =
        R"({"paths":{"/c":{}},"components":{"parameters":{"day":{}},"responses":{"Gone":{}}}})";
    for (const auto& [second, said] : cases) {
        EXPECT_EQ(merged({first, second}), said);
    }
}

TEST(OpenapiMerge, the_same_name_in_two_kinds_of_components_is_no_conflict) {
    EXPECT_THAT(
        merged({R"({"components":{"responses":{"Name":{}}}})"}),
        testing::HasSubstr(R"("responses":{"Name":{}})")
    );
}

TEST(OpenapiMerge, a_fragment_that_cannot_be_read_is_refused) {
    for (const std::string_view fragment : {"", "{", R"({"paths":{}} more)"}) {
        EXPECT_THAT(merged({fragment}), testing::StartsWith("fragment 1 is not JSON: "))
            << fragment;
    }
    EXPECT_EQ(merged({"[]"}), "fragment 1 is not a JSON object");
    EXPECT_EQ(merged({R"({"paths":[]})"}), "fragment 1 has paths that are not an object");
    EXPECT_EQ(merged({R"({"tags":{}})"}), "fragment 1 has tags that are not a list");
    EXPECT_EQ(merged({R"({"tags":[{}]})"}), "fragment 1 has a tag without a name");
    EXPECT_EQ(
        merged({R"({"components":{"schemas":[]}})"}),
        "fragment 1 has components/schemas that are not an object"
    );
    EXPECT_EQ(merge_openapi("[]", {}).error().message, "the base is not a JSON object");
}

}  // namespace
}  // namespace footfall::api
