// Two servers of one cluster, each of which is told who shares (./test cluster).
#include "test_support/eventually.h"
#include "test_support/running_server.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace footfall {
namespace {

using http_server::Method;
using namespace std::chrono_literals;
using namespace test_support;

class PeopleOfTwo : public RunningServer {
protected:
    FootfallProcess other_{directory_ / "data", {"--instance", "other"}};
    Api other_api_{other_};
};

TEST_F(PeopleOfTwo, know_within_a_second_who_shares) {
    const auto share = [&](const char* reading) {
        const auto body = fmt::format(R"({{"reading":"{}"}})", reading);
        EXPECT_EQ(api_.send(Method::put, "/api/v1/people/u1", body).status, 200);
        return std::chrono::steady_clock::now();
    };
    for (const auto& [reading, sharers] : {std::pair{"shared", 1U}, {"off", 0U}, {"private", 1U}}) {
        const auto said = share(reading);
        EXPECT_EQ(api_.metric("footfall_reading_sharers"), sharers);
        EXPECT_TRUE(eventually([&] {
            return other_api_.metric("footfall_reading_sharers") == sharers;
        }));
        EXPECT_LT(std::chrono::steady_clock::now() - said, 3s) << "a second, on a busy machine";
    }
}

}  // namespace
}  // namespace footfall
