// What a broken source said of many profiles is undone at once, by portions.
#include "identities_undone.h"
#include "test_support/bad_request.h"
#include "test_support/run_command.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::Method;
using testing::HasSubstr;
using namespace test_support;

using IdentitiesUndo = IdentitiesUndone;

TEST_F(IdentitiesUndo, takes_back_what_a_source_said_of_many_profiles) {
    glue();
    const Undone trial = undo_all(7, /*dry_run=*/true);
    EXPECT_EQ(trial.links, glued);
    EXPECT_EQ(trial.decided, glued);
    EXPECT_EQ(trial.profiles, glued);
    EXPECT_EQ(trial.looked_at, 2 * people + 2) << "each id once";
    EXPECT_GE(trial.portions, 6);
    EXPECT_EQ(sids(), glued_) << "a dry run decides nothing";

    EXPECT_EQ(undo_all(7), trial) << "a dry run says the same";
    expect_undone();
    const auto why = api_.get_json("/api/v1/profiles/" + sid("www:p0") + "/why");
    bool is_told = false;
    for (const auto& each : why.at("facts").as_array()) {
        const auto* const reason = each.as_object().if_contains("reason");
        is_told |= reason != nullptr && *reason == "a broken form";
    }
    EXPECT_TRUE(is_told);

    const Undone again = undo_all(1000);
    EXPECT_EQ(again.links, glued);
    EXPECT_EQ(again.decided, 0) << "sent again it decides nothing";
    EXPECT_EQ(again.profiles, 0);
    EXPECT_EQ(again.portions, 1);
    expect_sound();
}

TEST_F(IdentitiesUndo, goes_on_after_a_kill_between_portions) {
    glue();
    Undone undone;
    undo(undone, 7);
    undo(undone, 7);
    ASSERT_EQ(undone.decided, 14);
    server_.kill();
    server_.restart();
    api_ = Api{server_};
    Undone rest = undone;
    do {
        undo(rest, 7);
    } while (!rest.next.empty() && !HasFatalFailure());
    EXPECT_EQ(rest.decided, glued) << "the cursor leads on where it was";
    expect_undone();
    expect_sound();
}

TEST_F(IdentitiesUndo, sent_again_from_the_start_after_a_kill_undoes_what_is_left) {
    glue();
    Undone undone;
    undo(undone, 7);
    server_.kill();
    server_.restart();
    api_ = Api{server_};
    const Undone rest = undo_all(11);
    EXPECT_EQ(rest.links, glued);
    EXPECT_EQ(rest.decided, glued - 7);
    expect_undone();
    expect_sound();
}

TEST_F(IdentitiesUndo, is_a_verb_that_goes_through_all_portions) {
    glue();
    const auto verb = [&](std::vector<std::string> more) {
        std::vector<std::string> words{
            "identities",
            "undo",
            "--server",
            server_.url(),
            "--source",
            "broken",
            "--from",
            "2026-11-02T10:00:00Z",
            "--until",
            "2026-11-02T11:00:00Z",
            "--reason",
            "a broken form"
        };
        words.insert(words.end(), more.begin(), more.end());
        return run_footfall(words);
    };
    const CommandResult trial = verb({"--dry-run", "--json"});
    EXPECT_EQ(trial.exit_code, 0) << trial.errors;
    EXPECT_EQ(
        trial.output,
        R"({"links":40,"decided":40,"profiles":40,"looked_at":202,"dry_run":true})"
        "\n"
    );
    EXPECT_EQ(sids(), glued_);
    const CommandResult done = verb({});
    EXPECT_EQ(done.exit_code, 0) << done.errors;
    EXPECT_EQ(done.output, "undid 40 of 40 links, of 40 profiles\n");
    expect_undone();
    EXPECT_EQ(verb({}).output, "undid 0 of 40 links, of 0 profiles\n");

    EXPECT_EQ(run_footfall({"identities", "undo", "--source", "broken"}).exit_code, 2);
    const CommandResult nobody =
        run_footfall({"identities", "undo", "--source", "", "--reason", "r"});
    EXPECT_EQ(nobody.exit_code, 2);
    EXPECT_TRUE(nobody.errors.contains("--source names who said")) << nobody.errors;
    const CommandResult refused = run_footfall(
        {"identities",
         "undo",
         "--server",
         server_.url(),
         "--source",
         "broken",
         "--reason",
         "r",
         "--from",
         "yesterday"}
    );
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.errors, HasSubstr("from is an instant"));
    ASSERT_EQ(server_.stop(), 0);
    EXPECT_EQ(verb({}).exit_code, 1) << "nobody answers";
}

/// All links stand under one id, so that portions end in the midst of it.
TEST_F(IdentitiesUndo, takes_back_the_links_of_a_shared_id_by_portions) {
    constexpr int visitors = 90;
    std::string lines;
    for (int each = 0; each < visitors; ++each) {
        lines += fmt::format(
            "{{\"ids\":{},\"source\":\"broken\",\"time\":\"2026-11-02T10:00:00Z\"}}\n",
            ids_json({"kiosk:k", person("www", each)})
        );
    }
    match_lines(lines);
    const Undone undone = undo_all(8);
    EXPECT_EQ(undone.links, visitors);
    EXPECT_EQ(undone.decided, visitors);
    EXPECT_EQ(undone.looked_at, visitors + 1);
    EXPECT_EQ(undo_all(8).decided, 0);
    EXPECT_EQ(revoke_all(8).decided, visitors);
    EXPECT_EQ(revoke_all(8).decided, 0);
    expect_sound();
}

TEST_F(IdentitiesUndo, refuses_what_is_nothing_to_undo) {
    struct NoUndo {
        std::string query;
        std::string body;
        std::string field;
        std::string detail;
    };

    const std::string good = R"({"source":"crm"})";
    std::vector<NoUndo> bad{
        {"", "[]", "", "not one JSON object"},
        {"", "{}", "source", "source is missing"},
        {"", R"({"source":null})", "source", "source is missing"},
        {"", R"({"source":"crm","from":7})", "from", "a text"},
        {"", R"({"source":7})", "source", "a text"},
        {"", R"({"source":"crm","reason":7})", "reason", "a text"},
        {"", R"({"source":"crm","to":"2026-11-01T00:00:00Z"})", "to", "there is no field"},
        {"", R"({"source":"crm","from":"2026-11-01"})", "from", "from is an instant"},
        {"", R"({"source":"crm","until":"yesterday"})", "until", "until is an instant"},
        {"",
         R"({"source":"crm","from":"2026-11-02T00:00:01Z","until":"2026-11-02T00:00:00Z"})",
         "until",
         "until is not after from"},
        {"?dry_run=perhaps", good, "dry_run", "true or false"},
        {"?limit=0", good, "limit", "1"},
        {"?limit=1001", good, "limit", "1000"},
        {"?page=2", good, "page", ""}
    };
    for (const std::string cursor :
         {"7",
          "....",
          "777777.0..",
          "777777.0....",
          "77777.0...",
          "77777g.0...",
          "777777.16777216...",
          "777777.-1...",
          "777777.0x...",
          "777777.0.6964..",
          "777777.0..7731.",
          "777777.0.6964.7731.aa",
          "777777.0...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
        bad.push_back({"?cursor=" + cursor, good, "cursor", "a portion before"});
    }
    std::vector<Bad> all;
    all.reserve(bad.size());
    for (const auto& [query, body, field, detail] : bad) {
        all.push_back(
            {.method = Method::post,
             .target = "/api/v1/identities/undo" + query,
             .body = body,
             .field = field,
             .detail = detail}
        );
    }
    match({"www:p1", "shop:p1"}, R"(,"source":"crm")");
    expect_refused(api_, all, [this] {
        return boost::json::serialize(api_.get_json("/api/v1/events?limit=500"));
    });
}

}  // namespace
}  // namespace footfall
