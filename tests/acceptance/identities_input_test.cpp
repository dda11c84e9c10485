// What is no match, no decision and no question: each is told what is wrong with it, and where; it
// changes nothing, and harms nobody beside it.
#include "identities_server.h"
#include "test_support/bad_request.h"
#include "test_support/eventually.h"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using testing::HasSubstr;
using testing::SizeIs;
using namespace test_support;

const std::string matching = "/api/v1/identities/match";
const std::string deciding = "/api/v1/identities/decisions";
const std::string a_fact(32, 'a');

/// A text that is no match.
struct NoMatch {
    std::string text;
    std::string field;   ///< At fault; empty: the text as a whole.
    std::string detail;  ///< Words of what its sender is told.
};

std::string with_ids(const std::string& ids, const std::string& more = {}) {
    return fmt::format(R"({{"ids":{}{}}})", ids, more);
}

/// Of one id, of which one part is written so.
std::string with_part(const std::string& part, const std::string& json) {
    const auto text = [&](const std::string& name) { return name == part ? json : R"("a")"; };
    return with_ids(fmt::format(
        R"([{{"identifier":{},"id_name":{},"id_value":{}}}])",
        text("identifier"),
        text("id_name"),
        text("id_value")
    ));
}

std::string deep(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

std::vector<NoMatch> no_matches() {
    const std::string one = ids_json({"www:w1"});
    constexpr int too_many = 33;
    std::vector<std::string> many;
    many.reserve(too_many);
    for (int number = 0; number < too_many; ++number) {
        many.push_back(fmt::format("www:w{}", number));
    }
    const std::string long_name = "\"" + std::string(257, 'a') + "\"";
    const std::string no_object = "not one JSON object";
    std::vector<NoMatch> all{
        {"[]", "", no_object},
        {"null", "", no_object},
        {"7", "", no_object},
        {R"("www")", "", no_object},
        {"{", "", no_object},
        {R"({"ids":[{"identifier":"www")", "", no_object},
        {one + one, "", no_object},
        {with_ids(one) + "}", "", no_object},
        {R"({"ids":)" + deep(100) + "}", "", no_object},
        {with_ids(one, R"(,"time":01)"), "", no_object},
        {with_part("id_value", "\"\xff\xfe\""), "", no_object},
        {with_part("id_value", "\"\xc3\""), "", no_object},
        {with_part("id_value", R"("\ud800")"), "", no_object},
        {with_part("id_value", std::string{"\"a\0b\"", 5}), "", no_object},
        {"{}", "ids", "ids is missing"},
        {R"({"ids":null})", "ids", "ids is missing"},
        {R"({"ids":[]})", "ids", "1 to 32 ids"},
        {R"({"ids":"w1"})", "ids", "1 to 32 ids"},
        {R"({"ids":{"identifier":"www"}})", "ids", "1 to 32 ids"},
        {with_ids(ids_json(many)), "ids", "1 to 32 ids"},
        {with_ids(ids_json({"www:w1", "www:w1"})), "ids", "one id again"},
        {R"({"ids":["w1"]})", "ids[0]", "an id is"},
        {R"({"ids":[null]})", "ids[0]", "an id is"},
        {R"({"ids":[{"identifier":"www"}]})", "ids[0]", "an id is"},
        {R"({"ids":[[["www","id","w1"]]]})", "ids[0]", "an id is"},
        {R"({"ids":[{"identifier":"a","id_name":"a","id_value":"a","ttl":1}]})", "ids[0]", "an id"},
        {R"({"ids":[{"identifier":"a","id_name":"a","value":"a"}]})", "ids[0].id_value", "1 to 256"
        },
        {R"({"ids":[{"identifier":"a","id_name":"b","id_value":"c"},7]})", "ids[1]", "an id is"},
        {with_part("id_value", R"("undefined")"), "ids[0].id_value", "stands for nobody"},
        {with_part("id_value", R"("NULL")"), "ids[0].id_value", "stands for nobody"},
        {with_part("id_value", R"("0")"), "ids[0].id_value", "stands for nobody"},
        {with_ids(one, R"(,"time":"yesterday")"), "time", "RFC 3339"},
        {with_ids(one, R"(,"time":"2026-11-21")"), "time", "RFC 3339"},
        {with_ids(one, R"(,"time":"2026-02-30T10:00:00Z")"), "time", "RFC 3339"},
        {with_ids(one, R"(,"time":1763719200)"), "time", "RFC 3339"},
        {with_ids(one, R"(,"time":"2999-01-01T00:00:00Z")"), "time", "still to come"},
        {with_ids(one, R"(,"source":7)"), "source", "a text"},
        {with_ids(one, R"(,"source":["crm"])"), "source", "a text"},
        {with_ids(one, R"(,"source":"a\u0000b")"), "source", "control characters"},
        {with_ids(one, ",\"source\":" + long_name), "source", "at most 256 bytes"},
        {with_ids(one, R"(,"sauce":"crm")"), "sauce", "there is no field"},
        {with_ids(one, R"(,"":"crm")"), "", "there is no field"}
    };
    for (const std::string part : {"identifier", "id_name", "id_value"}) {
        const std::string field = "ids[0]." + part;
        const std::string length = part + " is a text of 1 to 256 bytes";
        const std::string letters = part + " is UTF-8 without control characters";
        all.push_back({with_part(part, R"("")"), field, length});
        all.push_back({with_part(part, long_name), field, length});
        all.push_back({with_part(part, "7"), field, length});
        all.push_back({with_part(part, "null"), field, length});
        all.push_back({with_part(part, R"({"a":"b"})"), field, length});
        all.push_back({with_part(part, R"("a\u0000")"), field, letters});
        all.push_back({with_part(part, R"("a\nb")"), field, letters});
        all.push_back({with_part(part, R"("a\u007f")"), field, letters});
    }
    return all;
}

class IdentitiesInput : public IdentitiesServer {
protected:
    void SetUp() override {
        match({"www:w1", "shop:c1"});
        match({"www:w2", "shop:c2"});
        one_ = sid("www:w1");
        ASSERT_TRUE(eventually([&] { return !is_provisional("www:w2"); }));
    }

    /// All that is in the log, and the profiles.
    std::string all_there_is() {
        return boost::json::serialize(api_.get_json("/api/v1/events?limit=500")) +
               boost::json::serialize(api_.get_json("/api/v1/profiles/" + one_ + "/why")) +
               boost::json::serialize(api_.get_json("/api/v1/profiles/" + sid("www:w2")));
    }

    void expect_all_refused(const std::vector<Bad>& all) {
        expect_refused(api_, all, [this] { return all_there_is(); });
    }

    std::string one_;  ///< The profile of www:w1 and shop:c1.
};

TEST_F(IdentitiesInput, refuses_what_is_no_match) {
    std::vector<Bad> all;
    for (const NoMatch& each : no_matches()) {
        all.push_back(
            {.method = Method::post,
             .target = matching,
             .body = each.text,
             .field = each.field.empty() && each.detail.starts_with("there") ? "body" : each.field,
             .detail = each.detail}
        );
    }
    EXPECT_GE(all.size(), 50U);
    const auto other =
        [&](Method method, const std::string& target, int status, const std::string& type) {
            all.push_back({.method = method, .target = target, .status = status, .type = type});
        };
    all.push_back(
        {.method = Method::post,
         .target = matching,
         .body = with_part("id_value", "\"" + std::string(1 << 20, 'a') + "\""),
         .status = 413,
         .type = "body-too-large",
         .detail = "application/x-ndjson"}
    );
    all.push_back({.method = Method::post, .target = matching + "?dry_run=true", .field = "dry_run"}
    );
    all.push_back({.method = Method::post, .target = matching, .detail = "not one JSON object"});
    other(Method::get, matching, 405, "method-not-allowed");
    other(Method::put, matching, 405, "method-not-allowed");
    other(Method::get, "/api/v1/identities/match/it", 404, "not-found");
    expect_all_refused(all);
}

/// A good line stands before each bad one, and one behind all.
TEST_F(IdentitiesInput, refuses_lines_that_are_no_match_one_by_one) {
    const std::vector<NoMatch> bad = no_matches();
    std::string lines;
    for (std::size_t at = 0; at < bad.size(); ++at) {
        lines += with_ids(ids_json({fmt::format("good:g{}", at), "good:all"})) + "\n" +
                 bad[at].text + "\n";
    }
    lines += with_part("id_value", "\"" + std::string(1 << 20, 'a') + "\"") + "\n\n" +
             with_ids(ids_json({"good:last", "good:all"}));
    const auto answers = match_lines(lines);
    ASSERT_THAT(answers, SizeIs(2 * bad.size() + 2));
    for (std::size_t at = 0; at < bad.size(); ++at) {
        SCOPED_TRACE(bad[at].text.substr(0, 200));
        EXPECT_TRUE(answers[2 * at].contains("sid"));
        const boost::json::object& problem = answers[2 * at + 1];
        EXPECT_EQ(problem.at("type").as_string(), "/problems/invalid-input");
        EXPECT_EQ(problem.at("status").to_number<int>(), 400);
        EXPECT_EQ(problem.at("line").to_number<std::size_t>(), 2 * at + 2);
        const bool is_nameless = bad[at].field.empty() && bad[at].detail.starts_with("there");
        const std::string field = is_nameless ? "line" : bad[at].field;
        EXPECT_EQ(problem.contains("field"), !field.empty()) << problem;
        if (!field.empty()) {
            EXPECT_EQ(problem.at("field").as_string(), field);
        }
        EXPECT_THAT(std::string{problem.at("detail").as_string()}, HasSubstr(bad[at].detail));
    }
    EXPECT_EQ(answers[2 * bad.size()].at("field").as_string(), "ids[0].id_value");
    EXPECT_EQ(answers.back().at("sid").as_string(), sid("good:last"));
    EXPECT_EQ(sid("www:a"), "");
    EXPECT_EQ(sid("www:w3"), "") << "the 33 ids that were refused together";
    EXPECT_THAT(ids_of(one_), SizeIs(2));
}

TEST_F(IdentitiesInput, refuses_what_is_no_batch) {
    const std::string before = all_there_is();
    const auto send = [&](const std::string& body,
                          const std::string& target = matching,
                          const std::string& encoding = {}) {
        http_server::Client client = server_.client();
        return must(client.send(
            Method::post,
            target,
            body,
            {{"Content-Type", "application/x-ndjson"}, {"Content-Encoding", encoding}}
        ));
    };
    const std::string good = with_ids(ids_json({"good:g", "good:h"})) + "\n";
    expect_problem(send(good, matching + "?source=crm"), 400, "invalid-input", "source");
    expect_problem(send(good, matching, "br"), 415, "unsupported-encoding", "Content-Encoding");
    expect_problem(send(good, matching, "gzip"), 400, "invalid-input", "Content-Encoding");
    std::string many;
    for (int line = 0; line < 100'001; ++line) {
        many += "{}\n";
    }
    expect_problem(send(many), 413, "too-many-lines", "");
    expect_problem(send(std::string((16 << 20) + 1, '\n')), 413, "body-too-large", "");
    EXPECT_EQ(all_there_is(), before);
    EXPECT_EQ(send("").body, "");
    EXPECT_EQ(send("\n \r\n\n").body, "");
}

TEST_F(IdentitiesInput, refuses_what_is_no_detach) {
    const std::string detaching = "/api/v1/profiles/" + one_ + "/detach";
    const std::string w1 = ids_json({"www:w1"});
    const std::string known_fact{
        api_.get_json("/api/v1/profiles/" + one_ + "/why").at("facts").at(0).at("fact").as_string()
    };
    const std::string other_fact{api_.get_json("/api/v1/profiles/" + sid("www:w2") + "/why")
                                     .at("facts")
                                     .at(0)
                                     .at("fact")
                                     .as_string()};
    std::string many_facts;
    for (int number = 0; number < 10'001; ++number) {
        many_facts += (many_facts.empty() ? "\"" : ",\"") + a_fact + "\"";
    }
    std::vector<Bad> all;
    const auto add = [&](const std::string& body,
                         const std::string& field,
                         const std::string& detail,
                         int status = 400) {
        all.push_back(
            {.method = Method::post,
             .target = detaching,
             .body = body,
             .status = status,
             .type = status == 404 ? "not-found" : "invalid-input",
             .field = field,
             .detail = detail}
        );
    };
    add("", "", "not one JSON object");
    add("[]", "", "not one JSON object");
    add(deep(100), "", "not one JSON object");
    add("{}", "ids", "name ids that are somebody else");
    add(R"({"ids":[],"facts":[]})", "ids", "1 to 1000 ids");
    add(R"({"ids":[7]})", "ids[0]", "an id is");
    add(with_part("id_value", "\"\\u0000\""), "ids[0].id_value", "control characters");
    add(with_part("identifier", R"("")"), "ids[0].identifier", "1 to 256 bytes");
    add(with_ids(ids_json({"www:w9"})), "ids", "not in this profile");
    add(with_ids(ids_json({"www:w2"})), "ids", "not in this profile");
    add(with_ids(ids_json({"www:w1", "shop:c1"})), "ids", "nobody would be left");
    add(with_ids(w1, R"(,"facts":["a"])"), "ids", "not both");
    add(with_ids(w1, R"(,"reason":7)"), "reason", "a text");
    add(with_ids(w1, ",\"reason\":\"" + std::string(1001, 'r') + "\""), "reason", "1000 bytes");
    add(with_ids(w1, R"(,"time":"2026-11-21T10:00:00Z")"), "time", "there is no field");
    add(R"({"facts":"a"})", "ids", "name ids");
    add(with_ids(w1, R"(,"links":{"source":"crm"})"), "ids", "not both");
    add(R"({"facts":{}})", "ids", "name ids");
    add(R"({"facts":[7]})", "facts", "32 digits");
    add(R"({"facts":["a"]})", "facts", "32 digits");
    add(R"({"facts":[")" + std::string(32, 'g') + R"("]})", "facts", "32 digits");
    add(R"({"facts":[")" + a_fact + R"("]})", "facts", "nobody has said", 404);
    add(R"({"facts":[")" + other_fact + R"("]})", "facts", "says nothing of this profile");
    add(R"({"facts":[)" + many_facts + "]}", "ids", "up to 10000 facts");
    add(R"({"facts":[")" + known_fact + R"(",null]})", "facts", "32 digits");
    all.push_back(
        {.method = Method::post,
         .target = detaching + "?dry_run=perhaps",
         .body = with_ids(w1),
         .field = "dry_run"}
    );
    all.push_back(
        {.method = Method::post, .target = detaching + "?dry=1", .body = "{}", .field = "dry"}
    );
    expect_all_refused(all);
}

TEST_F(IdentitiesInput, refuses_what_is_no_links_of_a_source) {
    const std::vector<std::pair<std::string, std::string>> bad{
        {"7", "links is {"},
        {R"({"from":"2026-11-01T00:00:00Z"})", "links is {"},
        {R"({"source":"crm","to":"2026-11-01T00:00:00Z"})", "links is {"},
        {R"({"source":"crm","until":"yesterday"})", "links.until"},
        {R"({"source":"crm","from":"2026-11-02T00:00:00Z","until":"2026-11-02T00:00:00Z"})",
         "links.until is not after"}
    };
    std::vector<Bad> all;
    all.reserve(bad.size());
    for (const auto& [links, detail] : bad) {
        all.push_back(
            {.method = Method::post,
             .target = "/api/v1/profiles/" + one_ + "/detach",
             .body = fmt::format(R"({{"links":{}}})", links),
             .field = "links",
             .detail = detail}
        );
    }
    expect_all_refused(all);
}

TEST_F(IdentitiesInput, refuses_what_is_no_decision) {
    std::vector<Bad> all;
    const auto add = [&](Method method,
                         const std::string& target,
                         const std::string& body,
                         int status,
                         const std::string& field) {
        all.push_back(
            {.method = method,
             .target = target,
             .body = body,
             .status = status,
             .type = status == 404 ? "not-found" : "invalid-input",
             .field = field}
        );
    };
    add(Method::post, deciding, "", 400, "");
    add(Method::post, deciding, "{}", 400, "kind");
    add(Method::post, deciding, R"({"kind":7})", 400, "kind");
    add(Method::post, deciding, R"({"kind":"merge"})", 400, "kind");
    add(Method::post, deciding, R"({"kind":"revoke"})", 400, "kind");
    add(Method::post, deciding, R"({"kind":"accept"})", 400, "fact");
    add(Method::post, deciding, R"({"kind":"accept","fact":7})", 400, "fact");
    add(Method::post, deciding, R"({"kind":"accept","fact":"x"})", 400, "fact");
    add(Method::post, deciding, R"({"kind":"reject","fact":")" + a_fact + "\"}", 404, "fact");
    add(Method::post, deciding, R"({"kind":"accept","facts":[]})", 400, "facts");
    add(Method::post, deciding + "?dry_run=7", "{}", 400, "dry_run");
    add(Method::post, deciding + "?dry=true", "{}", 400, "dry");
    add(Method::post, deciding, R"({"kind":"lift"})", 400, "id");
    add(Method::post, deciding, R"({"kind":"lift","id":"www"})", 400, "id");
    add(Method::post,
        deciding,
        R"({"kind":"lift","id":{"identifier":"www","id_name":"id","id_value":""}})",
        400,
        "id.id_value");
    add(Method::post, deciding, R"({"kind":"lift","fact":")" + a_fact + "\"}", 400, "fact");
    add(Method::post, deciding, R"({"kind":"accept","id":{}})", 400, "id");
    add(Method::post, deciding, R"({"kind":"lift","id":)" + id_json("www:w9") + "}", 404, "id");
    add(Method::del, deciding + "/" + a_fact, "", 404, "decision");
    add(Method::del, deciding + "/x", "", 400, "decision");
    add(Method::del, deciding + "/%00", "", 400, "decision");
    add(Method::del, deciding + "/%ff", "", 400, "decision");
    add(Method::del, deciding + "/" + a_fact + "?why=1", "", 400, "why");
    add(Method::del,
        deciding + "/" + a_fact + "?reason=" + std::string(1001, 'r'),
        "",
        400,
        "reason");
    const std::string link{
        api_.get_json("/api/v1/profiles/" + one_ + "/why").at("facts").at(0).at("fact").as_string()
    };
    add(Method::del, deciding + "/" + link, "", 400, "decision");
    expect_all_refused(all);
}

TEST_F(IdentitiesInput, refuses_what_is_no_question) {
    std::vector<Bad> all;
    const auto add = [&](const std::string& target, int status, const std::string& field) {
        all.push_back(
            {.target = target,
             .status = status,
             .type = status == 404 ? "not-found" : "invalid-input",
             .field = field}
        );
    };
    add("/api/v1/identities/www/id/w9", 404, "");
    add("/api/v1/identities/www/id/w1?x=1", 400, "x");
    add("/api/v1/identities/www/id/%ff", 400, "id_value");
    add("/api/v1/identities/www/%c3/w1", 400, "id_name");
    add("/api/v1/identities/%ff/id/w1", 400, "identifier");
    add("/api/v1/identities/www/id/a%00", 404, "");
    add("/api/v1/identities/www/id/" + std::string(2000, 'a'), 404, "");
    add("/api/v1/profiles/nobody", 404, "sid");
    add("/api/v1/profiles/" + std::string(36, 'a'), 404, "sid");
    add("/api/v1/profiles/2891ea04-10b2-5eb3-babd-9301c619ea9e", 404, "sid");
    add("/api/v1/profiles/%ff", 400, "sid");
    add("/api/v1/profiles/" + one_ + "?limit=1", 400, "limit");
    add("/api/v1/profiles/nobody/why", 404, "sid");
    add("/api/v1/profiles/" + one_ + "/why?x=1", 400, "x");
    add("/api/v1/identities/contested?guard=kiosk", 400, "guard");
    add("/api/v1/identities/contested?cursor=7", 400, "cursor");
    const std::string pathing = "/api/v1/identities/path?from_identifier=www&from_id_name=id&";
    add(pathing, 400, "from_id_value");
    add(pathing + "from_id_value=" + std::string(257, 'a'), 400, "from_id_value");
    add(pathing + "from_id_value=w1&to_identifier=a%00b", 400, "to_identifier");
    add(pathing + "from_id_value=w1&to=w2", 400, "to");
    add(pathing + "from_id_value=w1&to_identifier=www&to_id_name=id&to_id_value=w9",
        404,
        "to_id_value");
    expect_all_refused(all);
}

/// Who may write events, or read views, may not ask who is who, nor say it.
TEST_F(IdentitiesInput, refuses_keys_of_other_scopes) {
    std::map<std::string, std::string> keys;
    const auto ask = [&](const std::string& key,
                         Method method,
                         const std::string& target,
                         const std::string& body) {
        http_server::Client client = server_.client();
        const std::string shown = keys.contains(key) ? "Bearer " + keys.at(key) : "";
        return must(client.send(method, target, body, {{"Authorization", shown}}));
    };
    for (const std::string name : {"admin", "people", "read", "write", "money"}) {
        const auto made =
            ask("admin",
                Method::post,
                "/api/v1/keys",
                fmt::format(R"({{"name":"{0}","scopes":["{0}"]}})", name));
        ASSERT_EQ(made.status, 201) << made.body;
        keys[name] = parse_object(made.body).at("key").as_string();
    }
    const std::string profile = "/api/v1/profiles/" + one_;
    const std::vector<Bad> all{
        {.method = Method::post, .target = matching, .body = with_ids(ids_json({"www:w7"}))},
        {.target = "/api/v1/identities/www/id/w1"},
        {.target = profile},
        {.target = profile + "/why"},
        {.target = "/api/v1/identities/path"},
        {.method = Method::post,
         .target = profile + "/detach",
         .body = with_ids(ids_json({"www:w1"}))},
        {.method = Method::post, .target = "/api/v1/identities/undo", .body = "{}"},
        {.method = Method::post, .target = "/api/v1/identities/revoke", .body = "{}"},
        {.method = Method::post, .target = deciding, .body = "{}"},
        {.method = Method::del, .target = deciding + "/" + a_fact}
    };
    for (const Bad& each : all) {
        SCOPED_TRACE(each.target);
        expect_problem(
            ask("", each.method, each.target, each.body), 401, "key-required", "Authorization"
        );
        for (const std::string key : {"read", "write", "money"}) {
            expect_problem(
                ask(key, each.method, each.target, each.body), 403, "scope-missing", "Authorization"
            );
        }
    }
    const auto lookup = [&](const std::string& id) {
        return ask("people", Method::get, path_of(id), "").status;
    };
    EXPECT_EQ(lookup("www:w1"), 200);
    EXPECT_EQ(lookup("www:w7"), 404) << "nothing of it changed anything";
    EXPECT_EQ(
        ask("people", Method::get, profile, "").body.find("since") == std::string::npos, false
    );
}

}  // namespace
}  // namespace footfall
