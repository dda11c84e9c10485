#pragma once

#include "foundation_testing/temporary_directory.h"
#include "test_support/api.h"
#include "test_support/footfall_process.h"
#include "test_support/must.h"

#include <boost/json/object.hpp>
#include <gtest/gtest.h>

#include <string>

namespace footfall::test_support {

/// A fixture: a server of its own, on an empty data directory.
class RunningServer : public testing::Test {
protected:
    TemporaryDirectory directory_;
    FootfallProcess server_{directory_ / "data"};
    Api api_{server_};
};

/// An answer that is a problem (RFC 9457): its status also stands in the body, with type, title,
/// detail and, where `field` is not empty, the field at fault.
inline void expect_problem(
    const http_server::ClientResponse& response,
    int status,
    const std::string& type,
    const std::string& field
) {
    EXPECT_EQ(response.status, status) << response.body;
    EXPECT_EQ(response.content_type, "application/problem+json") << response.body;
    const boost::json::object problem = parse_object(response.body);
    const auto text = [&](const char* name) {
        const boost::json::value* value = problem.if_contains(name);
        return value != nullptr && value->is_string() ? std::string{value->as_string()} : "absent";
    };
    EXPECT_EQ(text("type"), "/problems/" + type) << response.body;
    EXPECT_EQ(text("field"), field.empty() ? "absent" : field) << response.body;
    for (const char* name : {"title", "detail"}) {
        EXPECT_NE(text(name), "absent") << name << ": " << response.body;
        EXPECT_NE(text(name), "") << name << ": " << response.body;
    }
    ASSERT_TRUE(problem.contains("status")) << response.body;
    EXPECT_EQ(problem.at("status").to_number<int>(), status) << response.body;
}

}  // namespace footfall::test_support
