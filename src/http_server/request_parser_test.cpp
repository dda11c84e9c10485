#include "http_server/request_parser.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::http_server {
namespace {

using State = RequestParser::State;
using namespace std::string_literals;

/// Keeps what the parser did not take, like a connection, and notes each request as one line.
class Reader {
public:
    explicit Reader(ParserLimits limits = {}) : parser_{limits} {}

    State read(std::string_view bytes) {
        kept_ += bytes;
        for (;;) {
            std::size_t taken = 0;
            const State state = parser_.feed(kept_, taken);
            if (state == State::complete) {
                note();
                parser_.reset();
            }
            kept_.erase(0, taken);
            if (state != State::complete) {
                return state;
            }
        }
    }

    RequestParser& parser() { return parser_; }

    const std::vector<std::string>& requests() const { return requests_; }

    std::size_t kept_bytes() const { return kept_.size(); }

private:
    void note() {
        const Request& request = parser_.request();
        std::string line{name_of(request.method)};
        line.append(" ").append(request.path);
        line.append("?").append(request.query);
        for (const auto& [name, value] : request.headers) {
            line.append(" ").append(name).append("=").append(value);
        }
        line.append(" [").append(request.body).append("]");
        line.append(parser_.keep_alive() ? "" : " close");
        requests_.push_back(line);
    }

    RequestParser parser_;
    std::string kept_;
    std::vector<std::string> requests_;
};

std::vector<std::string> read_all(std::string_view bytes) {
    Reader reader;
    EXPECT_EQ(reader.read(bytes), State::need_more);
    EXPECT_EQ(reader.kept_bytes(), 0U);
    return reader.requests();
}

/// The status that `bytes` are refused with, however they are cut; 0: they are not refused.
int refusal(std::string_view bytes, ParserLimits limits = {}) {
    Reader whole{limits};
    const int status = whole.read(bytes) == State::failed ? whole.parser().status() : 0;
    Reader pieces{limits};
    State state = State::need_more;
    for (std::size_t at = 0; at < bytes.size() && state != State::failed; ++at) {
        state = pieces.read(bytes.substr(at, 1));
    }
    EXPECT_EQ(state == State::failed ? pieces.parser().status() : 0, status) << bytes;
    EXPECT_EQ(whole.requests(), pieces.requests()) << bytes;
    EXPECT_EQ(status != 0, !whole.parser().problem().empty());
    return status;
}

using Lines = std::vector<std::string>;

TEST(RequestParser, reads_a_request_without_a_body) {
    EXPECT_EQ(
        read_all("GET /a/b%20c?x=1&y=? HTTP/1.1\r\nHost: h\r\nX-Empty:\r\n\r\n"),
        Lines{"GET /a/b%20c?x=1&y=? Host=h X-Empty= []"}
    );
}

TEST(RequestParser, needs_no_header_at_all) {
    EXPECT_EQ(read_all("GET / HTTP/1.1\r\n\r\n"), Lines{"GET /? []"});
}

TEST(RequestParser, knows_the_methods) {
    for (const char* method : {"GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS"}) {
        EXPECT_EQ(read_all(method + " / HTTP/1.1\r\n\r\n"s), Lines{std::string{method} + " /? []"});
    }
    for (const char* method : {"PATCH", "get", "FOO", "TRACE"}) {
        EXPECT_EQ(read_all(method + " / HTTP/1.1\r\n\r\n"s), Lines{"other /? []"});
    }
}

TEST(RequestParser, reads_a_body_of_known_length_with_any_bytes) {
    EXPECT_EQ(
        read_all("PUT /a HTTP/1.1\r\nContent-Length: 5\r\n\r\n\r\n\0\n1"s),
        Lines{"PUT /a? Content-Length=5 [\r\n\0\n1]"s}
    );
    EXPECT_EQ(
        read_all("PUT /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n"),
        Lines{"PUT /a? Content-Length=0 []"}
    );
}

TEST(RequestParser, joins_the_chunks_of_a_body) {
    EXPECT_EQ(
        read_all("POST /a HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n"
                 "3;name=\"value\"\r\nabc\r\n0A\r\n0123456789\r\n0\r\n\r\n"),
        Lines{"POST /a? Transfer-Encoding=Chunked [abc0123456789]"}
    );
    EXPECT_EQ(
        read_all("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Lines{"POST /a? Transfer-Encoding=chunked []"}
    );
}

TEST(RequestParser, trailers_are_no_headers) {
    EXPECT_EQ(
        read_all("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                 "1\r\na\r\n0\r\nAuthorization: x\r\nExpect: 100-continue\r\n\r\n"),
        Lines{"POST /a? Transfer-Encoding=chunked [a]"}
    );
}

TEST(RequestParser, reads_pipelined_requests_one_after_the_other) {
    EXPECT_EQ(
        read_all("PUT /a HTTP/1.1\r\nContent-Length: 2\r\n\r\nabGET /b HTTP/1.1\r\n\r\n"
                 "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
                 "GET /d HTTP/1.1\r\n\r\n"),
        (Lines{
            "PUT /a? Content-Length=2 [ab]",
            "GET /b? []",
            "POST /c? Transfer-Encoding=chunked [x]",
            "GET /d? []"
        })
    );
}

TEST(RequestParser, one_byte_at_a_time_reads_the_same_as_all_at_once) {
    const std::string bytes =
        "PUT /a?q HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab"
        "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nxy\r\n0\r\nT: u\r\n\r\n"
        "POST /e HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        "GET /d HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
    const Lines whole = read_all(bytes);
    ASSERT_EQ(whole.size(), 4U);
    for (std::size_t size = 1; size < 40; ++size) {
        Reader pieces;
        for (std::size_t at = 0; at < bytes.size(); at += size) {
            EXPECT_EQ(pieces.read(bytes.substr(at, size)), State::need_more);
        }
        EXPECT_EQ(pieces.requests(), whole) << size;
        EXPECT_EQ(pieces.kept_bytes(), 0U);
    }
}

TEST(RequestParser, keeps_a_connection_alive_by_the_rules_of_its_version) {
    const auto kept = [](const std::string& version, const std::string& header) {
        const Lines lines = read_all("GET / HTTP/" + version + "\r\n" + header + "\r\n");
        return lines.size() == 1 && !lines[0].ends_with(" close");
    };
    EXPECT_TRUE(kept("1.1", ""));
    EXPECT_FALSE(kept("1.1", "Connection: close\r\n"));
    EXPECT_FALSE(kept("1.1", "Connection: x, Close\r\n"));
    EXPECT_FALSE(kept("1.0", ""));
    EXPECT_TRUE(kept("1.0", "Connection: Keep-Alive\r\n"));
}

TEST(RequestParser, started_tells_a_request_from_the_pause_before_it) {
    Reader reader;
    EXPECT_FALSE(reader.parser().started());
    reader.read("G");
    EXPECT_TRUE(reader.parser().started());
    reader.read("ET / HTTP/1.1\r\n\r\n");
    EXPECT_FALSE(reader.parser().started());
    reader.read("");
    EXPECT_FALSE(reader.parser().started());
}

TEST(RequestParser, wants_continue_while_a_body_it_would_take_is_announced) {
    Reader reader;
    reader.read("PUT / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n");
    EXPECT_FALSE(reader.parser().wants_continue());
    reader.read("\r\n");
    EXPECT_TRUE(reader.parser().wants_continue());
    reader.read("abc");
    EXPECT_FALSE(reader.parser().wants_continue());
    reader.read("PUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\n");
    EXPECT_FALSE(reader.parser().wants_continue());
}

TEST(RequestParser, an_old_client_does_not_wait_for_continue) {
    Reader reader;
    reader.read("PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    EXPECT_FALSE(reader.parser().wants_continue());
}

TEST(RequestParser, a_body_that_is_too_large_is_refused_before_it_is_sent) {
    const ParserLimits limits{.header_bytes = 1000, .body_bytes = 10};
    EXPECT_EQ(refusal("PUT / HTTP/1.1\r\nContent-Length: 10\r\n\r\n0123456789", limits), 0);
    EXPECT_EQ(refusal("PUT / HTTP/1.1\r\nContent-Length: 11\r\n\r\n", limits), 413);
    const std::string chunked = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    EXPECT_EQ(refusal(chunked + "A\r\n0123456789\r\n0\r\n\r\n", limits), 0);
    EXPECT_EQ(refusal(chunked + "B\r\n01", limits), 413);
    EXPECT_EQ(refusal(chunked + "9\r\n012345678\r\n2\r\n", limits), 413);
}

TEST(RequestParser, a_header_up_to_its_limit_is_taken_and_no_byte_more) {
    const ParserLimits limits{.header_bytes = 200, .body_bytes = 10};
    const std::string start = "GET / HTTP/1.1\r\nX: ";
    for (const std::size_t size : {199U, 200U, 201U, 20'000U}) {
        const std::string header = start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
        EXPECT_EQ(refusal(header, limits), size <= 200 ? 0 : 431) << size;
    }
}

TEST(RequestParser, many_small_header_fields_count_as_one_large_header) {
    const ParserLimits limits{.header_bytes = 200, .body_bytes = 10};
    std::string header = "GET / HTTP/1.1\r\n";
    for (int line = 0; line < 100; ++line) {
        header += "X: y\r\n";
    }
    EXPECT_EQ(refusal(header, limits), 431);
}

TEST(RequestParser, a_request_line_over_the_limit_is_said_to_be_that) {
    const ParserLimits limits{.header_bytes = 200, .body_bytes = 10};
    EXPECT_EQ(refusal("GET /" + std::string(500, 'x'), limits), 414);
    EXPECT_EQ(refusal("GET /" + std::string(500, 'x') + " HTTP/1.1\r\n\r\n", limits), 414);
}

TEST(RequestParser, a_target_may_name_its_host_which_counts_then) {
    for (const auto& [target, path, query] : std::vector<std::array<std::string, 3>>{
             {"http://a:8080/b/c?d", "/b/c", "d"},
             {"HTTP://a:8080", "/", ""},
             {"https://a:8080?d", "/", "d"}
         }) {
        for (const std::size_t first : {std::string::npos, std::size_t{70}}) {
            const std::string bytes = "PUT " + target +
                                      " HTTP/1.1\r\nHost: other\r\nContent-Length: 9\r\n\r\n"
                                      "123456789";
            RequestParser parser{ParserLimits{}};
            std::string kept = bytes.substr(0, first);
            std::size_t taken = 0;
            if (parser.feed(kept, taken) == State::need_more) {
                kept = kept.substr(taken) + bytes.substr(first);
                ASSERT_EQ(parser.feed(kept, taken), State::complete);
            }
            EXPECT_EQ(parser.request().known.host, "a:8080") << target;
            EXPECT_EQ(parser.request().path, path) << target;
            EXPECT_EQ(parser.request().query, query) << target;
            EXPECT_EQ(parser.request().body, "123456789") << target;
        }
    }
    EXPECT_EQ(refusal("GET http:///a HTTP/1.1\r\n\r\n"), 400);
}

TEST(RequestParser, a_target_that_is_only_a_scheme_names_no_host) {
    for (const std::string target : {"http", "HTTPS", "https:", "http:/", "http:a"}) {
        RequestParser parser{ParserLimits{}};
        std::size_t taken = 0;
        const std::string bytes = "GET " + target + " HTTP/1.1\r\n\r\n";
        ASSERT_EQ(parser.feed(bytes, taken), State::complete);
        EXPECT_EQ(parser.request().path, target);
        EXPECT_EQ(parser.request().known.host, "");
    }
}

TEST(RequestParser, known_headers_are_the_first_of_their_name_in_any_case) {
    RequestParser parser{ParserLimits{}};
    std::size_t taken = 0;
    const std::string bytes =
        "GET / HTTP/1.1\r\nhOST: a\r\nACCEPT: b\r\norigin: c\r\ncontent-encoding: d\r\n"
        "Host: e\r\nAccept: f\r\nOrigin: g\r\nContent-Encoding: h\r\n\r\n";
    ASSERT_EQ(parser.feed(bytes, taken), State::complete);
    const Request::Known& known = parser.request().known;
    EXPECT_EQ(known.host, "a");
    EXPECT_EQ(known.accept, "b");
    EXPECT_EQ(known.origin, "c");
    EXPECT_EQ(known.content_encoding, "d");
    EXPECT_EQ(known.hosts, 2U);
    parser.reset();
    ASSERT_EQ(parser.feed("GET / HTTP/1.1\r\n\r\n", taken), State::complete);
    EXPECT_EQ(parser.request().known.hosts, 0U);
    EXPECT_EQ(parser.request().known.accept, "");
}

TEST(RequestParser, the_lines_between_chunks_are_limited_like_a_header) {
    const ParserLimits limits{.header_bytes = 200, .body_bytes = 10};
    const std::string start = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string text(300, 'x');
    EXPECT_EQ(refusal(start + "1;" + text, limits), 431);
    EXPECT_EQ(refusal(start + "1;" + text + "\r\na\r\n0\r\n\r\n", limits), 431);
    EXPECT_EQ(refusal(start + text, limits), 431);
    EXPECT_EQ(refusal(start + "0\r\nT: " + text, limits), 431);
    EXPECT_EQ(refusal(start + "0\r\nT: " + text + "\r\n\r\n", limits), 431);
}

TEST(RequestParser, refuses_what_is_not_http) {
    for (const std::string& bytes : {
             "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"s,
             "GARBAGE\r\n\r\n"s,
             "GET  / HTTP/1.1\r\n\r\n"s,
             "GET / HTTP/2.0\r\n\r\n"s,
             "GET / HTTP/1.2\r\n\r\n"s,
             "GET / http/1.1\r\n\r\n"s,
             "GET /\r\n\r\n"s,
             "GET /a\0b HTTP/1.1\r\n\r\n"s,
             "GET / HTTP/1.1\r\nNo colon\r\n\r\n"s,
             "GET / HTTP/1.1\r\n: no name\r\n\r\n"s,
             "GET / HTTP/1.1\r\nX: a\0b\r\n\r\n"s,
             "GET / HTTP/1.1\r\nX\0: a\r\n\r\n"s,
             "GET / HTTP/1.1\r\nX: a\rb\r\n\r\n"s,
             "GET / HTTP/1.1\nHost: h\n\n"s,
             "GET / HTTP/1.1\r\nHost: h\n\r\n"s,
         }) {
        EXPECT_EQ(refusal(bytes), 400) << bytes;
    }
}

TEST(RequestParser, refuses_a_body_whose_length_could_be_read_in_two_ways) {
    for (const std::string_view header : {
             "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
             "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
             "Content-Length: 5\r\nContent-Length: 6\r\n",
             "Content-Length: 5, 6\r\n",
             "Content-Length: +5\r\n",
             "Content-Length: -5\r\n",
             "Content-Length: 0x5\r\n",
             "Content-Length: 5 5\r\n",
             "Content-Length:\r\n",
             "Content-Length: 18446744073709551616\r\n",
             "Content-Length : 5\r\n",
             " Content-Length: 5\r\n",
             "X: a\r\n Content-Length: 5\r\n",
             "X: a\r\n\tfolded\r\n",
             "Transfer-Encoding:\r\n chunked\r\n",
             "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
             "Transfer-Encoding: gzip\r\n",
             "Transfer-Encoding: gzip, chunked\r\n",
             "Transfer-Encoding: chunked, gzip\r\n",
             "Transfer-Encoding: chunked, chunked\r\n",
             "Transfer-Encoding: xchunked\r\n",
             "Transfer-Encoding: \"chunked\"\r\n",
             "Transfer-Encoding: identity\r\nContent-Length: 5\r\n",
             "Transfer-Encoding:\r\nContent-Length: 5\r\n",
         }) {
        const std::string bytes = "POST / HTTP/1.1\r\n" + std::string{header} +
                                  "\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n";
        EXPECT_EQ(refusal(bytes), 400) << header;
    }
    EXPECT_EQ(refusal("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400);
}

TEST(RequestParser, takes_a_length_that_is_repeated_alike) {
    EXPECT_EQ(
        read_all("PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na").size(), 1U
    );
}

TEST(RequestParser, refuses_broken_chunks) {
    for (const std::string_view body :
         {"x\r\nabc\r\n0\r\n\r\n",
          "-1\r\nabc\r\n0\r\n\r\n",
          "0x3\r\nabc\r\n0\r\n\r\n",
          "3\nabc\r\n0\r\n\r\n",
          "3\r\nabcd\r\n0\r\n\r\n",
          "3\r\nabc0\r\n\r\n",
          "10000000000000000\r\nabc\r\n0\r\n\r\n",
          "3;a=\"b\r\nabc\r\n0\r\n\r\n",
          "0;a=\"\\\"\r\n\r\n",
          "0\r\nContent-Length: 5\r\n\r\n",
          "0\r\nno colon\r\n\r\n"}) {
        const std::string bytes = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
        EXPECT_EQ(refusal(bytes + std::string{body}), 400) << body;
    }
}

TEST(RequestParser, requests_before_a_refused_one_are_read) {
    Reader reader;
    EXPECT_EQ(
        reader.read("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\nnonsense\r\n"), State::failed
    );
    EXPECT_EQ(reader.requests(), (Lines{"GET /a? []", "GET /b? []"}));
}

TEST(RequestParser, a_large_body_does_not_stay_in_memory) {
    constexpr std::size_t size = 1 << 20;
    RequestParser parser{ParserLimits{}};
    const std::string bytes =
        "PUT / HTTP/1.1\r\nContent-Length: 1048576\r\n\r\n" + std::string(size, 'x');
    std::size_t taken = 0;
    ASSERT_EQ(parser.feed(std::string_view{bytes}.substr(0, size), taken), State::need_more);
    ASSERT_EQ(parser.feed(std::string_view{bytes}.substr(size), taken), State::complete);
    EXPECT_EQ(parser.request().body.size(), size);
    EXPECT_GE(parser.memory_bytes(), size);
    parser.reset();
    EXPECT_LE(parser.memory_bytes(), 64U << 10);
    parser.release();
    EXPECT_LE(parser.memory_bytes(), 64U);
}

}  // namespace
}  // namespace footfall::http_server
