#include "net/datagram_socket.h"

#include "net/test_datagrams.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace footfall::net {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view setting = "--carbon ADDRESS:PORT";

std::vector<std::string> received(DatagramSocket& socket) {
    std::vector<std::string> all;
    for (const std::string_view each : socket.receive(10s)) {
        all.emplace_back(each);
    }
    return all;
}

TEST(DatagramSocket, receives_what_was_sent_each_by_itself) {
    const std::uint16_t port = free_datagram_port();
    auto socket = DatagramSocket::bind({.address = "127.0.0.1", .port = port}, setting);
    ASSERT_TRUE(socket) << socket.error().message;
    EXPECT_TRUE(socket->receive(0ms).empty());
    const DatagramSender sender;
    const std::string longest(65'507, 'x');
    EXPECT_TRUE(sender.send(port, "one"));
    EXPECT_TRUE(sender.send(port, ""));
    EXPECT_TRUE(sender.send(port, longest));
    EXPECT_FALSE(sender.send(port, longest + "x")) << "no datagram is that long";
    EXPECT_EQ(received(*socket), (std::vector<std::string>{"one", "", longest}));
    for (int at = 0; at < 20; ++at) {
        EXPECT_TRUE(sender.send(port, std::to_string(at)));
    }
    EXPECT_EQ(received(*socket).size(), 16);
    EXPECT_EQ(received(*socket), (std::vector<std::string>{"16", "17", "18", "19"}));
    EXPECT_EQ(socket->dropped(), 0);
}

TEST(DatagramSocket, counts_what_the_system_had_no_room_for) {
    const std::uint16_t port = free_datagram_port();
    auto socket = DatagramSocket::bind({.address = "127.0.0.1", .port = port}, setting);
    ASSERT_TRUE(socket) << socket.error().message;
    const DatagramSender sender;
    const std::string large(60'000, 'x');
    std::uint64_t sent = 0;
    for (; sent < 200; ++sent) {
        EXPECT_TRUE(sender.send(port, large));
    }
    std::uint64_t taken = received(*socket).size();
    for (std::size_t more = 1; more > 0; taken += more) {
        more = socket->receive(0ms).size();
    }
    EXPECT_LT(taken, sent);
    EXPECT_TRUE(sender.send(port, "now it says so"));
    EXPECT_EQ(received(*socket).size(), 1);
    EXPECT_EQ(socket->dropped(), sent - taken);
}

TEST(DatagramSocket, says_what_is_wrong_with_an_address) {
    const DatagramSender taken;
    const auto conflict =
        DatagramSocket::bind({.address = "127.0.0.1", .port = taken.port()}, setting);
    ASSERT_FALSE(conflict);
    EXPECT_EQ(conflict.error().kind, ErrorKind::conflict);
    EXPECT_THAT(conflict.error().message, testing::HasSubstr(std::to_string(taken.port())));
    EXPECT_THAT(conflict.error().message, testing::HasSubstr(setting));
    for (const std::string address : {"", "localhost", "1.2.3", "192.0.2.1"}) {
        const auto refused = DatagramSocket::bind({.address = address, .port = 1}, setting);
        ASSERT_FALSE(refused) << address;
        EXPECT_EQ(refused.error().kind, ErrorKind::invalid_input) << refused.error().message;
    }
}

}  // namespace
}  // namespace footfall::net
