#include "http_server/output.h"

#include "net/gate.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace footfall::http_server {
namespace {

class FixedGate final : public net::Gate {
public:
    explicit FixedGate(std::set<std::uint64_t> positions) : positions_{std::move(positions)} {}

    bool open(std::uint64_t position) const override { return positions_.contains(position); }

    void when_decided(std::uint64_t, std::move_only_function<void()> decided) override {
        decided();
    }

private:
    std::set<std::uint64_t> positions_;
};

constexpr std::string_view common = "\r\nContent-Type: ";
constexpr Form plain{.head_only = false, .connection = {}};

Response unknown() {
    return {.status = 503, .content_type = "t", .body = "unknown"};
}

Response held(std::string body, std::uint64_t position) {
    return {.content_type = "t", .body = std::move(body), .hold_until = position};
}

std::string ok(const std::string& body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: t\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}

TEST(Output, writes_an_answer_as_the_protocol_has_it) {
    Output output;
    Response response = held("body", 0);
    response.headers.emplace_back("A", "b");
    output.add_answer(response, {.head_only = false, .connection = "C: d\r\n"}, common);
    EXPECT_EQ(
        output.unsent(),
        "HTTP/1.1 200 OK\r\nContent-Type: t\r\nA: b\r\nC: d\r\nContent-Length: 4\r\n\r\nbody"
    );
}

TEST(Output, a_body_is_left_out_where_there_must_be_none) {
    Output output;
    output.add_answer(held("body", 0), {.head_only = true, .connection = {}}, common);
    Response nothing = held("body", 0);
    nothing.status = 304;
    output.add_answer(nothing, plain, common);
    EXPECT_EQ(
        output.unsent(),
        "HTTP/1.1 200 OK\r\nContent-Type: t\r\nContent-Length: 4\r\n\r\n"
        "HTTP/1.1 304 Not Modified\r\nContent-Type: t\r\n\r\n"
    );
}

TEST(Output, what_was_lost_is_replaced_and_nothing_else) {
    Output output;
    output.add("first");
    output.add_answer(held("a", 1), plain, common);
    output.add_answer(held("b", 3), plain, common);
    output.add_answer(held("c", 2), plain, common);
    output.add("last");
    EXPECT_EQ(output.held_until(), 3U);
    const FixedGate gate{{1, 2}};
    EXPECT_EQ(output.settle(gate, unknown, common), 1U);
    EXPECT_EQ(output.held_until(), 0U);
    EXPECT_EQ(
        output.unsent(),
        "first" + ok("a") +
            "HTTP/1.1 503 Service Unavailable\r\nContent-Type: t\r\nContent-Length: 7\r\n\r\n"
            "unknown" +
            ok("c") + "last"
    );
}

TEST(Output, leaves_in_pieces_and_can_be_filled_again) {
    Output output;
    output.add("abcdef");
    output.sent(2);
    EXPECT_EQ(output.unsent(), "cdef");
    output.sent(4);
    EXPECT_TRUE(output.empty());
    output.add_chunk(std::string(26, 'x'));
    EXPECT_EQ(output.unsent(), "1a\r\n" + std::string(26, 'x') + "\r\n");
}

}  // namespace
}  // namespace footfall::http_server
