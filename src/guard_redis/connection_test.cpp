#include "guard_redis/connection.h"

#include "guard_redis/commands.h"
#include "guard_redis_testing/redis_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

namespace footfall::guard_redis {
namespace {

using namespace std::chrono_literals;

Deadline soon() {
    return std::chrono::steady_clock::now() + 10s;
}

Result<void> take_all(std::size_t, const Reply&) {
    return {};
}

TEST(Connection, carries_many_commands_and_large_answers_at_once) {
    const RedisServer redis;
    const auto connection = Connection::open(RedisServer::address(), redis.port(), soon()).value();
    const std::string large(3 << 20, 'x');
    std::string commands;
    append_command(commands, {"SET", "large", large});
    for (int times = 0; times < 5; ++times) {
        append_command(commands, {"GET", "large"});
    }
    append_command(commands, {"NONSENSE"});
    std::size_t seen = 0;
    const Result<void> done =
        connection->exchange(commands, 7, soon(), [&](std::size_t number, const Reply& reply) {
            EXPECT_EQ(number, seen++);
            EXPECT_EQ(reply.failed(), number == 6);
            EXPECT_TRUE(number == 0 || number == 6 || reply[0] == large);
            return Result<void>{};
        });
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(seen, 7U);
}

TEST(Connection, gives_up_on_answers_without_end) {
    const RedisServer redis;
    const auto connection = Connection::open(RedisServer::address(), redis.port(), soon()).value();
    std::string commands;
    append_command(commands, {"SETRANGE", "large", "16777216", "x"});
    for (int times = 0; times < 5; ++times) {
        append_command(commands, {"GET", "large"});
    }
    EXPECT_EQ(
        connection->exchange(commands, 6, soon(), take_all).error().message,
        "the answer is longer than 64 MiB"
    );
}

TEST(Connection, ends_at_its_deadline_and_when_redis_does) {
    RedisServer redis;
    const auto connection = Connection::open(RedisServer::address(), redis.port(), soon()).value();
    std::string ping;
    append_command(ping, {"PING"});
    redis.pause();
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(
        connection->exchange(ping, 1, begin + 50ms, take_all).error().kind, ErrorKind::timed_out
    );
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 50ms);
    redis.kill();
    EXPECT_EQ(connection->exchange(ping, 1, soon(), take_all).error().kind, ErrorKind::unavailable);
    EXPECT_EQ(
        Connection::open(RedisServer::address(), redis.port(), soon()).error().message,
        "connect: Connection refused"
    );
}

TEST(Connection, looks_up_no_names) {
    EXPECT_TRUE(is_numeric_address("127.0.0.1"));
    EXPECT_TRUE(is_numeric_address("::1"));
    EXPECT_FALSE(is_numeric_address("localhost"));
    EXPECT_FALSE(is_numeric_address(""));
    EXPECT_EQ(
        Connection::open("localhost", 1, soon()).error().message,
        "\"localhost\" is no numeric address"
    );
}

}  // namespace
}  // namespace footfall::guard_redis
