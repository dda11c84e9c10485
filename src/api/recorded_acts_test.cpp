#include "api/recorded_acts.h"

#include "api/test_world.h"
#include "audit/acts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::api {
namespace {

using audit::Act;
using http_server::Method;
using http_server::Request;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Request request_of(Method method, std::string_view path, std::string_view body) {
    Request request;
    request.method = method;
    request.path = path;
    request.body = body;
    request.peer = "127.0.0.1";
    request.known = {.host = "localhost"};
    return request;
}

Act act_on(const ActKind& kind, std::string_view pattern, Request request) {
    return act_of(kind, pattern, request, "ops", [](std::string_view bytes) {
        return "digest of " + std::to_string(bytes.size());
    });
}

TEST(ActOf, a_thing_shows_what_was_asked) {
    Request request = request_of(Method::put, "", R"({"reward_percent": "0.05"})");
    request.placeholders = {"r%207", "2026-11-01"};
    request.query = "reason=x";
    const Act act = act_on({.kind = "rate_set"}, "/resellers/{id}/rates/{day}", request);
    EXPECT_EQ(act.kind, "rate_set");
    EXPECT_EQ(act.author, "ops");
    EXPECT_EQ(
        act.detail,
        R"({"method":"PUT","route":"/resellers/{id}/rates/{day}","named":["r 7","2026-11-01"],)"
        R"("query":"reason=x","body":{"reward_percent":"0.05"}})"
    );
    EXPECT_TRUE(act.people.empty());
}

TEST(ActOf, a_person_stands_behind_a_commitment) {
    Request request = request_of(
        Method::post,
        "",
        R"({"ids":[{"identifier":"shop","id_name":"email","id_value":"ann@example.org"}],)"
        R"("facts":["f1"],"reason":"ann asked for it"})"
    );
    request.placeholders = {"sid-1"};
    const Act act = act_on(
        {.kind = "detached", .about = ActAbout::persons, .person_in_path = audit::person_of_sid},
        "/profiles/{sid}/detach",
        request
    );
    EXPECT_EQ(
        act.detail, R"({"method":"POST","route":"/profiles/{sid}/detach","said":{"person":0}})"
    );
    ASSERT_EQ(act.people.size(), 1U);
    EXPECT_THAT(
        act.people[0].persons,
        ElementsAre(
            audit::person_of_sid("sid-1"),
            audit::person_of_id("shop", "email", "ann@example.org"),
            audit::person_of_fact("f1")
        )
    );
    EXPECT_THAT(act.people[0].payload, HasSubstr("ann asked for it"));
    EXPECT_THAT(act.people[0].payload, HasSubstr("sid-1"));
}

TEST(ActOf, what_is_long_or_no_json_is_named_by_its_digest) {
    const std::string lines = "{\"actor\":\"a\"}\n{\"actor\":\"b\"}\n";
    const ActKind kind{.kind = "people_said", .about = ActAbout::persons};
    const Act batch = act_on(kind, "/people", request_of(Method::post, "", lines));
    EXPECT_EQ(
        batch.people[0].payload, R"({"named":[],"body":{"bytes":28,"digest":"digest of 28"}})"
    );
    const std::string long_body = "{\"a\":\"" + std::string(9000, 'x') + "\"}";
    const Act long_act = act_on({.kind = "a"}, "/a", request_of(Method::put, "", long_body));
    EXPECT_THAT(long_act.detail, HasSubstr(R"("digest":"digest of 9008")"));
    const Act empty = act_on({.kind = "a"}, "/a", request_of(Method::del, "", ""));
    EXPECT_EQ(empty.detail, R"({"method":"DELETE","route":"/a","named":[]})");
    Request no_text = request_of(Method::del, "", "");
    no_text.placeholders = {"%ff"};
    no_text.query = "\xff";
    EXPECT_EQ(
        act_on({.kind = "a"}, "/{a}", no_text).detail,
        R"({"method":"DELETE","route":"/{a}","named":[""]})"
    );
}

/// Keeps what it is told, or cannot.
class HeardActs final : public audit::Acts {
public:
    Result<std::uint64_t> record_all(std::vector<Act> acts) override {
        if (broken) {
            return fail(ErrorKind::unavailable, "the store is away");
        }
        for (Act& each : acts) {
            heard.push_back(std::move(each));
        }
        return heard.size() - 1;
    }

    std::string digest(std::string_view) const override { return ""; }

    Result<std::size_t> forget(std::span<const std::string>) override { return 0; }

    Result<std::size_t> forget_until(Instant) override { return 0; }

    std::vector<Act> heard;
    bool broken = false;
};

class RecordedActs : public testing::Test {
protected:
    RecordedActs() {
        FrontDoor door{answers_.router, world_.keeper, {.acts = &acts_, .pool = &pool_}};
        const auto handler = [this](http_server::Exchange& exchange) {
            ++done_;
            recorded_before_ = acts_.heard.size();
            exchange.response().status = status_;
            return std::optional<runtime::Task<>>{};
        };
        door.acting({.kind = "rate_set", .has_trial = true})
            .add(keys::Scope::money, Method::put, "/rate", handler);
        door.add(keys::Scope::money, Method::get, "/rate", handler);
    }

    http_server::Response ask(Method method, std::string_view query = "") {
        Request request = request_of(method, "/rate", "");
        request.query = query;
        return answers_.ask(std::move(request));
    }

    KeyWorld world_;
    HeardActs acts_;
    WaitingRouter answers_;
    runtime::BlockingPool pool_{1, 10};
    int status_ = 200;
    std::size_t done_ = 0;
    std::size_t recorded_before_ = 0;
};

TEST_F(RecordedActs, are_recorded_before_they_are_done) {
    EXPECT_EQ(ask(Method::put).status, 200);
    EXPECT_EQ(done_, 1U);
    EXPECT_EQ(recorded_before_, 1U);
    ASSERT_EQ(acts_.heard.size(), 1U);
    EXPECT_EQ(acts_.heard[0].author, "this machine");
}

TEST_F(RecordedActs, that_cannot_be_recorded_do_not_happen) {
    acts_.broken = true;
    const auto answer = ask(Method::put);
    EXPECT_EQ(answer.status, 503);
    EXPECT_THAT(answer.body, HasSubstr("so it was not done"));
    EXPECT_EQ(done_, 0U);
}

TEST_F(RecordedActs, that_are_refused_have_a_second_entry) {
    status_ = 409;
    EXPECT_EQ(ask(Method::put).status, 409);
    ASSERT_EQ(acts_.heard.size(), 2U);
    EXPECT_EQ(acts_.heard[1].kind, "refused");
    EXPECT_EQ(acts_.heard[1].detail, R"({"entry":0,"status":409})");
}

TEST_F(RecordedActs, are_no_trials_and_no_questions) {
    EXPECT_EQ(ask(Method::put, "dry_run=true").status, 200);
    EXPECT_EQ(ask(Method::get).status, 200);
    EXPECT_EQ(done_, 2U);
    EXPECT_TRUE(acts_.heard.empty());
    EXPECT_EQ(ask(Method::put, "dry_run=0").status, 200);
    EXPECT_EQ(acts_.heard.size(), 1U);
}

TEST(ActingDoorDeathTest, no_program_starts_with_an_act_that_is_not_recorded) {
    KeyWorld world;
    http_server::Router router;
    FrontDoor door{router, world.keeper};
    const auto handler = [](http_server::Exchange&) { return std::optional<runtime::Task<>>{}; };
    EXPECT_DEATH(
        door.add(keys::Scope::admin, Method::post, "/keys", handler), "an administrative act"
    );
}

}  // namespace
}  // namespace footfall::api
