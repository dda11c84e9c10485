// A person is erased from a real program: a mark that was planted in all that they are is in files
// before, and nowhere afterwards; all others, and all numbers, are as before.
#include "foundation_testing/files_below.h"
#include "segments_server.h"
#include "test_support/eventually.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using namespace test_support;

constexpr std::string_view mark = "planted7f3a";

class Erasure : public SegmentsServer {
protected:
    /// Somebody with the mark in everything, and two who stay.
    void plant() {
        match(
            {"www:planted7f3a-w", "crm:planted7f3a-c"},
            R"(,"source":"crm","data":{"city":"planted7f3a-city"})"
        );
        match({"www:u2", "crm:u3"});
        match({"www:u2", "zoo:planted7f3a-z", "app:u4"});
        api_.post_events(
            R"({"id":"planted7f3a-e","action":"view","object":"post","actor":"planted7f3a-a","address":"192.0.2.1",)"
            R"("agent":"planted7f3a-agent","referrer":"https://planted7f3a.example/","attributes":{"x":"planted7f3a-x"},)"
            R"("identifiers":[{"identifier":"www","id_name":"id","id_value":"planted7f3a-w"}]})"
            "\n"
            R"({"action":"view","object":"post","actor":"u5"})"
            "\n"
            R"({"action":"click","object":"post","actor":"planted7f3a-a","amount":"0.5","ad":"a1","reseller":"r1"})"
            "\n"
            R"({"id":"planted7f3a-r","action":"read","object":"https://news.example/a","actor":"planted7f3a-a"})"
            "\n"
        );
        put("/api/v1/people/planted7f3a-a", R"({"reading":"shared"})");
        put("/api/v1/people/planted7f3a-a/friends", R"({"friends":["u5"]})");
        put("/api/v1/people/u7/friends", R"({"friends":["planted7f3a-a","u9"]})");
        ASSERT_TRUE(eventually([&] {
            return sid("footfall:planted7f3a-a", "actor") == sid("www:planted7f3a-w");
        }));
    }

    /// In a segment as a part of their profile, and alone; beside who stays.
    void plant_in_segments() {
        add("buyers", member_lines({"www:planted7f3a-w", "www:planted7f3a-alone", "www:stays"}));
        expect_size("buyers", 3);
    }

    using IdentitiesServer::sid;

    std::string sid(const std::string& id, const std::string& name) {
        const auto colon = id.find(':');
        const auto answer = api_.send(
            Method::get,
            fmt::format(
                "/api/v1/identities/{}/{}/{}", id.substr(0, colon), name, id.substr(colon + 1)
            )
        );
        return answer.status == 404 ? std::string{}
                                    : std::string{parse_object(answer.body).at("sid").as_string()};
    }

    void put(const std::string& path, const std::string& body) {
        const auto answer = api_.send(Method::put, path, body);
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    std::string erase(const std::string& path) {
        const auto answer = api_.send(Method::del, path);
        EXPECT_EQ(answer.status, 202) << answer.body;
        return std::string{parse_object(answer.body).at("receipt").as_string()};
    }

    bool is_closed(const std::string& receipt) {
        return api_.get_json("/api/v1/erasures/" + receipt).at("state").as_string() == "closed";
    }

    void wait_closed(const std::string& receipt) {
        ASSERT_TRUE(eventually([&] { return is_closed(receipt); }, std::chrono::minutes{2}))
            << boost::json::serialize(api_.get_json("/api/v1/erasures/" + receipt));
    }

    /// What answers say of numbers.
    std::string numbers() {
        std::string all;
        for (const char* const path :
             {"/api/v1/views/post",
              "/api/v1/views/post?action=click",
              "/api/v1/views/https%3A%2F%2Fnews.example%2Fa?action=read",
              "/api/v1/resellers/r1/income",
              "/api/v1/ads/a1/clicks"}) {
            auto answer = api_.get_json(path);
            answer.erase("age");
            answer.erase("provisional");
            all += boost::json::serialize(answer) + "\n";
        }
        return all;
    }

    void expect_nowhere() {
        EXPECT_TRUE(goes_from_files_below(directory_ / "data", mark));
        for (const char* const path :
             {"/api/v1/events?limit=100", "/api/v1/identities/contested", "/metrics"}) {
            EXPECT_THAT(api_.send(Method::get, path).body, Not(HasSubstr(std::string{mark})))
                << path;
        }
        server_.stop();
        for (const char* const table :
             {"identity_fact",
              "fact_anchor",
              "profile",
              "profile_index",
              "sid_anchor",
              "person",
              "friend",
              "log_block",
              "identity_expiry",
              "event_by_id",
              "guard_seen",
              "ad_click",
              "segment_member",
              "segment_of",
              "segment_noted",
              "segment_person",
              "segment_told",
              "segment_change"}) {
            EXPECT_THAT(text_of_table(table), Not(HasSubstr(std::string{mark}))) << table;
        }
        server_.restart();
        api_ = Api{server_};
    }

    std::string table_text(const std::string& table) {
        server_.stop();
        std::string text = text_of_table(table);
        server_.restart();
        api_ = Api{server_};
        return text;
    }

    /// While the server is down.
    std::string text_of_table(const std::string& table) const {
        std::vector<std::string> words{"table", table, "--json"};
        for (std::string& each : place_words(directory_ / "data")) {
            words.push_back(std::move(each));
        }
        const auto told = run_footfall(std::move(words));
        EXPECT_EQ(told.exit_code, 0) << told.errors;
        return told.output;
    }

    void expect_verified() {
        ASSERT_EQ(server_.stop(), 0);
        for (const char* const job : {"views", "ads", "reading", "identities", "segments"}) {
            std::vector<std::string> words{"verify", job};
            for (std::string& each : place_words(directory_ / "data")) {
                words.push_back(std::move(each));
            }
            const auto told = run_footfall(std::move(words));
            EXPECT_EQ(told.exit_code, 0) << job << ": " << told.output << told.errors;
        }
        server_.restart();
        api_ = Api{server_};
    }
};

TEST_F(Erasure, of_a_profile_leaves_nothing_of_it_and_all_of_others) {
    plant();
    plant_in_segments();
    EXPECT_TRUE(is_in_files_below(directory_ / "data", mark));
    const std::string before = numbers();
    const auto changes_before = changes_of("buyers").size();
    const std::string gone = sid("www:planted7f3a-w");
    const std::string receipt = erase("/api/v1/profiles/" + gone);
    EXPECT_EQ(sid("www:planted7f3a-w"), "");
    EXPECT_EQ(api_.send(Method::get, "/api/v1/profiles/" + gone).status, 404);
    EXPECT_EQ(api_.send(Method::del, "/api/v1/profiles/" + gone).status, 404);
    const std::string other = erase("/api/v1/profiles/" + sid("zoo:planted7f3a-z"));
    match({"www:planted7f3a-alone"});  // an id that is in no profile yet
    const std::string alone = erase("/api/v1/profiles/" + sid("www:planted7f3a-alone"));
    expect_size("buyers", 1);
    wait_closed(receipt);
    wait_closed(other);
    wait_closed(alone);
    EXPECT_EQ(numbers(), before);
    const std::vector<std::string> changes = changes_of("buyers");
    EXPECT_GT(changes.size(), changes_before);
    EXPECT_THAT(changes, Contains("erased www:"));
    EXPECT_THAT(changes, Not(Contains(HasSubstr(std::string{mark}))));
    expect_nowhere();
    expect_verified();
    EXPECT_EQ(numbers(), before);
}

TEST_F(Erasure, of_an_actor_leaves_the_profile_without_them) {
    plant();
    const std::string before = numbers();
    wait_closed(erase("/api/v1/people/planted7f3a-a"));
    EXPECT_EQ(sid("footfall:planted7f3a-a", "actor"), "");
    EXPECT_NE(sid("www:planted7f3a-w"), "") << "others stay";
    EXPECT_EQ(numbers(), before);
    EXPECT_THAT(table_text("log_block"), Not(HasSubstr("planted7f3a-a\"")));
    EXPECT_THAT(table_text("friend"), Not(HasSubstr(std::string{mark})));
    EXPECT_THAT(table_text("friend"), HasSubstr("u9"));
    EXPECT_THAT(table_text("person"), Not(HasSubstr(std::string{mark})));
    expect_verified();
}

TEST_F(Erasure, who_comes_again_is_somebody_new) {
    match({"www:ann", "crm:ann"});
    const std::string before = sid("www:ann");
    wait_closed(erase("/api/v1/profiles/" + before));
    match({"www:ann", "crm:ann"});
    const std::string after = sid("www:ann");
    EXPECT_NE(after, "");
    EXPECT_NE(after, before);
    EXPECT_EQ(api_.send(Method::get, "/api/v1/profiles/" + before).status, 404);
    expect_verified();
    EXPECT_EQ(sid("www:ann"), after);
}

TEST_F(Erasure, goes_on_after_kills) {
    plant();
    const std::string before = numbers();
    const std::string receipt = erase("/api/v1/profiles/" + sid("www:planted7f3a-w"));
    const std::string other = erase("/api/v1/profiles/" + sid("zoo:planted7f3a-z"));
    for (int kill = 0; kill < 5; ++kill) {
        // At another moment of what is done behind the answer each time.
        ASSERT_TRUE(eventually([&] {
            return is_closed(other) || api_.metric("footfall_erasures_log_records_total") > 0 ||
                   kill % 2 == 0;
        }));
        server_.kill();
        server_.restart();
        api_ = Api{server_};
    }
    wait_closed(receipt);
    wait_closed(other);
    EXPECT_EQ(numbers(), before);
    expect_nowhere();
    expect_verified();
}

TEST_F(Erasure, stays_where_an_older_export_is_put_back) {
    plant();
    plant_in_segments();
    const std::string before = numbers();
    const auto run = [&](std::vector<std::string> words) {
        const auto told = run_footfall(std::move(words));
        ASSERT_EQ(told.exit_code, 0) << told.output << told.errors;
    };
    const std::string data = directory_ / "data";
    const std::string older = directory_ / "older";
    const std::string newer = directory_ / "newer";
    const std::string restored = directory_ / "restored";
    ASSERT_EQ(server_.stop(), 0);
    run({"export", older, "--data", data});
    server_.restart();
    api_ = Api{server_};
    const std::string gone = sid("www:planted7f3a-w");
    match({"www:planted7f3a-alone"});
    const std::vector<std::string> receipts{
        erase("/api/v1/profiles/" + gone),
        erase("/api/v1/profiles/" + sid("zoo:planted7f3a-z")),
        erase("/api/v1/profiles/" + sid("www:planted7f3a-alone"))
    };
    for (const std::string& each : receipts) {
        wait_closed(each);
    }
    ASSERT_EQ(server_.stop(), 0);
    run({"export", newer, "--data", data});
    run({"import-tables", older, "--data", restored, "--erasures", newer});
    FootfallProcess server{restored};
    api_ = Api{server};
    EXPECT_EQ(sid("www:planted7f3a-w"), "") << "before anybody is answered";
    const std::string members = api_.send(Method::get, "/api/v1/segments/buyers/members").body;
    EXPECT_THAT(members, Not(HasSubstr("planted7f3a-w")));
    EXPECT_THAT(members, HasSubstr("stays"));
    EXPECT_EQ(api_.send(Method::get, "/api/v1/profiles/" + gone).status, 404);
    EXPECT_EQ(numbers(), before);
    EXPECT_TRUE(eventually(
        [&] {
            return api_.metric("footfall_erasures_log_records_total") > 0 &&
                   api_.metric("footfall_erasures_open") == 0;
        },
        std::chrono::minutes{1}
    ));
    expect_size("buyers", 1);
    EXPECT_TRUE(goes_from_files_below(restored, mark));
    ASSERT_EQ(server.stop(), 0);
    run({"verify", "identities", "--data", restored});
    run({"verify", "views", "--data", restored});
    run({"verify", "segments", "--data", restored});
}

/// The ledger of the newest backup of the place is taken over.
TEST_F(Erasure, stays_where_an_older_backup_is_restored) {
    plant();
    const std::string data = directory_ / "data";
    const std::string place = directory_ / "backups";
    const std::string restored = directory_ / "restored";
    const auto run = [](std::vector<std::string> words) {
        const auto told = run_footfall(std::move(words));
        EXPECT_EQ(told.exit_code, 0) << told.output << told.errors;
        return told.output;
    };
    ASSERT_EQ(server_.stop(), 0);
    const auto made = parse_object(run({"backup", "--to", place, "--data", data, "--json"}));
    const std::string older{made.at("backup").at("name").as_string()};
    server_.restart();
    api_ = Api{server_};
    erase("/api/v1/profiles/" + sid("www:planted7f3a-w"));
    erase("/api/v1/profiles/" + sid("zoo:planted7f3a-z"));
    ASSERT_EQ(server_.stop(), 0);
    run({"backup", "--to", place, "--data", data});
    EXPECT_THAT(
        run({"restore", "--from", place, "--data", directory_ / "newest"}),
        Not(HasSubstr("took over"))
    );
    EXPECT_THAT(
        run({"restore", "--from", place, "--backup", older, "--data", restored}),
        HasSubstr("took over")
    );
    FootfallProcess server{restored};
    api_ = Api{server};
    EXPECT_EQ(sid("www:planted7f3a-w"), "") << "before anybody is answered";
    EXPECT_EQ(sid("www:u2"), sid("app:u4")) << "who stays";
    EXPECT_TRUE(goes_from_files_below(restored, mark));
}

TEST_F(Erasure, is_done_when_the_command_says_so) {
    plant();
    const auto trial =
        run_footfall({"erase", "--actor", "planted7f3a-a", "--dry-run", "--server", server_.url()});
    EXPECT_EQ(trial.exit_code, 0) << trial.errors;
    EXPECT_NE(sid("footfall:planted7f3a-a", "actor"), "");
    const auto told =
        run_footfall({"erase", "--profile", sid("www:planted7f3a-w"), "--server", server_.url()});
    EXPECT_EQ(told.exit_code, 0) << told.errors;
    EXPECT_EQ(told.last_line(), "closed") << told.output;
    EXPECT_EQ(sid("www:planted7f3a-w"), "");
    EXPECT_EQ(run_footfall({"erase", "--server", server_.url()}).exit_code, 2);
    EXPECT_EQ(
        run_footfall({"erase", "--profile", "nobody", "--server", server_.url()}).exit_code, 2
    );
}

TEST_F(Erasure, a_trial_and_what_is_not_as_it_was_seen_erase_nothing) {
    plant();
    const std::string kept = sid("www:u2");
    const auto trial = api_.send(Method::del, "/api/v1/profiles/" + kept + "?dry_run=true");
    EXPECT_EQ(trial.status, 200);
    EXPECT_EQ(parse_object(trial.body).at("ids").to_number<int>(), 4);
    http_server::Client client = server_.client();
    const auto refused = must(client.send(
        Method::del, "/api/v1/profiles/" + kept, "", {{"If-Match", R"("0123456789abcdef")"}}
    ));
    EXPECT_EQ(refused.status, 412) << refused.body;
    EXPECT_EQ(sid("www:u2"), kept);
    EXPECT_EQ(
        api_.send(Method::del, "/api/v1/profiles/00000000-0000-5000-8000-000000000000").status, 404
    );
    EXPECT_EQ(api_.send(Method::get, "/api/v1/erasures/00").status, 404);
    EXPECT_EQ(api_.send(Method::del, "/api/v1/people/a%01b").status, 400);
    EXPECT_EQ(api_.send(Method::del, "/api/v1/people/ann?dry_run=maybe").status, 400);
}

}  // namespace
}  // namespace footfall
