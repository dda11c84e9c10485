// What is no member, no segment and no question: each is told what is wrong with it, and where; it
// changes nothing, and harms nobody beside it.
#include "segments_server.h"
#include "test_support/bad_request.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstddef>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::SizeIs;
using namespace test_support;

const std::string counting = "/api/v1/segments/count";
const std::string comparing = "/api/v1/segments/overlap";

/// "s0","s1",..
std::string names(std::size_t number) {
    std::string list;
    for (std::size_t at = 0; at < number; ++at) {
        list += fmt::format(R"({}"s{}")", at == 0 ? "" : ",", at);
    }
    return list;
}

class SegmentsInput : public SegmentsServer {
protected:
    void SetUp() override {
        add("spring", member_lines({"www:w1", "www:w2"}));
        add("loyal", member_lines({"www:w2"}));
        expect_size("spring", 2);
        expect_size("loyal", 1);
    }

    /// All members, and all changes.
    std::string all_there_is() {
        std::string all;
        for (const char* const name : {"spring", "loyal"}) {
            all += boost::json::serialize(api_.get_json(segment_path(name, "/members")));
            all += boost::json::serialize(api_.get_json(segment_path(name, "/changes")));
        }
        return all +
               std::to_string(api_.get_json("/api/v1/segments").at("segments").as_array().size());
    }

    void expect_all_refused(const std::vector<Bad>& all) {
        expect_refused(api_, all, [this] { return all_there_is(); });
    }
};

TEST_F(SegmentsInput, refuses_names_that_are_none) {
    const std::string lines = member_lines({"www:w7"});
    std::vector<Bad> all;
    const auto add_all = [&](const std::string& name, int status, const std::string& type) {
        all.push_back(
            {.method = Method::post,
             .target = segment_path(name, "/members"),
             .body = lines,
             .status = status,
             .type = type,
             .field = "segment"}
        );
        all.push_back(all.back());
        all.back().method = Method::del;
        for (const char* const rest : {"", "/members", "/changes", "/members/www/id/w1"}) {
            all.push_back(
                {.target = segment_path(name, rest),
                 .status = status,
                 .type = type,
                 .field = "segment"}
            );
        }
    };
    add_all(std::string(1025, 'a'), 414, "name-too-long");
    add_all("%ff%fe", 400, "invalid-input");
    add_all("%ed%a0%80", 400, "invalid-input");
    add_all("a%00b", 400, "invalid-input");
    add_all("a%0ab", 400, "invalid-input");
    add_all("%zz", 400, "invalid-input");
    all.push_back(
        {.method = Method::post,
         .target = "/api/v1/segments//members",
         .body = lines,
         .field = "segment"}
    );
    all.push_back(
        {.target = "/api/v1/segments/a/b/c", .status = 404, .type = "not-found", .field = "segment"}
    );
    expect_all_refused(all);
}

TEST_F(SegmentsInput, refuses_batches_beyond_the_bounds) {
    const std::string members = segment_path("spring", "/members");
    std::string many;
    for (int line = 0; line <= 100'000; ++line) {
        many += "{}\n";
    }
    const std::vector<Bad> all{
        {.method = Method::post,
         .target = members,
         .body = many,
         .status = 413,
         .type = "too-many-lines",
         .detail = "100000"},
        {.method = Method::del,
         .target = members,
         .body = many,
         .status = 413,
         .type = "too-many-lines"},
        {.method = Method::post, .target = members + "?ttl=60", .body = "{}", .field = "ttl"},
        {.method = Method::post,
         .target = segment_path("spring", "/changes"),
         .body = "{}",
         .status = 405,
         .type = "method-not-allowed"},
        {.method = Method::del,
         .target = segment_path("nobody", "/members"),
         .body = member_lines({"www:w1"}),
         .status = 404,
         .type = "not-found",
         .field = "segment"}
    };
    expect_all_refused(all);
}

/// Few bytes that would be many members.
TEST_F(SegmentsInput, refuses_what_would_be_too_much_unpacked) {
    const CommandResult packed = run_command(
        {.words =
             {"sh",
              "-c",
              R"(yes '{"identifier":"www","id_name":"id","id_value":"w1"}' | head -c 40000000 | gzip -1)"
             }}
    );
    const std::string before = all_there_is();
    http_server::Client client = server_.client();
    const auto answer = must(client.send(
        Method::post,
        segment_path("spring", "/members"),
        packed.output,
        {{"Content-Encoding", "gzip"}}
    ));
    expect_problem(answer, 413, "body-too-large", "Content-Encoding");
    EXPECT_EQ(all_there_is(), before);
}

TEST_F(SegmentsInput, tells_of_each_bad_line_by_its_number) {
    const std::string good = member_line("www:w2");
    const std::vector<std::string> bad{
        "no JSON\n",
        "[]\n",
        "{\"identifier\":\"www\"\n",
        "{}\n",
        member_line("www:w7", R"(,"ttl":-1)"),
        member_line("www:w7", R"(,"ttl":"a day")"),
        member_line("www:w7", R"(,"ttl":1e99)"),
        member_line("www:w7", R"(,"tll":60)"),
        member_line("www:undefined"),
        member_line("www:" + std::string(257, 'a')),
        "{\"identifier\":\"www\",\"id_name\":\"id\",\"id_value\":\"\xff\"}\n",
        std::string{"{\"identifier\":\"w\0w\"}\n", 21},
        "{\"identifier\":\"www\",\"id_name\":\"id\",\"id_value\":[\"w7\"]}\n",
        std::string(2'000'000, '[') + "\n"
    };
    std::string lines;
    for (const std::string& each : bad) {
        lines += good + each;
    }
    const std::string before = all_there_is();
    const auto answer = add("spring", lines + good);
    EXPECT_EQ(answer.at("accepted").to_number<std::size_t>(), bad.size() + 1);
    const auto& rejected = answer.at("rejected").as_array();
    ASSERT_THAT(rejected, SizeIs(bad.size()));
    for (std::size_t at = 0; at < bad.size(); ++at) {
        EXPECT_EQ(rejected[at].at("line").to_number<std::size_t>(), 2 * at + 2);
        EXPECT_EQ(rejected[at].at("type").as_string(), "/problems/invalid-input");
        EXPECT_NE(rejected[at].at("detail").as_string(), "");
    }
    EXPECT_EQ(all_there_is(), before);
}

TEST_F(SegmentsInput, refuses_questions_that_are_none) {
    std::vector<Bad> all;
    const auto bad = [&](const std::string& target,
                         const std::string& body,
                         const std::string& field,
                         const std::string& detail) {
        all.push_back(
            {.method = Method::post,
             .target = target,
             .body = body,
             .field = field,
             .detail = detail}
        );
    };
    for (const std::string& target : {counting, comparing}) {
        bad(target, "", "", "not one JSON object");
        bad(target, "[]", "", "not one JSON object");
        bad(target, R"({"segments":["spring")", "", "not one JSON object");
        bad(target, std::string(1000, '['), "", "not one JSON object");
        bad(target, R"({"segmnts":["spring"]})", "segmnts", "there is no field");
    }
    bad(counting, "{}", "all", "names a segment");
    bad(counting, R"({"none":["spring"]})", "all", "names a segment");
    bad(counting, R"({"all":"spring"})", "all", "a list of names");
    bad(counting, R"({"all":{"spring":1}})", "all", "a list of names");
    bad(counting, R"({"all":[null]})", "all[0]", "a text");
    bad(counting, R"({"all":["spring",7]})", "all[1]", "a text");
    bad(counting, R"({"all":[["spring"]]})", "all[0]", "a text");
    bad(counting, R"({"any":["spring","loyal","spring"]})", "any[2]", "stands before");
    bad(counting, R"({"all":[""]})", "all[0]", "empty");
    bad(counting, R"({"all":["a\u0000b"]})", "all[0]", "control characters");
    bad(counting, R"({"all":[")" + std::string(1025, 'a') + R"("]})", "all[0]", "1024");
    bad(counting, R"({"all":[)" + names(101) + "]}", "all", "more than 100");
    bad(counting, R"({"all":["x"],"any":[)" + names(100) + "]}", "all", "more than 100");
    bad(comparing, "{}", "segments", "names those to compare");
    bad(comparing, R"({"segments":[]})", "segments", "names those to compare");
    bad(comparing, R"({"segments":[)" + names(101) + "]}", "segments", "more than 100");
    bad(comparing, R"({"segments":["spring","spring"]})", "segments[1]", "stands before");
    bad(counting + "?limit=1", R"({"all":["spring"]})", "limit", "no parameter");
    for (const std::string& target : {counting, comparing}) {
        all.push_back(
            {.method = Method::post,
             .target = target,
             .body = target == counting ? R"({"all":["spring"],"none":["nobody"]})"
                                        : R"({"segments":["spring","nobody"]})",
             .status = 404,
             .type = "not-found",
             .detail = "nobody"}
        );
        all.push_back(
            {.method = Method::post,
             .target = target,
             .body = std::string(1 << 20, ' '),
             .status = 413,
             .type = "body-too-large"}
        );
    }
    EXPECT_GE(all.size(), 30);
    expect_all_refused(all);
}

TEST_F(SegmentsInput, refuses_lists_that_are_none) {
    std::vector<Bad> all;
    const auto bad = [&](const std::string& target, const std::string& field) {
        all.push_back({.target = target, .field = field});
    };
    bad("/api/v1/segments?limit=0", "limit");
    bad("/api/v1/segments?limit=1001", "limit");
    bad("/api/v1/segments?limit=-1", "limit");
    bad("/api/v1/segments?prefix=%ff", "prefix");
    bad("/api/v1/segments?prefix=" + std::string(1025, 'a'), "prefix");
    bad("/api/v1/segments?order=size", "order");
    bad(segment_path("spring", "?days=7"), "days");
    bad(segment_path("spring", "/members?limit=10001"), "limit");
    bad(segment_path("spring", "/members?cursor=nonsense"), "cursor");
    bad(segment_path("spring", "/changes?after=-1"), "after");
    bad(segment_path("spring", "/changes?after=99999999999999999999"), "after");
    bad(segment_path("spring", "/changes?network="), "network");
    bad(segment_path("spring", "/changes?cursor=7"), "cursor");
    bad(segment_path("spring", "/members/www/id/"), "id_value");
    bad(segment_path("spring", "/members/www/id/a%00"), "id_value");
    bad(segment_path("spring", "/members/www/" + std::string(257, 'a') + "/w1"), "id_name");
    for (const char* const rest : {"", "/members", "/changes", "/members/www/id/w1"}) {
        all.push_back(
            {.target = segment_path("nobody", rest),
             .status = 404,
             .type = "not-found",
             .field = "segment"}
        );
    }
    all.push_back(
        {.method = Method::del,
         .target = segment_path("nobody"),
         .status = 404,
         .type = "not-found",
         .field = "segment"}
    );
    expect_all_refused(all);
}

}  // namespace
}  // namespace footfall
