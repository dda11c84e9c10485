#include "test_support/raw_connection.h"
#include "test_support/run_command.h"
#include "test_support/running_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

namespace footfall {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using namespace test_support;

class HttpForm : public RunningServer {
protected:
    /// curl -s WORDS... URL-of-PATH: what it printed.
    std::string curl(std::vector<std::string> words, const std::string& path) const {
        words.insert(words.begin(), {"curl", "-s", "--max-time", "20"});
        words.push_back(server_.url() + path);
        const CommandResult done = run_command({.words = std::move(words)});
        return done.exit_code == 0 ? done.output
                                   : fmt::format("curl: {} {}", done.exit_code, done.errors);
    }

    std::string request(std::string_view line, std::string_view header) const {
        return ask_raw(server_.port(), fmt::format("{} HTTP/1.1\r\n{}", line, header), "t");
    }
};

TEST_F(HttpForm, the_plain_curl_of_the_documents_works) {
    EXPECT_EQ(curl({"-X", "PUT", "-d", "user-1"}, "/api/v1/counter/page"), "1\n");
    EXPECT_EQ(curl({"-X", "PUT", "-d", "user-2"}, "/api/v1/counter/page"), "2\n");
    EXPECT_EQ(curl({}, "/api/v1/counter/page"), "2\n");
}

TEST_F(HttpForm, chunked_bodies_work) {
    const std::string file = directory_.write("token", "chunked-token");
    const std::vector<std::string> words{
        "-X", "PUT", "-H", "Transfer-Encoding: chunked", "--data-binary", "@" + file
    };
    EXPECT_EQ(curl(words, "/api/v1/counter/a"), "1\n");
    EXPECT_EQ(api_.put("a", "chunked-token"), 1U);
}

TEST_F(HttpForm, a_chunked_body_in_pieces_is_the_same_token) {
    EXPECT_EQ(api_.put("a", "one two"), 1U);
    RawConnection connection{server_.port()};
    connection.send(
        "PUT /api/v1/counter/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        "Connection: close\r\n\r\n4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n"
    );
    EXPECT_THAT(connection.receive_all(), testing::EndsWith("\r\n\r\n1\n"));
}

TEST_F(HttpForm, expect_100_continue_is_answered_before_the_body_is_sent) {
    RawConnection connection{server_.port()};
    connection.send(
        "PUT /api/v1/counter/a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n"
        "Expect: 100-continue\r\nConnection: close\r\n\r\n"
    );
    const std::string go_on = connection.receive_until([](const std::string& received) {
        return received.ends_with("\r\n\r\n");
    });
    EXPECT_EQ(go_on, "HTTP/1.1 100 Continue\r\n\r\n");
    connection.send("token");
    EXPECT_THAT(connection.receive_all(), AllOf(HasSubstr("HTTP/1.1 200 OK"), HasSubstr("\n1\n")));
}

TEST_F(HttpForm, curl_with_expect_100_continue_works) {
    std::string lines;
    for (int line = 0; line < 50'000; ++line) {
        lines += fmt::format("{{\"object\":\"a\",\"token\":\"{}\"}}\n", line);
    }
    const std::string file = directory_.write("lines.ndjson", lines);
    EXPECT_EQ(
        curl({"-H", "Expect: 100-continue", "--data-binary", "@" + file}, "/api/v1/counter"),
        "{\"accepted\":50000,\"rejected\":[]}\n"
    );
}

TEST_F(HttpForm, a_body_above_16_mib_is_answered_before_the_connection_closes) {
    const std::size_t too_large = (16U << 20) + 1;
    const std::string head = fmt::format(
        "POST /api/v1/counter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n\r\n", too_large
    );
    for (const std::size_t sent : {std::size_t{0}, std::size_t{1000}, std::size_t{1} << 20}) {
        RawConnection connection{server_.port()};
        connection.send(head);
        connection.send(std::string(sent, '\n'));
        EXPECT_THAT(
            connection.receive_all(),
            AllOf(
                StartsWith("HTTP/1.1 413 "),
                HasSubstr("application/problem+json"),
                HasSubstr("\"/problems/body-too-large\"")
            )
        );
        EXPECT_TRUE(connection.closed_by_peer());
    }
    EXPECT_EQ(api_.count("a"), 0U);
}

TEST_F(HttpForm, a_chunked_body_above_16_mib_is_answered_too) {
    RawConnection connection{server_.port()};
    connection.send(
        "POST /api/v1/counter HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    const std::string chunk = "100000\r\n" + std::string(1 << 20, '\n') + "\r\n";
    for (int sent = 0; sent < 17 && connection.send(chunk); ++sent) {
    }
    EXPECT_THAT(connection.receive_all(), StartsWith("HTTP/1.1 413 "));
}

TEST_F(HttpForm, what_is_no_http_is_answered_400) {
    for (const char* text :
         {"hello\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02\r\n\r\n"}) {
        RawConnection connection{server_.port()};
        connection.send(text);
        EXPECT_THAT(
            connection.receive_all(), AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("problem+json"))
        );
    }
}

TEST_F(HttpForm, without_keys_only_loopback_hosts_are_answered) {
    const std::string line = "PUT /api/v1/counter/a";
    for (const char* host :
         {"127.0.0.1", "127.0.0.1:8080", "localhost", "localhost:1", "[::1]:8080"}) {
        EXPECT_THAT(request(line, fmt::format("Host: {}\r\n", host)), StartsWith("HTTP/1.1 200 "))
            << host;
    }
    for (const char* host :
         {"example.com", "127.0.0.1.example.com", "localhost.example.com", "192.0.2.1", "", "::1"
         }) {
        EXPECT_THAT(
            request(line, fmt::format("Host: {}\r\n", host)),
            AllOf(StartsWith("HTTP/1.1 403 "), HasSubstr("host-not-loopback"))
        ) << host;
    }
    EXPECT_THAT(
        request(line, ""), testing::AnyOf(StartsWith("HTTP/1.1 403 "), StartsWith("HTTP/1.1 400 "))
    );
}

TEST_F(HttpForm, without_keys_pages_of_other_sites_are_not_answered) {
    const std::string host = fmt::format("127.0.0.1:{}", server_.port());
    for (const char* line :
         {"PUT /api/v1/counter/a",
          "GET /api/v1/counter/a",
          "POST /api/v1/counter",
          "GET /api/v1/counters",
          "GET /api/v1/live/counters",
          "GET /metrics"}) {
        for (const char* origin :
             {"http://example.com", "null", "http://127.0.0.1:1", "https://"}) {
            const std::string sent = fmt::format("Host: {}\r\nOrigin: {}\r\n", host, origin);
            EXPECT_THAT(
                request(line, sent), AllOf(StartsWith("HTTP/1.1 403 "), HasSubstr("other-origin"))
            ) << line
              << " " << origin;
        }
    }
    const std::string same = fmt::format("Host: {0}\r\nOrigin: http://{0}\r\n", host);
    EXPECT_THAT(request("PUT /api/v1/counter/a", same), StartsWith("HTTP/1.1 200 "));
    EXPECT_EQ(api_.count("a"), 1U);
}

TEST_F(HttpForm, pipelined_requests_are_answered_in_order) {
    RawConnection connection{server_.port()};
    std::string requests;
    for (int token = 0; token < 100; ++token) {
        const std::string text = std::to_string(token);
        requests += fmt::format(
            "PUT /api/v1/counter/a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n{}\r\n{}",
            text.size(),
            token == 99 ? "Connection: close\r\n" : "",
            text
        );
    }
    connection.send(requests);
    const std::string answers = connection.receive_all();
    std::size_t place = 0;
    for (int count = 1; count <= 100 && place != std::string::npos; ++count) {
        place = answers.find(fmt::format("\r\n\r\n{}\n", count), place);
        EXPECT_NE(place, std::string::npos) << count;
    }
}

TEST_F(HttpForm, a_bad_request_harms_nobody_elses) {
    RawConnection silent{server_.port()};
    silent.send(
        "PUT /api/v1/counter/a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nhalf"
    );
    {
        RawConnection gone{server_.port()};
        gone.send("PUT /api/v1/counter/a HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nx"
        );
    }
    EXPECT_EQ(api_.put("a", "t"), 1U);
    silent.send(" token");
    EXPECT_THAT(
        silent.receive_until([](const std::string& all) { return all.ends_with("\n2\n"); }),
        StartsWith("HTTP/1.1 200 ")
    );
}

}  // namespace
}  // namespace footfall
