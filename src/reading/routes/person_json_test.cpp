#include "reading_routes/person_json.h"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <utility>

namespace footfall::reading::routes {
namespace {

using namespace std::chrono_literals;
using people::Audience;
using people::Consent;
using people::Reading;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// 2026-11-21T10:00:00Z.
constexpr Instant now{std::chrono::seconds{1'795'255'200}};

Read<Consent> consent_in(std::string_view json) {
    return read_consent(boost::json::parse({json.data(), json.size()}).as_object(), now);
}

TEST(PersonJson, consent_is_what_its_fields_say_and_off_without_them) {
    EXPECT_EQ(consent_in("{}"), Consent{});
    EXPECT_EQ(consent_in(R"({"reading":null,"sites":null,"to":null,"until":null})"), Consent{});
    EXPECT_EQ(
        consent_in(
            R"({"reading":"shared","sites":["News.Example","b\u00fccher.example"],"to":"friends"})"
        ),
        (Consent{
            .reading = Reading::shared,
            .sites = {"news.example", "xn--bcher-kva.example"},
            .to = Audience::friends
        })
    );
    EXPECT_EQ(
        consent_in(R"({"reading":"private","until":"2026-11-21T12:00:00+01:00"})"),
        (Consent{.reading = Reading::paused, .until = now + 1h})
    );
}

TEST(PersonJson, what_is_no_consent_is_refused_by_its_field) {
    const std::vector<std::pair<const char*, const char*>> wrong{
        {R"({"reading":"on"})", "reading"},
        {R"({"reading":1})", "reading"},
        {R"({"reading":"shared","to":"all"})", "to"},
        {R"({"reading":"shared","sites":"news.example"})", "sites"},
        {R"({"reading":"shared","sites":[]})", "sites"},
        {R"({"reading":"shared","sites":[7]})", "sites"},
        {R"({"reading":"shared","sites":["https://news.example/"]})", "sites"},
        {R"({"reading":"shared","sites":["news.example/a"]})", "sites"},
        {R"({"reading":"shared","sites":["news.example:81"]})", "sites"},
        {R"({"reading":"shared","sites":["a b"]})", "sites"},
        {R"({"reading":"shared","sites":[""]})", "sites"},
        {R"({"reading":"shared","until":"2026-11-21T12:00:00Z"})", "until"},
        {R"({"reading":"private","until":"tomorrow"})", "until"},
        {R"({"reading":"private","until":"2026-11-21T10:00:00Z"})", "until"},
        {R"({"reading":"private","until":1795255201})", "until"},
    };
    for (const auto& [json, field] : wrong) {
        const auto consent = consent_in(json);
        ASSERT_FALSE(consent) << json;
        EXPECT_EQ(consent.error().field, field) << json;
        EXPECT_FALSE(consent.error().detail.empty());
    }
}

TEST(PersonJson, a_line_says_consent_friends_or_both) {
    const auto both =
        read_person_line(R"({"actor":"u1","reading":"shared","friends":["u2"]})", now);
    ASSERT_TRUE(both);
    EXPECT_EQ(both->actor, "u1");
    EXPECT_EQ(both->consent, Consent{.reading = Reading::shared});
    EXPECT_THAT(both->friends.value_or(std::vector<std::string>{}), ElementsAre("u2"));
    const auto friends = read_person_line(R"({"actor":"u1","friends":[],"to":null})", now);
    ASSERT_TRUE(friends);
    EXPECT_FALSE(friends->consent);
    EXPECT_THAT(friends->friends.value_or(std::vector<std::string>{"absent"}), IsEmpty());
    const auto consent = read_person_line(R"({"actor":"u1","reading":"off","friends":null})", now);
    ASSERT_TRUE(consent);
    EXPECT_EQ(consent->consent, Consent{});
    EXPECT_FALSE(consent->friends);
}

TEST(PersonJson, a_line_adds_and_removes_friends) {
    const auto said = read_person_line(R"({"actor":"u1","add":["u2","u3"],"remove":["u4"]})", now);
    ASSERT_TRUE(said);
    EXPECT_FALSE(said->consent);
    EXPECT_FALSE(said->friends);
    EXPECT_THAT(said->add, ElementsAre("u2", "u3"));
    EXPECT_THAT(said->remove, ElementsAre("u4"));
}

TEST(PersonJson, a_line_that_is_written_says_the_same) {
    for (const char* const line : {
             R"({"actor":"\"u1\"","reading":"off","to":"anyone"})",
             R"({"actor":"u1","reading":"private","to":"friends","until":"2026-11-21T10:00:01Z"})",
             R"({"actor":"u1","reading":"shared","to":"anyone","sites":["a.example","b.example"]})",
             R"({"actor":"u1","friends":[]})",
             R"({"actor":"u1","friends":["u2","\\"],"add":["u3"],"remove":["u4","u5"]})",
         }) {
        const auto said = read_person_line(line, now);
        ASSERT_TRUE(said) << line;
        std::string written;
        append_person_line(*said, written);
        EXPECT_EQ(written, line);
    }
}

TEST(PersonJson, a_line_that_is_wrong_is_refused_by_its_field) {
    const std::string long_name(1025, 'n');
    const std::vector<std::pair<std::string, const char*>> wrong{
        {"", "line"},
        {"[]", "line"},
        {"{", "line"},
        {"{\"actor\":\"u1\",\"reading\":\"off\"}x", "line"},
        {R"({"reading":"shared"})", "actor"},
        {R"({"actor":"","reading":"shared"})", "actor"},
        {R"({"actor":7,"reading":"shared"})", "actor"},
        {R"({"actor":"a\u0000b","reading":"shared"})", "actor"},
        {"{\"actor\":\"\xff\",\"reading\":\"shared\"}", "line"},
        {R"({"actor":")" + long_name + R"(","reading":"shared"})", "actor"},
        {R"({"actor":"u1"})", "reading"},
        {R"({"actor":"u1","friends":null})", "reading"},
        {R"({"actor":"u1","site":["news.example"]})", "site"},
        {R"({"actor":"u1","add":[],"remove":[]})", "reading"},
        {R"({"actor":"u1","add":"u2"})", "add"},
        {R"({"actor":"u1","add":["u2"],"remove":[""]})", "remove"},
        {R"({"actor":"u1","friends":"u2"})", "friends"},
        {R"({"actor":"u1","friends":[2]})", "friends"},
        {R"({"actor":"u1","friends":[""]})", "friends"},
        {R"({"actor":"u1","friends":[")" + long_name + R"("]})", "friends"},
    };
    for (const auto& [line, field] : wrong) {
        const auto said = read_person_line(line, now);
        ASSERT_FALSE(said) << line;
        EXPECT_EQ(said.error().field, field) << line;
    }
    std::string many = R"({"actor":"u1","friends":["u")";
    for (int at = 0; at < 5'000; ++at) {
        many += ",\"u\"";
    }
    const auto said = read_person_line(many + "]}", now);
    ASSERT_FALSE(said);
    EXPECT_THAT(said.error().detail, HasSubstr("5001"));
}

TEST(PersonJson, a_person_is_shown_as_they_stand) {
    people::Person person{.actor = "\"u1\""};
    EXPECT_EQ(
        person_json(person),
        R"({"actor":"\"u1\"","reading":"off","until":null,"sites":null,"to":"anyone","since":null,"changed_at":null})"
    );
    person.consent = {
        .reading = Reading::paused,
        .until = now + 1h,
        .sites = {"a.example", "b.example"},
        .to = Audience::friends
    };
    person.since = now - 1h;
    person.changed_at = now;
    EXPECT_EQ(
        person_json(person),
        R"({"actor":"\"u1\"","reading":"private","until":"2026-11-21T11:00:00Z",)"
        R"("sites":["a.example","b.example"],"to":"friends","since":"2026-11-21T09:00:00Z",)"
        R"("changed_at":"2026-11-21T10:00:00Z"})"
    );
}

}  // namespace
}  // namespace footfall::reading::routes
