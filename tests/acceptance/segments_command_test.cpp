// Segments from a shell: `footfall segments`, and `footfall verify segments`.
#include "foundation_testing/temporary_directory.h"
#include "segments_server.h"
#include "test_support/run_command.h"
#include "test_support/tested_store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace test_support;

class SegmentsCommand : public SegmentsServer {
protected:
    CommandResult segments(std::vector<std::string> words, std::string input = {}) {
        words.insert(words.begin(), "segments");
        words.insert(words.end(), {"--server", server_.url()});
        return run_footfall(std::move(words), std::move(input));
    }

    CommandResult verify_segments() {
        std::vector<std::string> words{"verify", "segments"};
        for (std::string& each : place_words(directory_ / "data")) {
            words.push_back(std::move(each));
        }
        return run_footfall(std::move(words));
    }
};

TEST_F(SegmentsCommand, puts_ids_in_and_takes_them_out) {
    const std::string file = directory_ / "members.ndjson";
    std::ofstream{file} << member_lines({"www:w1", "shop:c1"}) << "\nno JSON\n"
                        << member_line("www:w2", R"(,"ttl":86400)");
    const CommandResult added = segments({"add", "spring", file, "-"}, member_lines({"www:w3"}));
    EXPECT_EQ(added.exit_code, 0) << added.errors;
    EXPECT_EQ(added.output, "added 4 rejected 1\n");
    EXPECT_THAT(added.errors, AllOf(HasSubstr("members.ndjson"), HasSubstr("4: rejected")));
    const CommandResult listed = segments({"members", "spring"});
    EXPECT_EQ(listed.exit_code, 0) << listed.errors;
    EXPECT_THAT(listed.output, HasSubstr(member_line("shop:c1")));
    EXPECT_THAT(listed.output, HasSubstr(R"("id_value":"w2","ttl":86)"));
    EXPECT_EQ(segments({"add", "copy"}, listed.output).output, "added 4 rejected 0\n");
    const CommandResult removed =
        segments({"remove", "spring", "--json"}, member_lines({"www:w1", "www:w9"}));
    EXPECT_EQ(removed.exit_code, 0) << removed.errors;
    EXPECT_EQ(removed.output, "{\"removed\":2,\"rejected\":0}\n");
    expect_size("spring", 3);
    expect_size("copy", 4);
}

TEST_F(SegmentsCommand, reports_what_was_counted) {
    add("spring", member_lines({"www:w1", "shop:c1", "www:w2"}));
    add("bought", member_lines({"shop:c1", "shop:c9"}));
    expect_size("spring", 3);
    expect_size("bought", 2);
    EXPECT_EQ(segments({"report", "growth", "spring", "bought", "--at", "06:30"}).exit_code, 0);
    EXPECT_EQ(segments({"reports"}).output, "growth\t06:30\t[\"spring\",\"bought\"]\n");
    EXPECT_EQ(segments({"report", "growth"}).exit_code, 2) << "nothing was counted yet";
    EXPECT_THAT(
        segments({"report", "growth", "--now"}).output,
        HasSubstr("spring\t3\nbought\t2\nspring\tbought\t1\n")
    );
    add("spring", member_lines({"www:w3"}));
    expect_size("spring", 4);
    EXPECT_EQ(
        segments({"report", "growth", "--csv"}).output,
        "first,second,first_people,second_people,count,exact,error,low,high\r\nspring,bought,3,2,1,"
        "true,0,1,1\r\n"
    ) << "as it was";
    EXPECT_EQ(segments({"report", "growth", "--remove"}).exit_code, 0);
    EXPECT_EQ(segments({"reports"}).output, "");
}

TEST_F(SegmentsCommand, says_who_is_sent_the_changes) {
    add("spring", member_lines({"www:w1"}));
    const std::string url = "https://receiver.invalid/hook";
    const CommandResult made =
        segments({"webhooks", "add", "crm", "--segment", "spring", "--url", url, "--network", "www"}
        );
    EXPECT_EQ(made.exit_code, 0) << made.errors;
    EXPECT_TRUE(made.output.starts_with("whsec_")) << made.output;
    EXPECT_THAT(made.errors, HasSubstr("it cannot be shown again"));
    const CommandResult again =
        segments({"webhooks", "add", "crm", "--segment", "spring", "--url", url, "--network", "www"}
        );
    EXPECT_EQ(again.output, "");
    EXPECT_THAT(again.errors, HasSubstr("crm was there, keeps its secret"));
    std::string listed;
    ASSERT_TRUE(eventually([&] {
        listed = segments({"webhooks", "list"}).output;
        return listed.starts_with("crm\tfailing\tspring\twww\t0\t" + url + "\t");
    })) << listed;
    EXPECT_THAT(segments({"webhooks", "list", "--json"}).output, HasSubstr(R"("failures":)"));
    EXPECT_EQ(segments({"webhooks", "resume", "crm"}).output, "resumed crm\n");
    EXPECT_EQ(segments({"webhooks", "remove", "crm"}).output, "removed crm\n");
    EXPECT_EQ(segments({"webhooks", "list"}).output, "");
    const CommandResult unknown = segments({"webhooks", "resume", "crm"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.errors, HasSubstr("there is no webhook"));
    const CommandResult refused = segments(
        {"webhooks", "add", "crm", "--segment", "spring", "--url", "https://169.254.169.254/"}
    );
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.output, "");
}

TEST_F(SegmentsCommand, tells_how_many_people_they_are) {
    add("spring", member_lines({"www:w1", "shop:c1", "www:w2"}));
    add("bought", member_lines({"shop:c1", "shop:c9"}));
    match({"www:w1", "shop:c1"});
    expect_size("spring", 2);
    expect_size("bought", 2);
    EXPECT_EQ(segments({"list"}).output, "bought\t2\nspring\t2\n");
    EXPECT_EQ(segments({"list", "--prefix", "sp"}).output, "spring\t2\n");
    EXPECT_THAT(segments({"list", "--json"}).output, HasSubstr(R"({"name":"bought","people":2,)"));
    EXPECT_EQ(segments({"count", "--all", "spring", "--none", "bought"}).output, "1\n");
    EXPECT_EQ(segments({"count", "--any", "spring", "bought"}).output, "3\n");
    EXPECT_THAT(
        segments({"count", "--all", "spring", "--json"}).output, HasSubstr(R"({"people":2,)")
    );
    EXPECT_EQ(segments({"overlap", "spring", "bought"}).output, "spring\tbought\t1\n");
    EXPECT_EQ(
        segments({"overlap", "spring", "bought", "--csv"}).output,
        "first,second,first_people,second_people,count,exact,error,low,high\r\n"
        "spring,bought,2,2,1,true,0,1,1\r\n"
    );
    EXPECT_THAT(
        segments({"overlap", "spring", "bought", "--json"}).output,
        HasSubstr(R"({"sizes":{"spring":2,"bought":2},)")
    );
    const CommandResult unknown = segments({"overlap", "spring", "nobody"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.errors, HasSubstr("nobody"));
    EXPECT_THAT(unknown.output, IsEmpty());
}

TEST(SegmentsCommandLine, says_what_is_wrong_with_it) {
    const std::vector<std::vector<std::string>> wrong{
        {},
        {"add"},
        {"add", ""},
        {"add", "spring", "--ttl", "60"},
        {"members", ""},
        {"overlap"},
        {"overlap", "spring", "bought", "--csv", "--json"},
        {"count", "--none", "spring"}
    };
    for (std::vector<std::string> words : wrong) {
        words.insert(words.begin(), "segments");
        const CommandResult done = run_footfall(words);
        SCOPED_TRACE(fmt::format("{}", fmt::join(words, " ")));
        EXPECT_EQ(done.exit_code, 2) << done.errors;
        EXPECT_THAT(done.errors, testing::Not(IsEmpty()));
        EXPECT_THAT(done.output, IsEmpty());
    }
    const CommandResult nowhere =
        run_footfall({"segments", "list", "--server", "http://127.0.0.1:1"});
    EXPECT_EQ(nowhere.exit_code, 1);
    EXPECT_THAT(nowhere.errors, HasSubstr("footfall serve"));
}

TEST_F(SegmentsCommand, are_verified) {
    add("spring", member_lines({"www:w1", "shop:c1", "www:w2"}));
    match({"www:w1", "shop:c1"});
    expect_size("spring", 2);
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult verified = verify_segments();
    EXPECT_EQ(verified.exit_code, 0) << verified.output << verified.errors;
    EXPECT_THAT(verified.output, HasSubstr("0 differences"));
}

TEST(SegmentsTopicSetting, is_refused_where_there_is_no_kafka) {
    const TemporaryDirectory directory;
    const CommandResult refused = run_footfall(
        {"serve", "--data", directory / "data", "--listen", "127.0.0.1:0", "--segments-topic", "on"}
    );
    EXPECT_NE(refused.exit_code, 0);
    EXPECT_THAT(refused.errors, HasSubstr("changes go to a topic of Kafka"));
}

}  // namespace
}  // namespace footfall
