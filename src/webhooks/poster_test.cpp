#include "webhooks/poster.h"

#include "webhooks/test_receiver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace footfall::webhooks {
namespace {

using testing::HasSubstr;

TEST(PosterUrl, where_only_the_internet_is_reached) {
    for (const std::string url :
         {"https://example.org",
          "https://example.org:8443/a?b=c",
          "https://93.184.216.34/",
          "https://[2606:2800:220:1::1]/"}) {
        EXPECT_TRUE(check_url(url, Reach::internet)) << url;
    }
    for (const std::string url :
         {"",
          "example",
          "ftp://example.org/",
          "file:///etc/passwd",
          "http://example.org/",
          "https://user:secret@example.org/",
          "https://example.org/#part",
          "https://169.254.169.254/latest/meta-data",
          "https://127.0.0.1/",
          "https://0x7f.1/",
          "https://2130706433/",
          "https://0177.0.0.1/",
          "https://10.0.0.1:9200/",
          "https://[::1]/",
          "https://[::ffff:127.0.0.1]/",
          "https://[fd00:ec2::254]/",
          "https://exa mple.org/",
          "https://"}) {
        const auto checked = check_url(url, Reach::internet);
        ASSERT_FALSE(checked) << url;
        EXPECT_EQ(checked.error().kind, ErrorKind::invalid_input) << url;
    }
    EXPECT_FALSE(check_url("https://example.org/" + std::string(3000, 'a'), Reach::internet));
}

TEST(PosterUrl, where_everything_is_reached) {
    EXPECT_TRUE(check_url("http://127.0.0.1:8080/hook", Reach::anywhere));
    EXPECT_TRUE(check_url("http://receiver.internal/", Reach::anywhere));
    EXPECT_FALSE(check_url("file:///etc/passwd", Reach::anywhere));
}

TEST(Poster, sends_and_answers_what_it_was_answered) {
    TestReceiver receiver;
    receiver.answer([](const Received&) {
        return http_server::Response{
            .status = 503, .body = "later, please", .headers = {{"Retry-After", "17"}}
        };
    });
    Poster poster{{.reach = Reach::anywhere}};
    for (int each = 0; each < 3; ++each) {
        const auto reply = poster.post(receiver.url(), {"webhook-id: a"}, "the body", {});
        ASSERT_TRUE(reply) << reply.error().message;
        EXPECT_EQ(reply->status, 503);
        EXPECT_EQ(reply->beginning, "later, please");
        EXPECT_EQ(reply->retry_after, std::chrono::seconds{17});
    }
    ASSERT_EQ(receiver.received().size(), 3);
    EXPECT_EQ(receiver.received().front().id, "a");
    EXPECT_EQ(receiver.received().front().body, "the body");
}

TEST(Poster, sends_nothing_to_what_is_not_public_whatever_its_name) {
    TestReceiver receiver;
    Poster poster{{.reach = Reach::internet}};
    for (std::string url : {receiver.url(), receiver.url()}) {
        if (const auto at = url.find("127.0.0.1"); receiver.received().empty()) {
            url.replace(at, 9, "localhost");
        }
        const auto reply = poster.post(url, {}, "secret", {});
        ASSERT_FALSE(reply);
        EXPECT_EQ(reply.error().kind, ErrorKind::invalid_input);
        EXPECT_THAT(reply.error().message, HasSubstr("private network"));
    }
    EXPECT_TRUE(receiver.received().empty());
}

TEST(Poster, follows_no_redirect) {
    TestReceiver other;
    TestReceiver receiver;
    receiver.answer([&](const Received&) {
        return http_server::Response{.status = 302, .headers = {{"Location", other.url()}}};
    });
    Poster poster{{.reach = Reach::anywhere}};
    const auto reply = poster.post(receiver.url(), {}, "body", {});
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 302);
    EXPECT_TRUE(other.received().empty());
}

TEST(Poster, keeps_only_the_beginning_of_an_answer) {
    TestReceiver receiver;
    receiver.answer([](const Received&) {
        return http_server::Response{.status = 500, .body = std::string(8 << 20, 'x')};
    });
    Poster poster{{.reach = Reach::anywhere}};
    const auto reply = poster.post(receiver.url(), {}, "body", {});
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->status, 500);
    EXPECT_EQ(reply->beginning, std::string(256, 'x'));
}

TEST(Poster, says_why_nothing_came) {
    std::string url;
    {
        const TestReceiver gone;
        url = gone.url();
    }
    Poster poster{{.reach = Reach::anywhere}};
    const auto reply = poster.post(url, {}, "body", {});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, ErrorKind::unavailable);
    EXPECT_THAT(reply.error().message, HasSubstr(url));
}

TEST(Poster, ends_where_the_program_stops) {
    TestReceiver receiver;
    std::stop_source stopping;
    stopping.request_stop();
    Poster poster{{.reach = Reach::anywhere}};
    const auto reply = poster.post(receiver.url(), {}, "body", stopping.get_token());
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, ErrorKind::cancelled);
}

}  // namespace
}  // namespace footfall::webhooks
