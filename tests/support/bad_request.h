#pragma once

#include "test_support/running_server.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall::test_support {

/// A request and what is to come of it. `detail`: words of it that a reader needs.
struct Bad {
    http_server::Method method = http_server::Method::get;
    std::string target;
    std::string body;
    int status = 400;
    std::string type = "invalid-input";
    std::string field;
    std::string detail;
};

/// That each is refused as it says, and changes nothing of what `all_there_is()` answers.
template <class AllThereIs>
void expect_refused(Api& api, const std::vector<Bad>& all, const AllThereIs& all_there_is) {
    const std::string before = all_there_is();
    for (const Bad& each : all) {
        SCOPED_TRACE(each.target.substr(0, 200) + " " + each.body.substr(0, 200));
        const http_server::ClientResponse answer = api.send(each.method, each.target, each.body);
        expect_problem(answer, each.status, each.type, each.field);
        EXPECT_THAT(answer.body, testing::HasSubstr(each.detail));
        EXPECT_EQ(all_there_is(), before);
    }
}

}  // namespace footfall::test_support
