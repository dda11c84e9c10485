// `footfall table`: rows of any table as those who run a server look at them, on every store.
#include "test_support/run_command.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace test_support;

/// A server that has counted two tokens of `page`, and is stopped.
class TableCommand : public RunningServer {
protected:
    void SetUp() override {
        put("t1");
        put(std::string{"\x00\x01", 2});
    }

    void put(const std::string& token) {
        http_server::Client client = server_.client();
        EXPECT_EQ(must(client.send(Method::put, "/api/v1/counter/page", token, {})).status, 200);
    }

    /// `footfall table WORDS...` of the store of this test.
    CommandResult table(std::vector<std::string> words) {
        words.insert(words.begin(), "table");
        for (const std::string& word : place_words(directory_ / "data")) {
            words.push_back(word);
        }
        return run_footfall(std::move(words));
    }
};

TEST_F(TableCommand, finds_the_rows_of_an_object_and_shows_them_decoded) {
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult shown = table({"token", "--where", "counter=default", "object=page"});
    EXPECT_EQ(shown.exit_code, 0) << shown.errors;
    EXPECT_THAT(shown.output, HasSubstr("object   page\n"));
    EXPECT_THAT(shown.output, HasSubstr("token    t1\nexpires  null\n"));
    EXPECT_THAT(shown.output, HasSubstr("token    0x0001\n"));
    // What is printed can be asked for.
    const CommandResult one = table(
        {"token",
         "--json",
         "--where",
         "counter=default",
         "object=page",
         "level=0",
         "bucket=0",
         "span=9223372036854775807",
         "token=0x0001"}
    );
    EXPECT_EQ(
        one.output,
        R"({"counter":"default","object":"page","level":0,"bucket":0,"span":9223372036854775807,)"
        R"("token":"0x0001","expires":null})"
        "\n"
    );
    EXPECT_THAT(one.errors, IsEmpty());
}

TEST_F(TableCommand, says_what_it_left_out) {
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult limited = table({"token", "--limit", "1"});
    EXPECT_EQ(limited.exit_code, 0);
    EXPECT_THAT(limited.errors, HasSubstr("there may be more than these 1 rows: --limit"));
    const CommandResult bounded = table({"token", "--looks", "1", "--where", "object=nobody"});
    EXPECT_EQ(bounded.exit_code, 0);
    EXPECT_THAT(bounded.output, IsEmpty());
    EXPECT_THAT(
        bounded.errors,
        HasSubstr("looked at 1 rows of token and stopped: --looks looks at more, and with --where "
                  "for counter, level, bucket, span too none is looked at in vain")
    );
    const CommandResult none = table({"counter", "--where", "name=none"});
    EXPECT_EQ(none.exit_code, 0);
    EXPECT_THAT(none.errors, HasSubstr("no row of counter is so"));
}

TEST_F(TableCommand, keeps_the_secret) {
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult shown = table({"deployment", "--where", "name=hash_secret"});
    EXPECT_EQ(shown.output, "name   hash_secret\nvalue  \"16 bytes that are kept secret\"\n");
}

TEST_F(TableCommand, each_table_can_be_shown) {
    ASSERT_EQ(server_.stop(), 0);
    const CommandResult list = run_footfall({"table"});
    ASSERT_EQ(list.exit_code, 0) << list.errors;
    std::size_t tables = 0;
    for (std::size_t at = 0; at < list.output.size(); at = list.output.find('\n', at) + 1) {
        const std::string name = list.output.substr(at, list.output.find('\n', at) - at);
        if (name.starts_with(' ') || name == "write_time") {
            continue;
        }
        ++tables;
        EXPECT_EQ(table({name, "--limit", "3"}).exit_code, 0) << name;
    }
    EXPECT_GT(tables, 15U);
}

TEST_F(TableCommand, a_directory_that_is_in_use_is_refused) {
    const CommandResult refused = table({"token"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.errors, HasSubstr("is in use by another footfall process"));
}

TEST_F(TableCommand, a_directory_has_no_table_of_clusters) {
    // Where this program has no clusters it has no such table either.
    const CommandResult refused = table({"write_time"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.errors, HasSubstr("write_time"));
}

TEST(TableCommandWords, say_what_is_wrong_before_anything_is_opened) {
    const auto says = [](std::vector<std::string> words, const std::string& why) {
        words.insert(words.begin(), "table");
        const CommandResult refused = run_footfall(words);
        EXPECT_EQ(refused.exit_code, 2) << why;
        EXPECT_THAT(refused.errors, HasSubstr(why));
        EXPECT_THAT(refused.output, IsEmpty()) << why;
    };
    says(
        {"view_dya"},
        "there is no table 'view_dya', did you mean 'view_day'?; there are deployment,"
    );
    says({"token", "--where", "objct=a"}, "no column 'objct', did you mean 'object'?");
    says({"token", "--where", "level=high"}, "column level takes a whole number, not 'high'");
    says({"token", "--where", "object"}, "--where takes COLUMN=VALUE, not 'object'");
    says({"token", "--limit", "0"}, "--limit");
    says({"--where", "object=a"}, "--where needs the name of a table");
}

TEST(TableCommandWords, none_list_all_tables_with_their_purpose) {
    const CommandResult list = run_footfall({"table"});
    EXPECT_EQ(list.exit_code, 0);
    EXPECT_THAT(
        list.output,
        HasSubstr("view_rank\n    Objects by size class: 0 for 1 to 3 people or views, 1 for 4 to "
                  "15, and so on.\n    (action, sort, size_class, lane | object) -> nothing\n")
    );
    const CommandResult json = run_footfall({"table", "--json"});
    EXPECT_THAT(
        json.output, HasSubstr(R"("partition":["name"],"clustering":[],"values":["ttl_seconds"]})")
    );
    EXPECT_THAT(run_footfall({"table", "--help"}).output, HasSubstr("footfall table view_total"));
}

}  // namespace
}  // namespace footfall
