// `footfall export` and `import-tables` take identities along: facts, and the profiles that follow.
#include "identities_server.h"
#include "test_support/run_command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using namespace test_support;

std::string output_of(const std::vector<std::string>& words) {
    const CommandResult done = run_footfall(words);
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    return done.output;
}

class IdentitiesMoved : public IdentitiesServer {
protected:
    static std::string rows_in(const std::string& data) {
        std::string rows;
        for (const char* table :
             {"identity_fact",
              "fact_anchor",
              "profile",
              "profile_index",
              "sid_anchor",
              "identity_contested"}) {
            rows += output_of({"table", table, "--data", data, "--limit", "10000"});
        }
        return rows;
    }
};

TEST_F(IdentitiesMoved, to_another_store_are_the_same_and_go_on) {
    std::string lines;
    for (int person = 0; person < 200; ++person) {
        lines += fmt::format(
            "{{\"ids\":{},\"source\":\"crm\"}}\n",
            ids_json({fmt::format("www:w{}", person), fmt::format("shop:c{}", person / 2)})
        );
    }
    match_lines(lines);
    const std::string one = sid("www:w6");
    ASSERT_THAT(ids_of(one), SizeIs(3));
    ASSERT_EQ(detach(one, fmt::format(R"({{"ids":{}}})", ids_json({"www:w7"}))).status, 200);
    const std::string two = sid("www:w7");
    ASSERT_EQ(server_.stop(), 0);
    const std::string data = directory_ / "data";
    const std::string moved = directory_ / "moved";
    output_of({"export", directory_ / "export", "--data", data});
    EXPECT_THAT(
        output_of({"import-tables", directory_ / "export", "--data", moved}),
        HasSubstr("the store holds what the export says")
    );
    const std::string rows = rows_in(data);
    EXPECT_THAT(rows, HasSubstr("w199"));
    EXPECT_EQ(rows_in(moved), rows);

    server_ = FootfallProcess{moved};
    api_ = Api{server_};
    EXPECT_EQ(sid("www:w6"), one);
    EXPECT_EQ(sid("www:w7"), two);
    EXPECT_THAT(said_of(one), SizeIs(3)) << "two links, and what parted one of them";
    const auto again = match({"www:w7", "shop:c3"}, R"(,"source":"crm")");
    EXPECT_THAT(again.at("contested").as_array(), SizeIs(1)) << "what was parted stays parted";
    const auto joined = match({"www:w8", "www:w10"});
    EXPECT_THAT(ids_of(std::string{joined.at("sid").as_string()}), SizeIs(6));
}

}  // namespace
}  // namespace footfall
