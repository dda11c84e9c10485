#include "load/connection.h"

#include <gtest/gtest.h>

#include <array>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace footfall::load {
namespace {

constexpr std::string_view answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n7\n";
constexpr int patience_ms = 10'000;

/// A connection, and the other end of it in our hands.
class ConnectionTest : public testing::Test {
protected:
    ConnectionTest() {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const generic = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(listener_, generic, size), 0);
        EXPECT_EQ(::listen(listener_, 1), 0);
        EXPECT_EQ(::getsockname(listener_, generic, &size), 0);
        const auto endpoint = resolve("127.0.0.1", ntohs(address.sin_port));
        EXPECT_TRUE(connection_.open(endpoint.value()));
        peer_ = ::accept(listener_, nullptr, nullptr);
        for (std::uint64_t id = 1; id <= 2; ++id) {
            connection_.asked({.id = id, .due = 0});
        }
    }

    void TearDown() override {
        ::close(listener_);
        ::close(peer_);
    }

    void say(std::string_view text) const {
        EXPECT_EQ(::send(peer_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
        wait_until_readable();
    }

    void wait_until_readable() const {
        pollfd waited{.fd = connection_.descriptor(), .events = POLLIN, .revents = 0};
        EXPECT_EQ(::poll(&waited, 1, patience_ms), 1);
    }

    /// The requests that were answered, as far as what has come tells.
    std::pair<Connection::Received, std::vector<std::uint64_t>> receive() {
        std::vector<std::uint64_t> answered;
        const auto received =
            connection_.receive(*protocol_, buffer_, [&](const Ticket& ticket, const Answer& said) {
                EXPECT_EQ(said.number, 7U);
                answered.push_back(ticket.id);
            });
        return {received, answered};
    }

    using Answered = std::vector<std::uint64_t>;

    int listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    int peer_ = -1;
    Connection connection_{2};
    std::unique_ptr<Protocol> protocol_ = http_protocol("h", "default");
    std::array<char, 4096> buffer_{};
};

TEST_F(ConnectionTest, puts_answers_together_that_come_in_pieces) {
    EXPECT_TRUE(connection_.full());
    say(answer.substr(0, 20));
    EXPECT_EQ(receive().second, Answered{});
    EXPECT_EQ(receive().second, Answered{}) << "nothing new had come";
    say(answer.substr(20, 10));
    EXPECT_EQ(receive().second, Answered{});
    say(std::string{answer.substr(30)} + std::string{answer.substr(0, 30)});
    EXPECT_EQ(receive().second, Answered{1});
    say(answer.substr(30));
    EXPECT_EQ(receive().second, Answered{2});
    EXPECT_EQ(connection_.in_flight(), 0U);
}

TEST_F(ConnectionTest, takes_several_answers_at_once_in_order) {
    say(std::string{answer} + std::string{answer});
    EXPECT_EQ(receive().second, (Answered{1, 2}));
}

TEST_F(ConnectionTest, takes_an_answer_that_nobody_asked_for_as_broken) {
    say(std::string{answer} + std::string{answer} + std::string{answer});
    EXPECT_EQ(receive().first, Connection::Received::broken);
}

TEST_F(ConnectionTest, says_when_the_server_is_gone) {
    ::shutdown(peer_, SHUT_RDWR);
    wait_until_readable();
    EXPECT_EQ(receive().first, Connection::Received::gone);
}

TEST(Resolve, takes_an_ipv6_address_as_a_url_has_it) {
    const auto endpoint = resolve("[::1]", 8080);
    ASSERT_TRUE(endpoint) << endpoint.error().message;
    EXPECT_EQ(endpoint->address.ss_family, AF_INET6);
}

TEST(ConnectionToNobody, names_the_server) {
    Connection connection{1};
    const auto opened = connection.open(resolve("127.0.0.1", 1).value());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().kind, ErrorKind::unavailable);
    EXPECT_EQ(opened.error().message, "cannot reach 127.0.0.1:1: Connection refused");
}

}  // namespace
}  // namespace footfall::load
