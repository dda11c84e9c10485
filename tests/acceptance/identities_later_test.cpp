// Where more hangs together than is looked at before an answer, profiles follow behind it.
#include "identities_server.h"
#include "test_support/eventually.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall {
namespace {

using testing::SizeIs;
using namespace test_support;

class IdentitiesLater : public IdentitiesServer {
protected:
    /// Each of so many ids is said to be one person with each other one.
    static std::string each_with_each(int ids) {
        std::string lines;
        for (int one = 0; one < ids; ++one) {
            for (int other = 0; other < one; ++other) {
                lines += fmt::format(
                    "{{\"ids\":{}}}\n",
                    ids_json({fmt::format("www:w{}", one), fmt::format("www:w{}", other)})
                );
            }
        }
        return lines;
    }

    bool is_quiet() {
        return api_.metric("footfall_identities_settling") == 0 && !sid("www:w0").empty() &&
               !is_provisional("www:w0");
    }

    const std::vector<std::string> few_{"--identities-replay", "100"};
};

TEST_F(IdentitiesLater, profiles_follow_behind_the_answers) {
    restart(few_);
    const auto answers = match_lines(each_with_each(20));
    ASSERT_THAT(answers, SizeIs(190));
    EXPECT_TRUE(eventually([&] { return is_quiet(); }));
    const std::string all = sid("www:w0");
    EXPECT_THAT(ids_of(all), SizeIs(20));
    EXPECT_GT(api_.metric("footfall_identities_settled_later_total"), 0U);

    const auto answer = match({"www:w7", "shop:new"});
    EXPECT_TRUE(answer.at("provisional").as_bool());
    EXPECT_EQ(answer.at("sid").as_string(), all) << "as it is until then";
    EXPECT_FALSE(match({"www:other", "shop:other"}).at("provisional").as_bool());
    EXPECT_TRUE(eventually([&] { return sid("shop:new") == all && is_quiet(); }));
    EXPECT_THAT(ids_of(all), SizeIs(21));
    EXPECT_FALSE(api_.get_json("/api/v1/profiles/" + all).at("provisional").as_bool());
    EXPECT_FALSE(api_.get_json("/api/v1/identities/contested").at("settling").as_bool());
    EXPECT_EQ(api_.metric("footfall_identities_too_large"), 0U);
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult verified = verify();
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
}

TEST_F(IdentitiesLater, whoever_is_killed_goes_on_after_the_next_start) {
    restart(few_);
    match_lines(each_with_each(20));
    for (int round = 0; round < 5; ++round) {
        const std::string shop = fmt::format("shop:c{}", round);
        match({fmt::format("www:w{}", round), shop});
        server_.kill();
        server_.restart(few_);
        api_ = Api{server_};
        EXPECT_TRUE(eventually([&] { return sid(shop) == sid("www:w0"); }));
    }
    EXPECT_TRUE(eventually([&] { return is_quiet(); }));
    EXPECT_THAT(ids_of(sid("www:w0")), SizeIs(25));
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult verified = verify();
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
}

}  // namespace
}  // namespace footfall
