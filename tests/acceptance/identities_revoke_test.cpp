// What was decided of many profiles is revoked at once, by portions: so an undo is taken back.
#include "identities_undone.h"
#include "test_support/bad_request.h"
#include "test_support/run_command.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using namespace test_support;

using IdentitiesRevoke = IdentitiesUndone;

TEST_F(IdentitiesRevoke, takes_an_undo_back_as_if_it_had_never_been) {
    glue();
    const std::string never_undone = profiles();
    const Undone undone = undo_all(1000);
    expect_undone();
    const Undone trial = revoke_all(7, /*dry_run=*/true);
    EXPECT_EQ(trial.links, glued);
    EXPECT_EQ(trial.decided, glued);
    EXPECT_EQ(trial.profiles, 2 * glued);
    EXPECT_EQ(trial.looked_at, undone.looked_at);
    EXPECT_GE(trial.portions, 6);
    EXPECT_EQ(sids(), before_) << "a dry run decides nothing";

    EXPECT_EQ(revoke_all(7), trial) << "a dry run says the same";
    EXPECT_EQ(sids(), glued_);
    EXPECT_EQ(profiles(), never_undone);
    const Undone again = revoke_all(1000);
    EXPECT_EQ(again.links, glued);
    EXPECT_EQ(again.decided, 0) << "sent again it decides nothing";
    EXPECT_EQ(undo_all(1000).decided, glued) << "what was taken back can be decided again";
    expect_undone();
    EXPECT_EQ(revoke_all(1000).decided, glued);
    EXPECT_EQ(profiles(), never_undone);
    expect_sound();
}

TEST_F(IdentitiesRevoke, goes_on_after_a_kill_between_portions) {
    glue();
    undo_all(1000);
    Undone revoked;
    revoke(revoked, 7);
    ASSERT_EQ(revoked.decided, 7);
    server_.kill();
    server_.restart();
    api_ = Api{server_};
    const Undone rest = revoke_all(11);
    EXPECT_EQ(rest.links, glued);
    EXPECT_EQ(rest.decided, glued - 7) << "begun again it revokes what is left";
    EXPECT_EQ(sids(), glued_);
    expect_sound();
}

/// Of each kind one, of which those that are asked for are revoked and no others.
TEST_F(IdentitiesRevoke, takes_those_of_an_author_a_reason_and_a_time) {
    match({"www:a", "shop:a"});
    match({"www:b", "shop:b"});
    const std::string one = sid("www:a");
    const auto why = api_.get_json("/api/v1/profiles/" + sid("www:b") + "/why");
    const std::string link{why.at("facts").as_array().at(0).at("fact").as_string()};
    ASSERT_EQ(
        detach(one, R"({"ids":)" + ids_json({"shop:a"}) + R"(,"reason":"theirs"})").status, 200
    );
    const auto rejected = api_.send(
        Method::post,
        "/api/v1/identities/decisions",
        fmt::format(R"({{"kind":"reject","fact":"{}","reason":"a guess"}})", link)
    );
    ASSERT_EQ(rejected.status, 200) << rejected.body;
    const auto found = [&](const std::string& decisions) {
        return revoke_all(1000, true, R"({"decisions":)" + decisions + "}").decided;
    };
    EXPECT_EQ(found(R"({"author":"this machine"})"), 2);
    EXPECT_EQ(found(R"({"author":"ann"})"), 0);
    EXPECT_EQ(found(R"({"author":"this machine","reason":"a guess"})"), 1);
    EXPECT_EQ(found(R"({"author":"ann","reason":"a guess"})"), 0);
    EXPECT_EQ(found(R"({"reason":"a gues"})"), 0) << "the whole reason";
    const std::string at = said_at("www:b").front();
    EXPECT_EQ(found(R"({"reason":"a guess","from":")" + at + R"("})"), 1);
    EXPECT_EQ(found(R"({"reason":"a guess","until":")" + at + R"("})"), 0);
    EXPECT_EQ(found(R"({"author":"this machine","until":"2026-01-01T00:00:00Z"})"), 0);

    const auto answer = api_.send(
        Method::post, "/api/v1/identities/revoke", R"({"decisions":{"reason":"theirs"}})"
    );
    ASSERT_EQ(answer.status, 200) << answer.body;
    const auto said = parse_object(answer.body);
    ASSERT_EQ(said.at("examples").as_array().size(), 1);
    EXPECT_EQ(said.at("examples").as_array().at(0).at("kind"), "parting");
    EXPECT_EQ(sid("shop:a"), one) << "a parting is revoked";
    EXPECT_NE(sid("www:b"), sid("shop:b")) << "the other decision holds";
    revoke_all(1000, false, R"({"decisions":{"author":"this machine"}})");
    EXPECT_EQ(sid("www:b"), sid("shop:b"));
    expect_sound();
}

TEST_F(IdentitiesRevoke, is_a_verb_that_goes_through_all_portions) {
    glue();
    undo_all(1000);
    const auto verb = [&](std::vector<std::string> more) {
        std::vector<std::string> words{
            "identities", "revoke", "--server", server_.url(), "--reason", "the form was right"
        };
        words.insert(words.end(), more.begin(), more.end());
        return run_footfall(words);
    };
    const CommandResult trial = verb({"--with-reason", "a broken form", "--dry-run"});
    EXPECT_EQ(trial.exit_code, 0) << trial.errors;
    EXPECT_THAT(
        trial.output, testing::StartsWith("would revoke 40 of 40 decisions, of 80 profiles\n  ")
    );
    EXPECT_EQ(std::ranges::count(trial.output, '\n'), 6) << trial.output;
    EXPECT_EQ(sids(), before_);
    const CommandResult done = verb({"--with-reason", "a broken form", "--json"});
    EXPECT_EQ(
        done.output,
        R"({"decisions":40,"decided":40,"profiles":80,"looked_at":202,"dry_run":false})"
        "\n"
    );
    EXPECT_EQ(sids(), glued_);
    EXPECT_EQ(
        verb({"--author", "this machine"}).output, "revoked 0 of 40 decisions, of 0 profiles\n"
    );

    EXPECT_EQ(run_footfall({"identities", "revoke", "--author", "ann"}).exit_code, 2);
    const auto refused = [&](const std::vector<std::string>& words, const std::string& says) {
        const CommandResult nothing = verb(words);
        EXPECT_EQ(nothing.exit_code, 2);
        EXPECT_THAT(nothing.errors, HasSubstr(says));
    };
    refused({}, "--author or --with-reason");
    refused({"--author", ""}, "--author is empty");
    refused({"--author", "ann", "--with-reason", ""}, "--with-reason is empty");
    refused({"--author", "ann", "--from", "yesterday"}, "decisions.from is an instant");
}

TEST_F(IdentitiesRevoke, refuses_what_is_nothing_to_revoke) {
    const std::string decisions = R"({"decisions":)";
    std::vector<Bad> all;
    const auto add = [&](const std::string& body, const std::string& field, const std::string& why
                     ) {
        all.push_back(
            {.method = Method::post,
             .target = "/api/v1/identities/revoke",
             .body = body,
             .field = field,
             .detail = why}
        );
    };
    add("[]", "", "not one JSON object");
    add("{}", "decisions", "decisions is");
    add(R"({"author":"ann"})", "author", "there is no field");
    for (const auto& [chosen, why] : std::vector<std::pair<std::string, std::string>>{
             {"7", "decisions is"},
             {R"({"source":"crm"})", "decisions is"},
             {"{}", "an author, a reason, or both"},
             {R"({"author":null})", "an author, a reason, or both"},
             {R"({"from":"2026-11-01T00:00:00Z"})", "an author, a reason, or both"},
             {R"({"author":""})", "decisions.author is empty"},
             {R"({"author":"ann","reason":""})", "decisions.reason is empty"},
             {R"({"author":"ann","from":"2026-11-01"})", "decisions.from is an instant"},
             {R"({"author":"ann","from":"2026-11-02T00:00:00Z","until":"2026-11-02T00:00:00Z"})",
              "is not after"}
         }) {
        add(decisions + chosen + "}", "decisions", why);
    }
    add(decisions + R"({"author":7}})", "author", "a text");
    add(decisions + R"({"author":"ann"},"reason":7})", "reason", "a text");
    match({"www:p1", "shop:p1"}, R"(,"source":"crm")");
    expect_refused(api_, all, [this] {
        return boost::json::serialize(api_.get_json("/api/v1/events?limit=500"));
    });
}

}  // namespace
}  // namespace footfall
