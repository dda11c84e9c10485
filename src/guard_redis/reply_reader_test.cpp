#include "guard_redis/reply_reader.h"

#include "foundation/random.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace footfall::guard_redis {
namespace {

std::vector<std::string> pieces_of(const Reply& reply) {
    std::vector<std::string> pieces;
    pieces.reserve(reply.size());
    for (std::size_t at = 0; at < reply.size(); ++at) {
        pieces.emplace_back(reply[at]);
    }
    return pieces;
}

constexpr std::string_view answers =
    "+OK\r\n:-7\r\n$3\r\na\r\n\r\n*2\r\n$1\r\nm\r\n*2\r\n:5\r\n$-1\r\n*0\r\n-ERR "
    "no\r\n*2\r\n:1\r\n-WRONG x\r\n";

/// Wherever the network cuts them.
TEST(ReplyReader, gives_answers_whole) {
    const std::vector<std::vector<std::string>> expected{
        {"OK"}, {"-7"}, {"a\r\n"}, {"m", "5", ""}, {}, {"ERR no"}, {"1", "WRONG x"}
    };
    Random random{4};
    for (int round = 0; round < 300; ++round) {
        ReplyReader reader;
        std::vector<std::vector<std::string>> seen;
        std::vector<std::string> errors;
        for (std::string_view left = answers; !left.empty();) {
            const std::size_t some = 1 + random.below(left.size());
            ASSERT_TRUE(reader.feed(left.substr(0, some)));
            left.remove_prefix(some);
            for (const Reply* reply = reader.next().value(); reply != nullptr;
                 reply = reader.next().value()) {
                seen.push_back(pieces_of(*reply));
                if (reply->failed()) {
                    errors.emplace_back(reply->error());
                }
            }
        }
        ASSERT_EQ(seen, expected);
        ASSERT_EQ(errors, (std::vector<std::string>{"ERR no", "WRONG x"}));
    }
}

TEST(ReplyReader, refuses_what_is_no_answer_and_what_is_too_much) {
    for (const std::string_view bytes :
         {"HTTP/1.1 400 Bad Request\r\n",
          "*65537\r\n",
          "*2000000000\r\n",
          "$99999999999999999999\r\n"}) {
        ReplyReader reader;
        const Result<void> fed = reader.feed(bytes);
        const auto next = reader.next();
        EXPECT_FALSE(fed && next) << bytes;
    }
    ReplyReader reader;
    ASSERT_TRUE(reader.feed("*65536\r\n"));
    EXPECT_EQ(reader.next().value(), nullptr);
}

TEST(ReplyReader, stands_damage) {
    Random random{5};
    for (int round = 0; round < 20'000; ++round) {
        std::string damaged{answers};
        damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
        ReplyReader reader;
        if (!reader.feed(damaged)) {
            continue;
        }
        for (auto reply = reader.next(); reply && *reply != nullptr; reply = reader.next()) {
            pieces_of(**reply);
        }
    }
}

}  // namespace
}  // namespace footfall::guard_redis
