// The audit log as operators and outsiders meet it: by HTTP and by the command line.
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <boost/json/array.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using namespace test_support;

class Audit : public RunningServer {
protected:
    int set_rate(const std::string& reseller, const std::string& percent) {
        return api_
            .send(
                Method::put,
                fmt::format("/api/v1/resellers/{}/rates/2099-01-01", reseller),
                fmt::format(R"({{"reward_percent":"{}"}})", percent)
            )
            .status;
    }

    /// The kinds of all entries, the oldest first.
    std::vector<std::string> kinds() {
        std::vector<std::string> kinds;
        const auto answer = api_.get_json("/api/v1/audit?limit=1000");
        for (const boost::json::value& each : answer.at("entries").as_array()) {
            kinds.emplace_back(each.as_object().at("kind").as_string());
        }
        return kinds;
    }

    CommandResult audit(std::vector<std::string> words) {
        words.insert(words.begin(), "audit");
        return run_footfall(std::move(words));
    }

    CommandResult audit_here(std::vector<std::string> words) {
        words.insert(words.end(), {"--server", server_.url()});
        return audit(std::move(words));
    }

    std::string kept(const std::string& name, const std::string& text) {
        const std::string path = directory_ / name;
        std::ofstream{path} << text;
        return path;
    }

    const std::string data_ = directory_ / "data";
};

TEST_F(Audit, has_an_entry_for_each_act_and_for_no_trial) {
    EXPECT_EQ(set_rate("r-7", "0.05"), 201);
    EXPECT_EQ(set_rate("r-7", "5"), 400);
    EXPECT_EQ(
        api_.send(
                Method::put,
                "/api/v1/resellers/r-7/rates/2099-01-01?dry_run=true",
                R"({"reward_percent":"0.06"})"
        )
            .status,
        200
    );
    EXPECT_EQ(
        api_.send(Method::put, "/api/v1/ads/a-1", R"({"targets":["https://shop.example/"]})")
            .status,
        201
    );
    EXPECT_EQ(
        api_.send(Method::put, "/api/v1/people/reader-17", R"({"reading":"shared"})").status, 200
    );
    EXPECT_EQ(api_.send(Method::put, "/api/v1/counter/a", "t1").status, 200);
    EXPECT_THAT(
        kinds(),
        testing::ElementsAre(
            "rules_set", "rate_set", "rate_set", "refused", "ad_set", "person_said"
        )
    );
    EXPECT_EQ(api_.metric("footfall_audit_head_entries"), 6U);
    const auto answer = api_.send(Method::get, "/api/v1/audit?after=4");
    EXPECT_THAT(answer.body, Not(HasSubstr("reader-17"))) << "persons stand behind commitments";
    EXPECT_THAT(api_.send(Method::get, "/api/v1/audit?opened=true").body, HasSubstr("reader-17"));
}

TEST_F(Audit, has_identities_that_operators_took_apart) {
    const std::string ids =
        R"([{"identifier":"a","id_name":"e","id_value":"x"},{"identifier":"b","id_name":"e","id_value":"y"}])";
    const auto matched = parse_object(
        api_.send(Method::post, "/api/v1/identities/match", fmt::format(R"({{"ids":{}}})", ids))
            .body
    );
    const std::string sid{matched.at("sid").as_string()};
    const std::string body =
        R"({"ids":[{"identifier":"a","id_name":"e","id_value":"x"}],"reason":"asked"})";
    const std::string path = fmt::format("/api/v1/profiles/{}/detach", sid);
    EXPECT_EQ(api_.send(Method::post, path + "?dry_run=1", body).status, 200);
    const auto detached = parse_object(api_.send(Method::post, path, body).body);
    const std::string decision{detached.at("decision").as_string()};
    EXPECT_EQ(api_.send(Method::del, "/api/v1/identities/decisions/" + decision).status, 200);
    EXPECT_EQ(
        api_.send(Method::post, "/api/v1/identities/undo", R"({"source":"crm","reason":"a form"})")
            .status,
        200
    );
    EXPECT_THAT(
        kinds(),
        testing::IsSupersetOf({"rules_set", "detached", "decision_revoked", "links_undone"})
    );
}

TEST_F(Audit, is_verified_from_outside_and_kept_heads_hold) {
    for (int at = 0; at < 5; ++at) {
        ASSERT_EQ(set_rate(fmt::format("r-{}", at), "0.05"), 201);
    }
    const std::string early = kept("early", audit_here({"head"}).output);
    ASSERT_EQ(set_rate("r-9", "0.07"), 201);
    const CommandResult good = audit_here({"verify", "--checkpoint", early});
    EXPECT_EQ(good.exit_code, 0) << good.output << good.errors;
    EXPECT_THAT(good.output, StartsWith("7 entries lead to the head"));
    const CommandResult proof = audit_here({"prove", "--entry", "3"});
    EXPECT_THAT(proof.output, StartsWith(R"({"entry":3,"size":7,"hashes":[")"));
    EXPECT_EQ(audit_here({"prove", "--from", "6"}).exit_code, 0);
    EXPECT_NE(audit_here({"prove", "--entry", "7"}).exit_code, 0);

    std::string text = audit_here({"export"}).output;
    const std::string file = kept("exported", text);
    EXPECT_EQ(audit({"verify", file, "--checkpoint", early}).exit_code, 0);
    text.replace(text.find("0.07"), 4, "0.08");
    const CommandResult edited = audit({"verify", kept("edited", text), "--json"});
    EXPECT_EQ(edited.exit_code, 1);
    EXPECT_THAT(edited.output, HasSubstr(R"("findings":[{"what":"edited","entry":6,)"));
    const std::string no_lines = kept("broken", "{\"entry\":1}\n");
    EXPECT_THAT(audit({"verify", no_lines}).errors, HasSubstr("line 1"));
}

TEST_F(Audit, goes_on_after_kills_and_an_older_copy_is_told) {
    ASSERT_EQ(set_rate("r-1", "0.05"), 201);
    server_.kill();
    const std::string older = directory_ / "older";
    std::filesystem::copy(data_, older, std::filesystem::copy_options::recursive);
    server_.restart();
    const std::size_t before = kinds().size();
    for (int round = 0; round < 3; ++round) {
        ASSERT_EQ(set_rate(fmt::format("r-{}", round), "0.06"), 201);
        server_.kill();
        server_.restart();
    }
    EXPECT_EQ(kinds().size(), before + 3);
    const std::string head = kept("head", audit_here({"head"}).output);
    EXPECT_EQ(audit_here({"verify", "--checkpoint", head}).exit_code, 0);
    EXPECT_EQ(server_.stop(), 0);
    EXPECT_EQ(audit({"verify", "--data", data_, "--checkpoint", head}).exit_code, 0);
    const CommandResult restored = audit({"verify", "--data", older, "--checkpoint", head});
    EXPECT_EQ(restored.exit_code, 1);
    EXPECT_THAT(restored.output, HasSubstr("an older backup was put back"));
}

TEST_F(Audit, has_what_was_done_on_the_directory) {
    EXPECT_EQ(server_.stop(), 0);
    const auto keys = [&](std::vector<std::string> words) {
        words.insert(words.begin(), "keys");
        words.insert(words.end(), {"--data", data_});
        return run_footfall(std::move(words)).exit_code;
    };
    EXPECT_EQ(keys({"add", "ops", "--scope", "admin"}), 0);
    EXPECT_EQ(keys({"revoke", "ops"}), 0);
    const std::string exported = audit({"export", "--data", data_}).output;
    EXPECT_THAT(exported, HasSubstr(R"("kind":"key_added","author":"this directory")"));
    EXPECT_THAT(exported, HasSubstr(R"("kind":"key_revoked","author":"this directory")"));
}

/// What changes something is an act, which the door records, or is data or a question: whoever adds
/// a route says here which.
TEST_F(Audit, forgets_no_route) {
    const std::set<std::string> acts{
        "delete /api/v1/identities/decisions/{decision}",
        "delete /api/v1/keys/{name}",
        "delete /api/v1/people/{actor}",
        "delete /api/v1/people/{actor}/reads",
        "delete /api/v1/profiles/{sid}",
        "delete /api/v1/publishers/{id}/rates/{day}",
        "delete /api/v1/resellers/{id}/rates/{day}",
        "delete /api/v1/segment_reports/{name}",
        "delete /api/v1/segments/{segment}",
        "delete /api/v1/webhooks/{name}",
        "post /api/v1/backups",
        "post /api/v1/identities/decisions",
        "post /api/v1/identities/revoke",
        "post /api/v1/identities/undo",
        "post /api/v1/keys",
        "post /api/v1/people",
        "post /api/v1/people/{actor}/friends",
        "post /api/v1/profiles/{sid}/detach",
        "post /api/v1/webhooks/{name}/resume",
        "put /api/v1/ads/{id}",
        "put /api/v1/ledger/months/{month}",
        "put /api/v1/people/{actor}",
        "put /api/v1/people/{actor}/friends",
        "put /api/v1/publishers/{id}/rates/{day}",
        "put /api/v1/resellers/{id}/rates/{day}",
        "put /api/v1/segment_reports/{name}",
        "put /api/v1/segments/{segment}",
        "put /api/v1/webhooks/{name}"
    };
    const std::set<std::string> no_acts{
        "delete /api/v1/segments/{segment}/members",
        "delete /api/v1/session",
        "post /api/v1/counter",
        "post /api/v1/datapoints",
        "post /api/v1/datapoints/query",
        "post /api/v1/datapoints/query/tags",
        "post /api/v1/events",
        "post /api/v1/identities/match",
        "post /api/v1/reading/who",
        "post /api/v1/segment_reports/{name}/count",
        "post /api/v1/segments/count",
        "post /api/v1/segments/overlap",
        "post /api/v1/segments/{segment}/members",
        "post /api/v1/session",
        "post /api/v1/write",
        "post /footfall",
        "post /metrics/find",
        "post /render",
        "put /api/v1/counter/{object}"
    };
    const auto description = api_.get_json("/openapi.json");
    std::set<std::string> changing;
    for (const auto& path : description.at("paths").as_object()) {
        for (const char* const method : {"put", "post", "delete"}) {
            if (path.value().as_object().contains(method)) {
                changing.insert(fmt::format("{} {}", method, std::string{path.key()}));
            }
        }
    }
    for (const std::string& each : changing) {
        EXPECT_NE(acts.contains(each), no_acts.contains(each)) << each << ": is it an act?";
    }
    EXPECT_EQ(changing.size(), acts.size() + no_acts.size()) << "a route is gone";
}

TEST_F(Audit, is_for_admins) {
    const auto made = parse_object(
        api_.send(Method::post, "/api/v1/keys", R"({"name":"r","scopes":["read"]})").body
    );
    const std::string key{made.at("key").as_string()};
    auto client = server_.client();
    const auto refused =
        *client.send(Method::get, "/api/v1/audit/head", {}, {{"Authorization", "Bearer " + key}});
    expect_problem(refused, 403, "scope-missing", "Authorization");
}

}  // namespace
}  // namespace footfall
