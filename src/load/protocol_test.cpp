#include "load/protocol.h"

#include <gtest/gtest.h>

#include <array>

namespace footfall::load {
namespace {

constexpr Operation put{.is_get = false, .object = 42, .token = 18446744073709551615U};
constexpr std::string_view http_answer =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\ncontent-length:  3\r\n\r\n43\n";

std::string written(
    const Protocol& protocol, void (Protocol::*append)(std::string&, std::uint64_t) const
) {
    std::string out = "before ";
    (protocol.*append)(out, 42);
    return out;
}

TEST(HttpProtocol, writes_requests_behind_one_another) {
    const auto protocol = http_protocol("127.0.0.1:8080", "default");
    std::string out = "before ";
    protocol->append_put(out, put);
    EXPECT_EQ(
        out,
        "before PUT /api/v1/counter/42 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Length: "
        "20\r\n\r\n"
        "18446744073709551615"
    );
    EXPECT_EQ(
        written(*protocol, &Protocol::append_get),
        "before GET /api/v1/counter/42 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"
    );
    const auto named = http_protocol("h", "views");
    EXPECT_EQ(
        written(*named, &Protocol::append_check),
        "before GET /api/v1/counter/42?counter=views HTTP/1.1\r\nHost: h\r\n"
        "Accept: application/json\r\n\r\n"
    );
}

TEST(HttpProtocol, writes_a_batch_with_the_length_of_its_body) {
    const auto protocol = http_protocol("h", "views");
    const std::array<Operation, 2> operations{put, {.is_get = false, .object = 7, .token = 8}};
    std::string out;
    protocol->append_batch(out, operations);
    const std::string body =
        "{\"object\":\"42\",\"token\":\"18446744073709551615\"}\n{\"object\":\"7\",\"token\":\"8\"}"
        "\n";
    EXPECT_EQ(
        out,
        "POST /api/v1/counter?counter=views HTTP/1.1\r\nHost: h\r\nContent-Length: 0000000" +
            std::to_string(body.size()) + "\r\n\r\n" + body
    );
}

TEST(HttpProtocol, reads_an_answer_only_when_it_is_whole) {
    const auto protocol = http_protocol("h", "default");
    for (std::size_t size = 0; size < http_answer.size(); ++size) {
        ASSERT_EQ(protocol->read(http_answer.substr(0, size)).state, ReadAnswer::State::incomplete);
    }
    const ReadAnswer read = protocol->read(std::string{http_answer} + "HTTP/1.1 200");
    EXPECT_EQ(read.state, ReadAnswer::State::complete);
    EXPECT_EQ(read.bytes, http_answer.size());
    EXPECT_EQ(read.answer.status, 200);
    EXPECT_TRUE(read.answer.has_number);
    EXPECT_EQ(read.answer.number, 43U);
}

TEST(HttpProtocol, reads_counts_batches_and_errors) {
    const auto protocol = http_protocol("h", "default");
    const auto answer_of = [&](const std::string& status, const std::string& body) {
        const ReadAnswer read = protocol->read(
            "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) +
            "\r\n\r\n" + body
        );
        EXPECT_EQ(read.state, ReadAnswer::State::complete);
        return read.answer;
    };
    const Answer full = answer_of("200 OK", R"({"object":"a","count":100,"at_least":true})");
    EXPECT_EQ(full.number, 100U);
    EXPECT_TRUE(full.at_least);
    const Answer exact = answer_of("200 OK", R"({"object":"a","count":0,"at_least":false})");
    EXPECT_TRUE(exact.has_number);
    EXPECT_FALSE(exact.at_least);
    EXPECT_EQ(answer_of("200 OK", R"({"accepted":12,"rejected":[]})").number, 12U);
    const Answer overloaded = answer_of("503 Service Unavailable", R"({"type":"/problems/x"})");
    EXPECT_EQ(overloaded.status, 503);
    EXPECT_FALSE(overloaded.has_number);
}

TEST(HttpProtocol, of_something_else_says_that_it_is_broken) {
    const auto protocol = http_protocol("h", "default");
    for (const char* text :
         {"+PONG\r\n\r\n", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nServer: a\r\n\r\n"}) {
        EXPECT_EQ(protocol->read(text).state, ReadAnswer::State::broken) << text;
    }
}

TEST(TargetProtocol, asks_for_the_line_of_an_object_and_takes_any_body) {
    const auto protocol = target_protocol("h", {"/a", "/b?c=d"}, "Bearer k");
    std::string out;
    protocol->append_get(out, 1);
    EXPECT_EQ(out, "GET /b?c=d HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer k\r\n\r\n");
    const ReadAnswer read =
        protocol->read("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}HTTP");
    EXPECT_EQ(read.state, ReadAnswer::State::complete);
    EXPECT_EQ(read.answer.status, 404);
    EXPECT_TRUE(read.answer.has_number);
    EXPECT_EQ(protocol->read("HTTP/1.1 200 OK\r\n").state, ReadAnswer::State::incomplete);
}

TEST(RespProtocol, writes_commands_on_sets_and_on_strings) {
    std::string out;
    resp_protocol(RedisType::set)->append_put(out, put);
    EXPECT_EQ(out, "*3\r\n$4\r\nSADD\r\n$2\r\n42\r\n$20\r\n18446744073709551615\r\n");
    const auto strings = resp_protocol(RedisType::string);
    EXPECT_EQ(written(*strings, &Protocol::append_get), "before *2\r\n$3\r\nGET\r\n$2\r\n42\r\n");
}

TEST(RespProtocol, reads_every_kind_of_answer_once_it_is_whole) {
    const struct {
        std::string_view text;
        int status;
        bool has_number;
        std::uint64_t number;
    } cases[] = {
        {":12\r\n", 200, true, 12},
        {"+OK\r\n", 200, true, 1},
        {"$5\r\n12345\r\n", 200, true, 12345},
        {"$-1\r\n", 200, true, 0},
        {"-OOM command not allowed\r\n", 500, false, 0},
    };

    const auto protocol = resp_protocol(RedisType::set);
    for (const auto& [text, status, has_number, number] : cases) {
        SCOPED_TRACE(text);
        for (std::size_t size = 0; size < text.size(); ++size) {
            ASSERT_EQ(protocol->read(text.substr(0, size)).state, ReadAnswer::State::incomplete);
        }
        const ReadAnswer read = protocol->read(std::string{text} + ":1");
        EXPECT_EQ(read.bytes, text.size());
        EXPECT_EQ(read.answer.status, status);
        EXPECT_EQ(read.answer.has_number, has_number);
        EXPECT_EQ(read.answer.number, number);
    }
    EXPECT_EQ(protocol->read("HTTP/1.1 400\r\n").state, ReadAnswer::State::broken);
}

}  // namespace
}  // namespace footfall::load
