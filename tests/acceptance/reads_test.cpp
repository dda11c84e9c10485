// What becomes of reads on their way through the real program: who read what is told to nobody who
// was not allowed to know, and stands nowhere in clear.
#include "events/rfc3339.h"
#include "foundation_testing/files_below.h"
#include "test_support/running_server.h"
#include "test_support/tested_store.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace footfall {
namespace {

using http_server::ClientResponse;
using http_server::Method;
using testing::HasSubstr;
using testing::Not;
using namespace test_support;

class Reads : public RunningServer {
protected:
    void say(const std::string& actor, const std::string& consent) {
        const auto answer = api_.send(Method::put, "/api/v1/people/" + actor, consent);
        ASSERT_EQ(answer.status, 200) << answer.body;
    }

    /// A read with marks in all that is personal.
    static std::string read_of(
        const std::string& actor, const std::string& id, const std::string& url
    ) {
        return fmt::format(
            R"({{"id":"{1}","action":"read","object":"{2}","actor":"{0}","address":"192.0.2.77",)"
            R"("agent":"agent-of-{0}","referrer":"https://referrer-of-{0}.example/",)"
            R"("identifiers":[{{"identifier":"www","id_name":"id","id_value":"value-of-{0}"}}],)"
            R"("attributes":{{"note":"note-of-{0}"}}}})"
            "\n",
            actor,
            id,
            url
        );
    }

    boost::json::object event(const std::string& id) {
        return api_.get_json("/api/v1/events/" + id);
    }
};

const std::string article = "https://news.example/a";

TEST_F(Reads, are_counted_by_their_canonical_url_and_shared_if_their_actor_shares) {
    say("ann", R"({"reading":"shared"})");
    const auto outcome = api_.post_events(
        read_of("ann", "e-1", "HTTP://News.Example:80/a?utm_source=x#top") +
        read_of("eve", "e-2", "https://NEWS.example/a?fbclid=1") +
        read_of("ann", "e-1", "https://news.example/a")
    );
    EXPECT_EQ(outcome.at("accepted").to_number<int>(), 3);
    EXPECT_TRUE(outcome.at("rejected").as_array().empty());
    const auto views = api_.views(article, "?action=read");
    EXPECT_EQ(views.at("counted").to_number<int>(), 2) << "the third is the first again";
    const auto shared = event("e-1");
    EXPECT_EQ(shared.at("object").as_string(), article);
    EXPECT_TRUE(shared.at("shared").as_bool());
    EXPECT_EQ(shared.at("actor").as_string(), "ann")
        << "without keys this machine may ask for people";
    EXPECT_EQ(shared.at("agent").as_string(), "agent-of-ann");
    const auto stripped = event("e-2");
    EXPECT_FALSE(stripped.at("shared").as_bool());
    for (const char* field :
         {"actor", "address", "agent", "referrer", "identifiers", "attributes"}) {
        EXPECT_TRUE(shared.contains(field)) << field;
        EXPECT_FALSE(stripped.contains(field)) << field;
    }
    const auto list = boost::json::serialize(api_.get_json("/api/v1/events?limit=10"));
    EXPECT_THAT(list, HasSubstr(article));
    EXPECT_THAT(list, Not(HasSubstr("ann")));
    say("ann", R"({"reading":"off"})");
    EXPECT_FALSE(event("e-1").contains("actor"));
    EXPECT_TRUE(event("e-1").at("shared").as_bool());
}

TEST_F(Reads, are_shared_on_the_sites_that_are_set) {
    say("ann", R"({"reading":"shared"})");
    ASSERT_EQ(server_.stop(), 0);
    server_.restart({"--reading-sites", "news.example, B\u00fccher.example"});
    api_ = Api{server_};
    api_.post_events(
        read_of("ann", "e-1", "https://www.news.example/a") +
        read_of("ann", "e-2", "https://other.example/a") +
        read_of("ann", "e-3", "https://b\u00fccher.example/a")
    );
    EXPECT_TRUE(event("e-1").at("shared").as_bool());
    EXPECT_FALSE(event("e-2").at("shared").as_bool());
    EXPECT_FALSE(event("e-2").contains("actor"));
    EXPECT_TRUE(event("e-3").at("shared").as_bool());
}

TEST_F(Reads, live_as_many_days_as_is_set) {
    say("ann", R"({"reading":"shared"})");
    const auto read_days_ago = [](int days, const std::string& id) {
        const auto then =
            std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()) -
            std::chrono::days{days};
        return fmt::format(
            R"({{"id":"{}","action":"read","object":"{}/{}","actor":"ann","time":"{:%FT%TZ}"}})"
            "\n",
            id,
            article,
            days,
            then
        );
    };
    const auto shared = [&](const std::string& id) { return event(id).at("shared").as_bool(); };
    api_.post_events(read_days_ago(29, "e-1") + read_days_ago(32, "e-2"));
    EXPECT_TRUE(shared("e-1"));
    EXPECT_FALSE(shared("e-2"));
    ASSERT_EQ(server_.stop(), 0);
    server_.restart({"--reading-ttl", "7d"});
    api_ = Api{server_};
    api_.post_events(read_days_ago(5, "e-3") + read_days_ago(10, "e-4"));
    EXPECT_TRUE(shared("e-3"));
    EXPECT_FALSE(shared("e-4"));
    EXPECT_FALSE(event("e-1").contains("actor")) << "the key of that day is destroyed";
    const auto asked = fmt::format(R"({{"friends":["ann"],"urls":["{0}/5","{0}/29"]}})", article);
    const auto answer = api_.send(Method::post, "/api/v1/reading/who", asked);
    EXPECT_THAT(answer.body, HasSubstr(R"(/5","readers":["ann"])"));
    EXPECT_THAT(answer.body, HasSubstr(R"(/29","readers":[])"));
}

TEST_F(Reads, of_one_reader_count_once_an_hour_and_those_of_nobody_each) {
    say("ann", R"({"reading":"shared"})");
    api_.post_events(
        read_of("ann", "e-1", article) + read_of("ann", "e-2", article) +
        read_of("eve", "e-3", article) + read_of("eve", "e-4", article)
    );
    const auto views = api_.views(article, "?action=read");
    EXPECT_EQ(views.at("events").to_number<int>(), 4);
    EXPECT_EQ(views.at("counted").to_number<int>(), 3);
}

TEST_F(Reads, are_told_by_name_to_the_scope_people_alone) {
    say("ann", R"({"reading":"shared"})");
    api_.post_events(read_of("ann", "e-1", article));
    std::string admin;
    const auto add = [&](const std::string& name) {
        http_server::Client client = server_.client();
        const auto body = fmt::format(R"({{"name":"{0}","scopes":["{0}"]}})", name);
        const auto made = must(
            client.send(Method::post, "/api/v1/keys", body, {{"Authorization", "Bearer " + admin}})
        );
        EXPECT_EQ(made.status, 201) << made.body;
        return std::string{parse_object(made.body).at("key").as_string()};
    };
    admin = add("admin");
    const std::string read = add("read");
    const auto ask = [&](const std::string& key) {
        http_server::Client client = server_.client();
        return must(
            client.send(Method::get, "/api/v1/events/e-1", {}, {{"Authorization", "Bearer " + key}})
        );
    };
    EXPECT_THAT(ask(admin).body, HasSubstr(R"("actor":"ann")"));
    const ClientResponse anonymous = ask(read);
    EXPECT_EQ(anonymous.status, 200);
    EXPECT_THAT(anonymous.body, HasSubstr(R"("shared":true)"));
    EXPECT_THAT(anonymous.body, Not(HasSubstr("ann")));
}

/// Which friends read which articles, through the whole program.
class WhoReads : public Reads {
protected:
    /// "url: name name", a line a URL.
    std::vector<std::string> who(const std::string& question) {
        const auto answer = api_.send(Method::post, "/api/v1/reading/who", question);
        EXPECT_EQ(answer.status, 200) << answer.body;
        std::vector<std::string> lines;
        for (const auto& url : parse_object(answer.body).at("urls").as_array()) {
            std::string line{url.at("url").as_string()};
            for (const auto& reader : url.at("readers").as_array()) {
                line += " " + std::string{reader.as_string()};
            }
            lines.push_back(std::move(line));
        }
        return lines;
    }

    void start_again(bool kill) {
        if (kill) {
            server_.kill();
        } else {
            ASSERT_EQ(server_.stop(), 0);
        }
        server_.restart();
        api_ = Api{server_};
    }
};

TEST_F(WhoReads, friends_who_share_appear_until_they_are_off) {
    for (const char* actor : {"bob", "cid", "dan"}) {
        say(actor, R"({"reading":"shared"})");
    }
    say("dan", R"({"reading":"shared","to":"friends"})");
    const auto list =
        api_.send(Method::put, "/api/v1/people/ann/friends", R"({"friends":["bob","dan","eve"]})");
    ASSERT_EQ(list.status, 200);
    api_.post_events(
        read_of("bob", "e-1", "https://news.example/a?utm_source=x") +
        read_of("cid", "e-2", article) + read_of("dan", "e-3", article) +
        read_of("eve", "e-4", article) + read_of("bob", "e-5", "https://news.example/b")
    );
    const std::string asked =
        R"("urls":["https://news.example/b","HTTP://news.example/a#x","https://news.example/c"])";
    const std::string by_ann = R"({"actor":"ann",)" + asked + "}";
    const std::vector<std::string> bob{
        "https://news.example/b bob", "HTTP://news.example/a#x bob", "https://news.example/c"
    };
    EXPECT_EQ(who(by_ann), bob) << "dan appears to his friends alone";
    EXPECT_EQ(
        who(R"({"friends":["cid","dan","bob"],)" + asked + "}"),
        (std::vector<std::string>{
            "https://news.example/b bob",
            "HTTP://news.example/a#x bob cid",
            "https://news.example/c"
        })
    );
    api_.send(Method::put, "/api/v1/people/dan/friends", R"({"friends":["ann"]})");
    EXPECT_THAT(who(by_ann).at(1), HasSubstr("bob dan"));
    start_again(true);
    EXPECT_THAT(who(by_ann).at(1), HasSubstr("bob dan"));
    start_again(false);
    EXPECT_THAT(who(by_ann).at(1), HasSubstr("bob dan"));
    say("bob", R"({"reading":"off"})");
    EXPECT_EQ(who(by_ann).at(0), "https://news.example/b");
    say("bob", R"({"reading":"shared"})");
    EXPECT_EQ(who(by_ann).at(0), "https://news.example/b") << "what was withdrawn does not return";
}

/// A person's own list, and taking back what is on it.
class OwnReads : public WhoReads {
protected:
    /// Their URLs, in the order of the list.
    std::vector<std::string> own(const std::string& actor) {
        std::vector<std::string> urls;
        const auto list = api_.get_json("/api/v1/people/" + actor + "/reads");
        for (const auto& each : list.at("reads").as_array()) {
            urls.emplace_back(each.at("url").as_string());
        }
        return urls;
    }

    int take_back(const std::string& query) {
        const auto answer = api_.send(Method::del, "/api/v1/people/bob/reads?" + query);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return parse_object(answer.body).at("taken_back").to_number<int>();
    }

    static std::string read_at(const std::string& url, const std::string& time) {
        return fmt::format(
            R"({{"action":"read","object":"{}","actor":"bob"{}}})"
            "\n",
            url,
            time.empty() ? "" : fmt::format(R"(,"time":"{}")", time)
        );
    }

    std::string seen() {
        std::string seen;
        for (const std::string& each :
             who(R"({"friends":["bob"],"urls":["https://a.example/1","https://a.example/2",)"
                 R"("https://www.b.example/1","https://c.example/1"]})")) {
            seen += each.ends_with(" bob") ? "1" : "0";
        }
        return seen;
    }
};

TEST_F(OwnReads, are_what_others_see_and_go_when_they_are_taken_back) {
    say("bob", R"({"reading":"shared"})");
    const auto now = std::chrono::floor<std::chrono::seconds>(SystemClock{}.now());
    const auto ago = [&](int hours) {
        return events::format_rfc3339(now - std::chrono::hours{hours});
    };
    api_.post_events(
        read_at("https://a.example/1?utm_source=x", ago(9)) +
        read_at("https://a.example/2", ago(7)) + read_at("https://www.b.example/1", ago(5)) +
        read_at("https://c.example/1", ago(3)) + read_at("https://a.example/1", ago(1))
    );
    EXPECT_EQ(seen(), "1111");
    EXPECT_THAT(
        own("bob"),
        testing::ElementsAre(
            "https://a.example/1",
            "https://c.example/1",
            "https://www.b.example/1",
            "https://a.example/2"
        )
    );
    EXPECT_EQ(take_back("url=https%3A%2F%2FA.example%2F2%23top"), 1);
    EXPECT_EQ(seen(), "1011");
    start_again(true);
    EXPECT_EQ(seen(), "1011") << "what was taken back does not return";
    EXPECT_EQ(take_back("site=b.example"), 1);
    EXPECT_EQ(seen(), "1001");
    EXPECT_EQ(take_back("site=b.example"), 0);
    EXPECT_EQ(take_back("from=" + ago(2)), 1) << "its latest read is what counts";
    EXPECT_EQ(seen(), "0001");
    EXPECT_THAT(own("bob"), testing::ElementsAre("https://c.example/1"));
    api_.post_events(read_at("https://a.example/2", ago(0)));
    EXPECT_EQ(seen(), "0101") << "it was read again";
    start_again(false);
    EXPECT_EQ(seen(), "0101");
    EXPECT_EQ(take_back("all=true"), 2);
    EXPECT_EQ(seen(), "0000");
    EXPECT_THAT(own("bob"), testing::IsEmpty());
    api_.post_events(read_at("https://c.example/1", ago(0)));
    EXPECT_EQ(seen(), "0001");
    start_again(true);
    EXPECT_EQ(seen(), "0001");
    say("bob", R"({"reading":"off"})");
    EXPECT_EQ(take_back("all=true"), 0);
    EXPECT_THAT(own("bob"), testing::IsEmpty());
}

TEST_F(OwnReads, come_page_by_page) {
    say("bob", R"({"reading":"shared"})");
    std::string events;
    for (int at = 0; at < 7; ++at) {
        events += read_at(fmt::format("https://a.example/{}", at), "");
    }
    api_.post_events(events);
    std::vector<std::string> urls;
    std::string after;
    int pages = 0;
    do {
        const auto list = api_.get_json(
            "/api/v1/people/bob/reads?limit=3&after=" + http_server::percent_encode(after)
        );
        for (const auto& each : list.at("reads").as_array()) {
            urls.emplace_back(each.at("url").as_string());
        }
        after = list.at("next").is_null() ? "" : list.at("next").as_string().c_str();
        ++pages;
    } while (!after.empty());
    EXPECT_EQ(pages, 3);
    EXPECT_EQ(urls.size(), 7);
    EXPECT_EQ(std::set<std::string>(urls.begin(), urls.end()).size(), 7);
}

TEST_F(OwnReads, that_were_taken_back_are_no_events_of_anybody) {
    say("bob", R"({"reading":"shared"})");
    api_.post_events(read_of("bob", "e-1", article) + read_of("bob", "e-2", article + "/2"));
    EXPECT_TRUE(event("e-1").contains("actor"));
    EXPECT_EQ(take_back("url=" + http_server::percent_encode(article)), 1);
    EXPECT_FALSE(event("e-1").contains("actor"));
    EXPECT_TRUE(event("e-2").contains("actor"));
}

class ReadsOnDisk : public Reads {};

TEST_F(ReadsOnDisk, stand_in_no_file_by_name) {
    say("annabel", R"({"reading":"shared"})");
    api_.post_events(
        read_of("annabel", "id-of-annabel", article) + read_of("evelyn", "id-of-evelyn", article) +
        R"({"id":"planted","action":"view","object":"planted","actor":"planted-mark"})"
    );
    ASSERT_EQ(server_.stop(), 0);
    const auto is_there = [&](const std::string& text) {
        return is_in_files_below(directory_ / "data", text);
    };
    EXPECT_TRUE(is_there("planted-mark")) << "it would be found";
    EXPECT_TRUE(is_there("news.example/a"));
    for (const std::string name : {"annabel", "evelyn"}) {
        for (const char* mark : {"agent-of-", "referrer-of-", "value-of-", "note-of-", "id-of-"}) {
            EXPECT_FALSE(is_there(mark + name)) << mark << name;
        }
    }
    EXPECT_FALSE(is_there("192.0.2.77"));
    EXPECT_FALSE(is_there("evelyn")) << "who never shared is in no file";
}

}  // namespace
}  // namespace footfall
