// Files that say which ids are one person, put into a server and into a directory.
#include "identities_server.h"
#include "test_support/eventually.h"
#include "test_support/run_command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using namespace test_support;

constexpr const char* register_csv =
    "name,www,shop,crm,when\n"
    "Ann,w1,c1,,2026-01-02\n"
    "Bob,w2,,p2,2026-01-03T10:00:00Z\n"
    "Bob,,c2,p2,2026-01-04\n"
    "Cyd,w3,null,,\n";

constexpr const char* register_map = "www/id=www,shop/id=shop,crm/id=crm,time=when";

class ImportIdentities : public IdentitiesServer {
protected:
    static CommandResult import(
        const std::string& text,
        std::vector<std::string> target,
        std::string map = register_map,
        std::string format = "csv"
    ) {
        std::vector<std::string> words{
            "import", "-", "--as", "identities", "--format", std::move(format), "--map"
        };
        words.push_back(std::move(map));
        words.insert(words.end(), target.begin(), target.end());
        return run_footfall(words, text);
    }

    std::vector<std::string> here() const { return {"--server", server_.url()}; }

    void expect_register() {
        ASSERT_TRUE(eventually([&] { return !sid("www:w3").empty() && !sid("shop:c2").empty(); }));
        EXPECT_THAT(ids_of(sid("www:w1")), ElementsAre("shop:c1", "www:w1"));
        EXPECT_THAT(ids_of(sid("www:w2")), ElementsAre("crm:p2", "shop:c2", "www:w2"));
        EXPECT_THAT(ids_of(sid("www:w3")), ElementsAre("www:w3"));
        EXPECT_EQ(sid("shop:null"), "");
        const auto why = api_.get_json("/api/v1/profiles/" + sid("www:w2") + "/why");
        ASSERT_THAT(why.at("facts").as_array(), SizeIs(2)) << "one fact for a statement";
        EXPECT_EQ(why.at("facts").at(0).at("time").as_string(), "2026-01-03T10:00:00Z");
        EXPECT_EQ(why.at("facts").at(0).at("source").as_string(), "standard input");
    }
};

TEST_F(ImportIdentities, say_what_stands_in_the_file_and_nothing_new_when_it_comes_again) {
    const auto done = import(register_csv, here());
    EXPECT_EQ(done.output, "imported 4 duplicates 0 rejected 0\n") << done.errors;
    expect_register();
    EXPECT_EQ(import(register_csv, here()).last_line(), "imported 0 duplicates 4 rejected 0");
    expect_register();
}

TEST_F(ImportIdentities, go_into_a_directory_with_the_same_words) {
    EXPECT_EQ(server_.stop(), 0);
    for (const char* outcome : {"imported 4 duplicates 0", "imported 0 duplicates 4"}) {
        const auto done = import(register_csv, {"--data", directory_ / "data"});
        EXPECT_THAT(done.output, HasSubstr(outcome)) << done.errors;
    }
    server_.restart();
    api_ = Api{server_};
    expect_register();
    const auto why = api_.get_json("/api/v1/profiles/" + sid("www:w3") + "/why");
    EXPECT_EQ(why.at("facts").at(0).at("time"), why.at("facts").at(0).at("recorded"))
        << "without a time it is said of its import";
}

TEST_F(ImportIdentities, come_as_tsv_and_ndjson_with_a_source_for_all) {
    std::vector<std::string> target = here();
    target.insert(target.end(), {"--set", "source=crm"});
    EXPECT_EQ(import("a\tb\nw1\tc1\n", target, "www/id=a,shop/id=b", "tsv").exit_code, 0);
    EXPECT_EQ(
        import(
            R"({"a":"w2","b":"c2"})"
            "\n"
            R"({"a":"w2"})"
            "\n",
            target,
            "www/id=a,shop/id=b",
            "ndjson"
        )
            .last_line(),
        "imported 2 duplicates 0 rejected 0"
    );
    ASSERT_TRUE(eventually([&] { return !sid("shop:c1").empty() && !sid("shop:c2").empty(); }));
    EXPECT_THAT(said_of(sid("www:w1")), ElementsAre(HasSubstr("crm said that shop/id/c1")));
    EXPECT_EQ(sid("www:w2"), sid("shop:c2"));
}

TEST_F(ImportIdentities, that_are_wrong_are_named_by_line_and_field) {
    const auto wrong = import(
        "name,www,shop,crm,when\n"
        "nobody,,undefined,,\n"
        "future,w1,,,2999-01-01\n"
        "when,w1,,,yesterday\n"
        "bytes,w\xff,,,\n"
        "long," +
            std::string(257, 'w') +
            ",,,\n"
            "control,w\x01,,,\n"
            "good,w1,c1,,\n",
        here()
    );
    EXPECT_EQ(wrong.exit_code, 0);
    EXPECT_EQ(wrong.last_line(), "imported 1 duplicates 0 rejected 6");
    for (const std::string words :
         {":2: rejected: it has no id",
          ":3: rejected: time is still to come",
          ":4: rejected: time must be",
          ":5: rejected: www/id: an id is UTF-8",
          ":6: rejected: www/id: an id is a text of 1 to 256 bytes",
          ":7: rejected: www/id: an id is UTF-8 without control"}) {
        EXPECT_THAT(wrong.errors, HasSubstr(words));
    }
}

TEST_F(ImportIdentities, of_a_map_that_is_wrong_is_wrong_use) {
    std::string many = "i0/n=www";
    for (int at = 1; at < 33; ++at) {
        many += fmt::format(",i{}/n=www", at);
    }
    const std::vector<std::pair<std::string, std::string>> maps{
        {"", "--map NETWORK/NAME=COLUMN"},
        {"time=when", "need 1 to 32 ids"},
        {many, "need 1 to 32 ids"},
        {"www=www", "no field www; they have time, source, NETWORK/NAME"},
        {"www/=www", "no field www/"},
        {"/id=www", "no field /id"},
        {"www/id=www,www/id=shop", "www/id is given twice"},
        {"www/id=nowhere", "--map www/id=nowhere: there is no column nowhere"},
        {"www/" + std::string(257, 'n') + "=www", "the name is a text of 1 to 256 bytes"}
    };
    for (const auto& [map, words] : maps) {
        const auto done = import(register_csv, here(), map);
        EXPECT_EQ(done.exit_code, 2) << map;
        EXPECT_THAT(done.errors, HasSubstr(words));
        EXPECT_THAT(done.output, IsEmpty());
    }
    std::vector<std::string> target = here();
    target.insert(target.end(), {"--set", "www/id=7"});
    EXPECT_THAT(import(register_csv, target, "shop/id=shop").errors, HasSubstr("--map it"));
    target.back() = "time=yesterday";
    EXPECT_THAT(import(register_csv, target, "shop/id=shop").errors, HasSubstr("--set: time must"));
}

}  // namespace
}  // namespace footfall
