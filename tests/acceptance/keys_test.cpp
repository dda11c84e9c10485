// API keys as those who run a server and those who use it meet them.
#include "test_support/eventually.h"
#include "test_support/raw_connection.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::Client;
using http_server::ClientResponse;
using http_server::Method;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using namespace test_support;

class Keys : public RunningServer {
protected:
    /// A request with a key, or with none where it is empty, on a connection of its own.
    ClientResponse ask(
        Method method,
        const std::string& target,
        const std::string& key,
        const std::string& body = {}
    ) {
        std::vector<std::pair<std::string, std::string>> headers;
        if (!key.empty()) {
            headers.emplace_back("Authorization", "Bearer " + key);
        }
        Client client = server_.client();
        return must(client.send(method, target, body, headers));
    }

    int status(Method method, const std::string& target, const std::string& key) {
        return ask(method, target, key, method == Method::put ? "token" : "").status;
    }

    /// Makes a key by HTTP.
    std::string add(
        const std::string& name, const std::string& scopes, const std::string& by = {}
    ) {
        const auto answer =
            ask(Method::post,
                "/api/v1/keys",
                by,
                fmt::format(R"({{"name":"{}","scopes":[{}]}})", name, scopes));
        EXPECT_EQ(answer.status, 201) << answer.body;
        return std::string{parse_object(answer.body).at("key").as_string()};
    }

    int revoke(const std::string& name, const std::string& by) {
        return ask(Method::del, "/api/v1/keys/" + name, by).status;
    }

    /// `footfall WORDS... --server URL`, with the key in the environment.
    CommandResult footfall(std::vector<std::string> words, const std::string& key = {}) {
        words.insert(words.end(), {"--server", server_.url()});
        Command command = footfall_command(std::move(words));
        command.environment = {{"FOOTFALL_KEY", key}};
        return run_command(command);
    }

    const std::string counter_ = "/api/v1/counter/a";
};

TEST_F(Keys, the_first_closes_the_door_and_revoking_the_last_opens_it) {
    EXPECT_EQ(status(Method::put, counter_, ""), 200);
    const std::string admin = add("ops", R"("admin")");
    const auto refused = ask(Method::put, counter_, "", "token");
    expect_problem(refused, 401, "key-required", "Authorization");
    EXPECT_EQ(status(Method::put, counter_, admin), 200);
    const std::string writer = add("shop", R"("write")", admin);
    EXPECT_EQ(status(Method::put, counter_, writer), 200);
    expect_problem(ask(Method::get, counter_, writer), 403, "scope-missing", "Authorization");
    EXPECT_EQ(revoke("shop", admin), 200);
    expect_problem(ask(Method::put, counter_, writer, "t"), 401, "key-refused", "Authorization");
    EXPECT_EQ(revoke("ops", admin), 200);
    EXPECT_EQ(status(Method::put, counter_, ""), 200);
}

TEST_F(Keys, are_there_after_a_restart) {
    const std::string admin = add("ops", R"("admin")");
    EXPECT_EQ(server_.stop(), 0);
    server_.restart();
    EXPECT_EQ(status(Method::get, counter_, ""), 401);
    EXPECT_EQ(status(Method::get, counter_, admin), 200);
}

TEST_F(Keys, once_answered_outlive_a_kill) {
    const std::string admin = add("ops", R"("admin")");
    for (int round = 0; round < 3; ++round) {
        const std::string name = fmt::format("round-{}", round);
        const std::string key = add(name, R"("read")", admin);
        server_.kill();
        server_.restart();
        EXPECT_EQ(status(Method::get, counter_, key), 200) << "added, and killed";
        EXPECT_EQ(revoke(name, admin), 200);
        server_.kill();
        server_.restart();
        EXPECT_EQ(status(Method::get, counter_, key), 401) << "revoked, and killed";
        EXPECT_EQ(status(Method::get, counter_, admin), 200);
    }
}

TEST_F(Keys, end_what_they_had_begun_when_they_are_revoked) {
    const std::string admin = add("ops", R"("admin")");
    for (const char* path : {"/api/v1/live/counters", "/api/v1/live/views"}) {
        const std::string reader = add("reader", R"("read")", admin);
        RawConnection stream{server_.port()};
        stream.send(fmt::format(
            "GET {} HTTP/1.1\r\nHost: a.example\r\nAuthorization: Bearer {}\r\n"
            "Connection: close\r\n\r\n",
            path,
            reader
        ));
        stream.receive_until([](const std::string& received) {
            return received.contains("event: history");
        });
        EXPECT_EQ(revoke("reader", admin), 200);
        stream.receive_all();
        EXPECT_TRUE(stream.closed_by_peer()) << path;
    }
}

TEST_F(Keys, are_made_listed_and_revoked_on_the_command_line) {
    const CommandResult none = footfall({"keys", "list"});
    EXPECT_EQ(none.exit_code, 0);
    EXPECT_THAT(none.output, IsEmpty());
    EXPECT_THAT(none.errors, HasSubstr("there are no keys"));

    const CommandResult made = footfall({"keys", "add", "ops", "--scope", "admin"});
    ASSERT_EQ(made.exit_code, 0) << made.errors;
    EXPECT_THAT(made.output, StartsWith("ff_"));
    EXPECT_THAT(made.errors, AllOf(HasSubstr("keep this key"), HasSubstr("This is the first key")));
    const std::string admin = made.last_line();

    const CommandResult json = footfall(
        {"keys", "add", "shop", "--scope", "write,read", "--expires", "90d", "--json"}, admin
    );
    ASSERT_EQ(json.exit_code, 0) << json.errors;
    const auto shop = parse_object(json.output);
    EXPECT_EQ(shop.at("scopes").as_array().size(), 2U);
    EXPECT_TRUE(shop.at("expires").is_string());
    EXPECT_TRUE(shop.at("notice").is_null());

    const CommandResult listed = footfall({"keys", "list"}, admin);
    EXPECT_THAT(
        listed.output,
        AllOf(
            HasSubstr("ops"),
            HasSubstr("never expires"),
            HasSubstr("read,write"),
            Not(HasSubstr("ff_"))
        )
    );
    const CommandResult twice = footfall({"keys", "add", "shop", "--scope", "read"}, admin);
    EXPECT_EQ(twice.exit_code, 2);
    EXPECT_THAT(twice.errors, HasSubstr("revoke it first"));
    EXPECT_EQ(footfall({"keys", "revoke", "shop"}, admin).exit_code, 0);
    EXPECT_EQ(footfall({"keys", "revoke", "shop"}, admin).exit_code, 2);
    EXPECT_THAT(
        footfall({"keys", "revoke", "ops", "--json"}, admin).output, HasSubstr(R"("left":0)")
    );
}

TEST_F(Keys, have_scopes_or_a_party_and_not_both) {
    const auto refused = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"keys", "add", "x"});
        const CommandResult said = footfall(std::move(words));
        EXPECT_EQ(said.exit_code, 2) << said.output;
        return said.errors;
    };
    const auto says_what_to_write = HasSubstr("in one way: --scope SCOPES");
    EXPECT_THAT(refused({}), says_what_to_write);
    EXPECT_THAT(refused({"--scope", "read", "--reseller", "r"}), says_what_to_write);
    EXPECT_THAT(refused({"--reseller", "r", "--publisher", "p"}), says_what_to_write);
    EXPECT_THAT(refused({"--scope", "read", "--reseller", ""}), says_what_to_write)
        << "a variable of a shell that is not set";
    EXPECT_THAT(refused({"--publisher", ""}), HasSubstr("publisher is 1 to 256 bytes"));
    EXPECT_THAT(refused({"--reseller", "\xff"}), HasSubstr("reseller is 1 to 256 bytes"));
    EXPECT_EQ(status(Method::get, counter_, ""), 200) << "there is no key";
}

TEST_F(Keys, are_bound_to_a_party_on_the_command_line) {
    const std::string admin = add("ops", R"("admin")");
    const CommandResult made = footfall({"keys", "add", "partner", "--reseller", "r 7"}, admin);
    ASSERT_EQ(made.exit_code, 0) << made.errors;
    const std::string partner = made.last_line();
    const CommandResult json =
        footfall({"keys", "add", "site", "--publisher", "p\"", "--json"}, admin);
    ASSERT_EQ(json.exit_code, 0) << json.errors;
    EXPECT_EQ(parse_object(json.output).at("publisher"), "p\"");
    EXPECT_THAT(
        footfall({"keys", "list"}, admin).output,
        AllOf(HasSubstr("partner               reseller \"r 7\""), HasSubstr(R"(publisher "p\"")"))
    );
    EXPECT_THAT(
        footfall({"keys", "list", "--json"}, admin).output,
        HasSubstr(R"("name":"partner","scopes":[],"reseller":"r 7")")
    );

    expect_problem(ask(Method::get, counter_, partner), 403, "key-bound", "Authorization");
    expect_problem(ask(Method::get, "/metrics", partner), 403, "key-bound", "Authorization");
    expect_problem(
        ask(Method::post, "/api/v1/session", "", R"({"key":")" + partner + R"("})"),
        403,
        "key-bound",
        "key"
    );
    EXPECT_EQ(
        ask(Method::get, "/api/v1/session", partner).body,
        "{\"name\":\"partner\",\"scopes\":[],\"reseller\":\"r 7\"}\n"
    );
}

TEST_F(Keys, are_changed_in_the_directory_while_no_server_runs) {
    const std::string data = directory_ / "data";
    EXPECT_EQ(server_.stop(), 0);
    const auto in_data = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "keys");
        words.insert(words.end(), {"--data", data});
        return run_footfall(std::move(words));
    };
    const CommandResult made = in_data({"add", "ops", "--scope", "read"});
    ASSERT_EQ(made.exit_code, 0) << made.errors;
    EXPECT_THAT(made.errors, HasSubstr("No key has the scope admin yet"));
    EXPECT_THAT(in_data({"list"}).output, StartsWith("ops "));
    const CommandResult bound = in_data({"add", "partner", "--publisher", "p"});
    ASSERT_EQ(bound.exit_code, 0) << bound.errors;
    server_.restart();
    EXPECT_EQ(status(Method::get, counter_, ""), 401);
    EXPECT_EQ(status(Method::get, counter_, made.last_line()), 200);
    EXPECT_EQ(status(Method::get, counter_, bound.last_line()), 403);
    const CommandResult in_use = in_data({"list"});
    EXPECT_EQ(in_use.exit_code, 1);
    EXPECT_THAT(in_use.errors, HasSubstr("in use"));
}

TEST_F(Keys, open_the_door_to_every_verb_that_talks_to_a_server) {
    const std::string admin = add("ops", R"("admin")");
    const std::string reader = add("reader", R"("read")", admin);
    const std::string file = directory_.write("a.csv", "o,t\na,1\na,2\n");
    const std::vector<std::string> import{
        "import", file, "--as", "tokens", "--format", "csv", "--map", "object=o,token=t"
    };
    const std::vector<std::string> bench{
        "bench", "counter", "--duration", "0.2", "--warm-up", "0", "--objects", "10"
    };
    for (const auto& words : {std::vector<std::string>{"count", "a"}, import, bench}) {
        const CommandResult refused = footfall(words);
        EXPECT_EQ(refused.exit_code, 1) << words.front();
        EXPECT_THAT(refused.errors, AllOf(HasSubstr("401"), HasSubstr("FOOTFALL_KEY")));
    }
    for (const auto& words : {import, bench}) {
        const CommandResult refused = footfall(words, reader);
        EXPECT_EQ(refused.exit_code, 1) << words.front();
        EXPECT_THAT(refused.errors, AllOf(HasSubstr("403"), HasSubstr("the scope write")));
    }
    EXPECT_EQ(footfall(import, admin).last_line(), "imported 2 duplicates 0 rejected 0");
    EXPECT_EQ(footfall(bench, admin).exit_code, 0);
    EXPECT_EQ(footfall({"count", "a", "--key", reader}).output, "2\n");
    const CommandResult no_key = footfall({"count", "a"}, "letmein");
    EXPECT_EQ(no_key.exit_code, 2);
    EXPECT_THAT(no_key.errors, AllOf(HasSubstr("is no API key"), Not(HasSubstr("letmein"))));
}

TEST(KeysOfTheDemo, do_not_end_its_traffic) {
    const TemporaryDirectory directory;
    ChildProcess demo{
        footfall_command({"demo", "--listen", "127.0.0.1:0", "--data", directory / "demo"})
    };
    ASSERT_TRUE(eventually([&] { return demo.output().ends_with(")\n"); })) << demo.errors();
    const std::string said = demo.output();
    const std::string server =
        said.substr(said.find("http://"), said.find("/  (") - said.find("http://"));
    const CommandResult made =
        run_footfall({"keys", "add", "ops", "--scope", "read", "--server", server});
    ASSERT_EQ(made.exit_code, 0) << made.errors;
    Client client{[&] {
        auto url = must(http_server::parse_server_url(server));
        url.authorization = "Bearer " + made.last_line();
        return url;
    }()};
    const auto put = [&] {
        const auto answer = must(client.send(Method::get, "/metrics"));
        const std::string name = "\nfootfall_tokens_put_total ";
        const std::size_t at = answer.body.find(name);
        return at == std::string::npos ? 0 : std::stoul(answer.body.substr(at + name.size()));
    };
    const auto before = put();
    EXPECT_TRUE(eventually([&] { return put() > before + 10; }));
}

}  // namespace
}  // namespace footfall
