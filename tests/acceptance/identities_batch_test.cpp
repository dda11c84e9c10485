// Many matches in one request, a line each: an answer a line, and the same profiles as one by one.
#include "http_server/client.h"
#include "identities_server.h"
#include "test_support/run_command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using namespace test_support;

class IdentitiesBatch : public IdentitiesServer {
protected:
    static std::string line(const std::vector<std::string>& ids, const std::string& fields = {}) {
        return fmt::format("{{\"ids\":{}{}}}\n", ids_json(ids), fields);
    }

    static std::string sid_in(const boost::json::object& answer) {
        return std::string{answer.at("sid").as_string()};
    }
};

TEST_F(IdentitiesBatch, answers_each_line_in_its_order) {
    const std::string known = sid_in(match({"www:w0", "shop:c0"}));
    const auto answers = match_lines(
        line({"www:w1", "shop:c1"}) + "\n" + line({"www:w2"}) + line({"www:w2", "shop:c0"}) +
        line({"www:w1", "crm:p1"}, R"(,"source":"crm","time":"2026-11-01T00:00:00Z")")
    );
    ASSERT_THAT(answers, SizeIs(4)) << "a blank line is passed over";
    EXPECT_EQ(sid_in(answers[0]), sid("www:w1"));
    EXPECT_TRUE(answers[0].at("created").as_bool());
    EXPECT_EQ(sid_in(answers[1]), known) << "as it is when all lines are taken";
    EXPECT_TRUE(answers[1].at("created").as_bool());
    EXPECT_EQ(sid_in(answers[2]), known);
    EXPECT_FALSE(answers[2].at("created").as_bool());
    EXPECT_EQ(sid_in(answers[3]), sid("shop:c1"));
    EXPECT_FALSE(answers[3].at("created").as_bool()) << "a line before it names one of its ids";
    EXPECT_THAT(ids_of(known), ElementsAre("shop:c0", "www:w0", "www:w2"));
    EXPECT_THAT(said_of(sid("crm:p1")), testing::Contains(HasSubstr("crm said that crm/id/p1")));
}

TEST_F(IdentitiesBatch, says_what_was_merged_and_what_is_contested) {
    const std::string one = sid_in(match({"www:w1", "shop:c1"}));
    const std::string two = sid_in(match({"www:w2", "shop:c2"}));
    match({"www:w3", "shop:c3"});
    match({"www:w3", "crm:p3"});
    const std::string body = fmt::format(R"({{"ids":{}}})", ids_json({"crm:p3"}));
    ASSERT_EQ(detach(sid("www:w3"), body).status, 200);
    const auto answers = match_lines(line({"www:w1", "www:w2"}) + line({"www:w3", "crm:p3"}));
    ASSERT_THAT(answers, SizeIs(2));
    EXPECT_EQ(sid_in(answers[0]), one);
    const auto& merged = answers[0].at("merged").as_array();
    ASSERT_THAT(merged, SizeIs(2));
    EXPECT_EQ(merged[0].as_string(), std::min(one, two));
    EXPECT_EQ(merged[1].as_string(), std::max(one, two));
    EXPECT_THAT(answers[0].at("contested").as_array(), IsEmpty());
    ASSERT_THAT(answers[1].at("contested").as_array(), SizeIs(1));
    EXPECT_EQ(answers[1].at("contested").at(0).at("guard").as_string(), "parting");
    EXPECT_THAT(answers[1].at("merged").as_array(), IsEmpty());
    EXPECT_NE(sid("www:w3"), sid("crm:p3"));
}

/// More than one turn of lines, in a chain, so that what is one profile comes of many of them.
TEST_F(IdentitiesBatch, is_the_same_when_it_is_sent_again) {
    constexpr std::size_t people = 600;
    constexpr std::size_t links = 4;
    std::string lines;
    for (std::size_t link = 0; link < links; ++link) {
        for (std::size_t person = 0; person < people; ++person) {
            lines += line(
                {fmt::format("n{}:p{}", link, person), fmt::format("n{}:p{}", link + 1, person)},
                R"(,"time":"2026-11-01T00:00:00Z")"
            );
        }
    }
    const auto first = match_lines(lines);
    ASSERT_THAT(first, SizeIs(people * links));
    const auto again = match_lines(lines);
    ASSERT_THAT(again, SizeIs(people * links));
    std::size_t created = 0;
    for (std::size_t at = 0; at < first.size(); ++at) {
        EXPECT_EQ(sid_in(first[at]), sid_in(first[at % people]));
        EXPECT_EQ(sid_in(again[at]), sid_in(first[at]));
        EXPECT_FALSE(again[at].at("created").as_bool());
        created += first[at].at("created").as_bool() ? 1 : 0;
    }
    EXPECT_EQ(created, people);
    EXPECT_THAT(ids_of(sid("n0:p7")), SizeIs(links + 1));
    EXPECT_THAT(said_of(sid("n0:p7")), SizeIs(links)) << "one fact for a statement";
}

TEST_F(IdentitiesBatch, is_told_of_ids_that_are_shared) {
    std::string lines;
    for (int person = 0; person < 70; ++person) {
        lines += line({"kiosk:k", fmt::format("www:w{}", person)});
    }
    const auto answers = match_lines(lines);
    ASSERT_THAT(answers, SizeIs(70));
    EXPECT_EQ(sid_in(answers[7]), sid("www:w7")) << "of the id that is somebody's own";
    ASSERT_THAT(answers[7].at("contested").as_array(), SizeIs(1));
    EXPECT_EQ(answers[7].at("contested").at(0).at("guard").as_string(), "shared");
}

TEST_F(IdentitiesBatch, may_be_packed) {
    const std::string plain = line({"www:w1", "shop:c1"}) + line({"www:w2", "shop:c2"});
    const CommandResult packed = run_command({.words = {"gzip", "-c"}, .input = plain});
    http_server::Client client = server_.client();
    const auto answer = must(client.send(
        Method::post,
        "/api/v1/identities/match",
        packed.output,
        {{"Content-Type", "application/x-ndjson; charset=utf-8"}, {"Content-Encoding", "gzip"}}
    ));
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(sid("www:w2"), sid("shop:c2"));
    EXPECT_NE(sid("www:w2"), "");
}

}  // namespace
}  // namespace footfall
